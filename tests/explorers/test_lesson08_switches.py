"""The switches of lesson 8 show what the shipped models write with attentions cut."""

from itertools import product

import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from tutor.claims.runs import load_sweep
from tutor.display.diagram import Diagram
from tutor.display.palette import HIGHLIGHT
from tutor.explorers import lesson08_full_transformer as lesson
from tutor.explorers.lesson08_full_transformer.switches_on_phrases import tiles, words_of
from tutor.explorers.lesson08_full_transformer.three_switches import Tiles


def test_without_the_encoders_self_attention_two_letters_are_two_sounds():
    explorer = lesson.switches_on_letters()
    words = ("shut", "arthur", "roof")
    said = {word: explorer.frame(word=word, encoder=False).caption for word in words}
    cut = {word: explorer.frame(word=word, encoder=True).caption for word in words}
    none = explorer.frame(word="7!", encoder=True).caption
    explorer.close()
    assert said["shut"].startswith("shut: SH AH T;")
    assert cut["shut"].startswith("shut: S UW T;")
    assert cut["arthur"].startswith("arthur: AA R T UH R;")  # t and h, no more th
    assert cut["roof"].startswith("roof: R UW F;")
    assert none == "Type a word of the letters a to z."


def test_the_bars_are_those_of_the_stored_sweep():
    explorer = lesson.switches_on_letters()
    explorer.frame(encoder=True)
    texts = [text.get_text() for ax in explorer._canvas.figure.axes for text in ax.texts]
    explorer.close()
    stored = load_sweep("three_switches").runs.at(training=0, kind="sh", cut="encoder")
    assert stored.numbers("asked") == [59]
    assert stored.numbers("share") == [pytest.approx(2 / 59, abs=1e-4)]
    assert "2 of 59" in texts


def test_without_looking_back_a_list_loses_its_place():
    explorer = lesson.switches_on_phrases()
    whole = explorer.frame(look_back=False).caption
    assert whole.startswith("독일, 프랑스 및 일본 (Germany, France and Japan)")
    assert "독일, 및 및 (Germany, and and)" in explorer.frame(look_back=True).caption
    assert "3일 전 (3 day ago)" in explorer.frame(phrase="3 days ago", look_back=True).caption
    cut = {"look_back": False, "cross": True}
    same = {explorer.frame(phrase=p, **cut).caption for p in ("17 euros", "in 3 days")}
    explorer.close()
    assert len(same) == 1  # without the source every phrase becomes one


def test_every_korean_word_on_a_tile_has_its_meaning():
    explorer = lesson.switches_on_phrases()
    phrases = [value for _, value in explorer.controls["phrase"]._options_full]
    for phrase in phrases:
        for encoder, look_back, cross in product((False, True), repeat=3):
            cuts = {"encoder": encoder, "look_back": look_back, "cross": cross}
            meant = explorer.frame(phrase=phrase, **cuts).caption.split("(")[1]
            assert meant.isascii(), meant
    explorer.close()
    assert tiles(words_of(["2024", "##년", "5", "##월"])) == ["2024년\n2024 year", "5월\n5 month"]


def test_a_tile_is_coloured_if_it_differs_from_the_one_above_it():
    row = Tiles(Diagram(Figure()), "now", 1.0, 4, 1.0)
    row.show(["Germany,", "and", "and"], ["Germany,", "France", "and", "Japan"])
    edges = [to_hex(box.patch.get_edgecolor()) for box in row._boxes[:3]]
    assert [edge == to_hex(HIGHLIGHT) for edge in edges] == [False, True, False]
