"""Notebooks damaged by honest hands are graded for what they hold, or refused with a sentence."""

import contextlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.grading.accidents import ACCIDENTS, ALL, LEARNER, Accident
from tests.grading.classroom import RIGHT, WORTH, as_bytes, filled, insert, right_answers
from tests.grading.conftest import Grade, found, points
from tests.tiers import every_quick
from tutor.grading.overview import class_table
from tutor.grading.students import GradedStudent, Who

SAVED: dict[str, Callable[[Any], bytes]] = {  # how an editor or a transfer writes a file anew
    "as UTF-16": lambda notebook: json.dumps(notebook).encode("utf-16"),
    "with a mark and other line ends": lambda notebook: (
        json.dumps(notebook, indent=1).replace("\n", "\r\n").encode("utf-8-sig")
    ),
}


def _matrix() -> Iterator[Any]:
    """Try every accident, and saved in other ways a sample of them, or all: two hundred."""
    others = 1 if os.environ.get("TUTOR_ATTACKS") == "all" else 25
    for how in ("", *SAVED):
        for accident in ACCIDENTS[:: others if how else 1]:
            yield pytest.param(accident, how, id=f"{accident.name} {how}".strip().replace(" ", "-"))


@pytest.mark.parametrize(("accident", "how"), every_quick(_matrix(), 10))
def test_accident(accident: Accident, how: str, graded: Grade) -> None:
    content = accident.make()
    with contextlib.suppress(ValueError, RecursionError):  # what is no JSON stays as it is
        notebook = json.loads(content.decode())
        content = SAVED[how](notebook) if how else content
    result = graded(content)
    if accident.lost == ALL:
        assert accident.says in result.refused
        assert result.refused.endswith(".")
        return
    assert not result.refused
    assert result.learner == LEARNER
    lost = {name: worth for name, worth in WORTH.items() if points(result)[name] != worth}
    assert set(lost) == accident.lost, result
    told = [*result.notes, *(one.headline for one in result.exercises)]
    told += [note for one in result.exercises for note in one.notes]
    assert any(accident.says in sentence for sentence in told)


def test_versions_are_counted(graded: Grade) -> None:
    by_name = {accident.name: accident for accident in ACCIDENTS}
    result = graded(by_name["an old version above"].make())
    assert found(result, "project_by_hand").notes == [
        "The notebook holds 2 versions; the latest counts."
    ]
    assert not found(result, "additive_attention").notes
    copied = graded(by_name["a stub copied below the answer"].make())
    assert not found(copied, "additive_attention").notes  # a stub is no version


@pytest.mark.parametrize("magic", ["%%memit -r 1", "%%notify", "%%px --local", "%%prun"])
def test_answers_under_magics_that_run_them_count(graded: Grade, magic: str) -> None:
    answer = f"{magic}\n{RIGHT['additive_attention'].strip()}"
    result = graded(filled({**RIGHT, "additive_attention": answer}))
    assert points(result)["additive_attention"] == WORTH["additive_attention"]


@pytest.mark.parametrize("magic", ["%%skip", "%%writefile mine.py", "%%timeit", "%%bash"])
def test_an_answer_under_a_magic_that_does_not_run_it_says_so(graded: Grade, magic: str) -> None:
    answer = f"{magic}\n{RIGHT['additive_attention'].strip()}"
    answer = found(graded(filled({"additive_attention": answer})), "additive_attention")
    assert answer.details == [
        f"It stands under {magic.split()[0]}, which does not run it in the notebook: delete that "
        "line."
    ]


def test_sources_without_line_ends_are_read(graded: Grade) -> None:
    notebook = filled(right_answers("Ada Lovelace"))
    for one in notebook["cells"]:
        one["source"] = "".join(one["source"]).splitlines()
    assert points(graded(notebook)) == WORTH


@pytest.mark.parametrize("place", ["below", "above", "in a last cell of all answers"])
def test_the_given_code_of_a_mending_is_no_answer(graded: Grade, place: str) -> None:
    mended, given = filled({"mend_attention": RIGHT["mend_attention"]}), filled({})
    if place == "in a last cell of all answers":
        notebook = insert(given, RIGHT["mend_attention"], -1)
    else:
        both = (mended, given) if place == "below" else (given, mended)
        notebook = {**mended, "cells": [one for half in both for one in half["cells"]]}
    result = graded(notebook)
    assert points(result)["mend_attention"] == WORTH["mend_attention"]
    assert not found(result, "mend_attention").notes  # there is one version
    assert found(graded(given), "mend_attention").status == "open"


@pytest.mark.parametrize(
    ("name", "answer", "asks"),
    [
        ("additive_attention", "def my_additive(q, k): ...", "Is it my_additive?"),
        ("project_by_hand", "def hers(x, W): return x @ W", "Is it hers?"),  # by its cell
        ("predict_score", "score = 3.0", "Is it score? It must be called answer."),
    ],
)
def test_an_answer_under_another_name_is_asked_about(
    graded: Grade, name: str, answer: str, asks: str
) -> None:
    result = graded(filled({name: answer}))
    (said,) = found(result, name).details
    assert said.startswith(asks)
    for other in set(WORTH) - {name}:
        assert not any("Is it " in line for line in found(result, other).details)


def test_a_renamed_answer_in_a_cell_of_its_own_is_asked_about(graded: Grade) -> None:
    notebook = insert(filled({"additive_attention": "pass"}), "def my_additive(q, k): ...")
    assert "Is it my_additive?" in found(graded(notebook), "additive_attention").details[0]
    notebook = filled({"additive_attention": "pass"})
    assert found(graded(notebook), "additive_attention").details == []


def test_the_teacher_is_told_of_a_file_that_is_cut_off(graded: Grade) -> None:
    whole = as_bytes(filled(RIGHT))
    for content, is_told in ((whole, False), (whole[: len(whole) * 2 // 3], True)):
        result = graded(content)
        ada = GradedStudent(Who("ada", "ada"), [replace(result, counts=result.lessons)])
        (row,) = class_table([ada]).rows
        assert ("cut off" in " ".join(row.flags)) is is_told
