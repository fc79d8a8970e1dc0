"""Texts in, ids out, and back."""

import pytest

from tutor.data.cmudict import load_cmudict
from tutor.data.pairs import Pair, make_task
from tutor.data.phrasebook import load_phrasebook, tokenise


def test_texts_are_read_as_training_read_them():
    task = load_phrasebook("ko")
    pair = task.test[0]
    english = next(p for p in task.test if p.kind == "date")
    ids = task.read("May 3, 2024", "Togo")
    assert ids[0].tolist() == [*task.source_words.encode(tokenise("May 3, 2024")), 3]
    assert ids[1].tolist()[1:] == [3, 0, 0, 0]
    example = task.encode([english])[0]
    assert example.source[-1] == 3
    assert (example.target[0], example.target[-1]) == (2, 3)
    assert task.tokens(task.encode([pair])[0].target) == pair.target


def test_targets_are_written_as_text():
    korean = load_phrasebook("ko")
    ids = korean.target_words.encode(tokenise("2024년 5월 3일"))
    assert korean.write([2, *ids, 3, 5, 5]) == "2024년 5월 3일"
    spoken = load_cmudict()
    assert spoken.write(spoken.target_words.encode(["K", "AE", "T"])) == "K AE T"
    assert spoken.read("cat").tolist() == [[*spoken.source_words.encode("cat"), 3]]


def test_vocabularies_are_those_of_training_alone():
    seen, unseen = Pair("word", ("a",), ("x",)), Pair("word", ("b",), ("y",))
    splits = {"train": [seen], "dev": [], "test": [unseen]}
    task = make_task("small", splits, str.split, " ".join)
    assert "b" not in task.source_words
    assert task.encode(task.test)[0].source == [task.source_words.unknown_id, 3]
    with pytest.raises(KeyError):
        make_task("none", {"train": [seen]}, str.split, " ".join)
