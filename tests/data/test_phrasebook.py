"""The phrasebook: frozen as the CLDR says it, cut and joined without loss, splits kept apart."""

import gzip
from collections import Counter
from datetime import date

import babel
import pytest
from babel.dates import format_date

from tools.data.phrasebook import rebuild
from tutor.data.files import FILES, read_lines
from tutor.data.phrasebook import join, list_length, load_phrasebook, tokenise
from tutor.embedding import Vocabulary

ROWS = [line.split("\t") for line in read_lines("phrasebook.tsv.gz")]
COLUMNS = {"en": 2, "fr": 3, "ko": 4}


@pytest.mark.long
@pytest.mark.skipif(
    babel.__version__ != "2.19.0", reason="frozen from Babel 2.19.0: another CLDR says other things"
)
def test_frozen_file_is_what_its_script_makes():
    made, frozen = rebuild(), (FILES / "phrasebook.tsv.gz").read_bytes()
    assert gzip.decompress(made) == gzip.decompress(frozen)  # zlib's versions pack differently


@pytest.mark.parametrize("language", COLUMNS)
def test_tokens_join_to_the_same_phrase(language):
    for row in ROWS:
        phrase = row[COLUMNS[language]]
        assert join(tokenise(phrase)) == phrase


def test_phrases_are_the_ones_known():
    by_english = {row[2]: row[3:] for row in ROWS}
    assert by_english["in 5 days"] == ["dans 5 jours", "5일 후"]
    assert by_english["Togo"] == ["Togo", "토고"]
    day = next(row for row in ROWS if row[1] == "date" and row[2].count(",") == 2)
    weekdays = {"lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"}
    assert day[3].split()[0] in weekdays
    assert day[4].endswith("요일")


def _combination(row: list[str]) -> tuple[str, ...]:
    """What a phrase is about, whatever its wording, read off its English."""
    words = row[2].replace(",", "").split()
    if row[1].startswith("list"):
        names = row[2].replace(", and ", ", ").replace(", or ", ", ")
        if row[1] == "list2":
            names = names.replace(" and ", ", ").replace(" or ", ", ")
        return (row[1], *sorted(names.split(", ")))
    if row[1] == "date":
        numbers = [word for word in words if word.isdigit() and int(word) < 32]
        months = [word for word in words if word in MONTHS]
        return ("date", *months, *numbers)
    if row[1] == "relative":
        return ("relative", *(word for word in words if word not in ("in", "ago")))
    return (row[1], *words)


MONTHS = {format_date(date(2024, month, 1), "MMMM", locale="en") for month in range(1, 13)}


def test_held_out_combinations_are_not_in_training():
    train = {_combination(row) for row in ROWS if row[0] == "train"}
    held_out = [_combination(row) for row in ROWS if row[0] != "train"]
    assert ("date", "May", "3") in train  # the test can fail: combinations are found as such
    assert not train & set(held_out)
    dev = {_combination(row) for row in ROWS if row[0] == "dev"}
    test = {_combination(row) for row in ROWS if row[0] == "test"}
    assert not dev & test


@pytest.mark.parametrize("language", ["fr", "ko"])
def test_every_word_held_out_was_learned(language):
    task = load_phrasebook(language)
    for pair in [*task.dev, *task.test, *task.long]:
        assert Vocabulary.unknown_id not in task.source_words.encode(pair.source)
        assert Vocabulary.unknown_id not in task.target_words.encode(pair.target)


def test_one_english_phrase_has_one_meaning():
    assert max(Counter(row[2] for row in ROWS).values()) == 1


def test_lists_of_eight_are_longer_than_any_learned():
    task = load_phrasebook("ko")
    assert {list_length(pair.kind) for pair in task.long} == {8}
    learned = {list_length(pair.kind) for pair in task.train} - {None}
    assert learned == {1, 2, 3, 4, 5, 6}


def test_unknown_language_is_named():
    with pytest.raises(ValueError, match="'de'"):
        load_phrasebook("de")
