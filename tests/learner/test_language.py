"""One language is chosen, once; its catalogues are read; what is not in them is English."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tutor.learner.language import (
    CATALOGUES,
    ENGLISH,
    VARIABLE,
    Catalogue,
    catalogue,
    chosen_language,
    known_language,
    languages,
    read_catalogue,
)
from tutor.learner.progress_file import MARKER

PO = """
msgid ""
msgstr "Language: ko\\n"

#. sentence
#: tutor/say.py
msgid "A long "
"line."
msgstr ""
"긴 "
"줄."

msgid "empty"
msgstr ""

#, fuzzy
msgid "old"
msgstr "옛것"

msgctxt "verdict"
msgid "right"
msgstr "맞음"

msgid "{count} row"
msgid_plural "{count} rows"
msgstr[0] "행 {count}개"
"""


@pytest.fixture(autouse=True)
def _unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)


def test_a_catalogue_is_read_without_what_is_empty_or_fuzzy():
    assert read_catalogue(PO) == {
        ("", "A long line."): "긴 줄.",
        ("verdict", "right"): "맞음",
        ("", "{count} row"): "행 {count}개",
    }


def test_a_context_goes_before_none_and_english_comes_last():
    words = Catalogue(read_catalogue(PO) | {("", "both"): "둘"})
    assert words.pgettext("verdict", "right") == "맞음"
    assert words.gettext("right") == words.pgettext("direction", "right") == "right"
    assert words.pgettext("verdict", "both") == "둘"
    assert words.ngettext("{count} row", "{count} rows", 3) == "행 {count}개"
    assert words.ngettext("{count} part", "{count} parts", 3) == "{count} parts"
    assert (words.found("both"), words.found("old")) == ("둘", None)


def test_every_catalogue_of_the_course_can_be_read():
    assert languages()[0] == ENGLISH
    for language in languages():
        assert catalogue(language).gettext("nothing like it") == "nothing like it"


def test_a_language_without_a_folder_is_refused():
    assert known_language(ENGLISH) == ENGLISH
    with pytest.raises(ValueError, match=r"has no language 'xx'; it has: en"):
        known_language("xx")


def test_the_variable_goes_before_the_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    inside = tmp_path / "notebooks"
    inside.mkdir()
    assert chosen_language(inside) == ENGLISH
    (tmp_path / MARKER).write_text(json.dumps({"language": "ko"}))
    assert chosen_language(inside) == "ko"
    monkeypatch.setenv(VARIABLE, ENGLISH)
    assert chosen_language(inside) == ENGLISH


@pytest.mark.parametrize("marker", ["", "[]", '{"language": 3}', '{"language": "xx"}'])
def test_a_marker_that_names_no_language_means_english(tmp_path: Path, marker: str):
    (tmp_path / MARKER).write_text(marker)
    assert chosen_language(tmp_path) == ENGLISH


def test_the_first_sentence_asks_for_the_language(tmp_path: Path):
    (tmp_path / MARKER).write_text(json.dumps({"language": "ko"}))
    program = (
        "import tutor.learner.language as language\n"
        "language.catalogue = lambda name: language.Catalogue({('', 'One.'): name})\n"
        "from tutor.say import say\nprint(say('One.'), say('Two.'))"
    )
    run = [sys.executable, "-c", program]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == "ko Two.\n", done.stderr


def test_catalogues_stand_where_the_wheel_takes_data_from():
    assert CATALOGUES.parent.name == "data"
