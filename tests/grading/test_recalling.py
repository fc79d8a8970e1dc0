"""An answer that returns what an earlier one returned gets its verdict, and no other one does."""

from collections.abc import Iterator

import pytest

from tests.grading.classroom import RIGHT, WRONG, answer_cell, cell, filled
from tests.grading.conftest import Grade, found
from tutor.grading import recalling
from tutor.grading.results import Graded

NAME = "project_by_hand"


@pytest.fixture
def examinations(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Names of exercises whose answers were examined, not recalled; nothing is known at first."""
    made, examined = [], recalling.examined
    recalling._next.clear()

    def counted(exercise, answer, seed):
        made.append(exercise.name)
        return examined(exercise, answer, seed)

    monkeypatch.setattr(recalling, "examined", counted)
    yield made
    recalling._next.clear()


def judged(result: Graded) -> dict[str, object]:
    return {**vars(result), "answer": "", "cell": 0}


def of(graded: Grade, answer: str, before: str = "") -> dict[str, object]:
    notebook = {"cells": [cell(before or "pass"), answer_cell(NAME, answer)]}
    return judged(found(graded(notebook), NAME))


def with_end(*lines: str) -> str:
    return RIGHT[NAME].replace("return x @ W", "\n    ".join(lines))


ANSWERS = {
    "right": RIGHT[NAME],
    "a known mistake": WRONG[NAME][0],
    "other numbers": with_end("return (x @ W).abs()"),
    "an error": with_end("return x @ W[0] @ x"),
    "keeps state": "calls = []" + with_end("calls.append(1)", "return x @ W * len(calls)"),
    "changes its argument": with_end("y = x @ W", "x += 1", "return y"),
    "cut off": with_end("return (x @ W).detach()"),
    "prints": with_end("print('here')", "return x @ W"),
    "returns nothing": with_end("x @ W"),
}


def test_verdicts_are_the_same_examined_and_recalled(
    graded: Grade, examinations: list[str]
) -> None:
    first = {what: of(graded, answer) for what, answer in ANSWERS.items()}
    assert len(examinations) == len(ANSWERS)
    assert len({str(verdict) for verdict in first.values()}) == len(ANSWERS)
    for what, answer in ANSWERS.items():
        assert of(graded, f"{answer}\n# mine") == first[what], what
    assert len(examinations) == len(ANSWERS)  # not one more


def test_same_text_that_returns_something_else_is_examined(
    graded: Grade, examinations: list[str]
) -> None:
    answer = with_end("return x @ W * scale")
    assert of(graded, answer, "scale = 1")["status"] == "right"
    assert of(graded, answer, "scale = 2")["status"] == "wrong"
    assert of(graded, answer, "scale = 1 + 1e-3")["status"] == "wrong"
    assert of(graded, answer, "scale = 1")["status"] == "right"
    assert len(examinations) == 3


def test_what_is_known_does_not_grow_for_ever(
    graded: Grade, examinations: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recalling, "MOST_KEPT", 2)
    for _ in range(2):
        graded(filled(RIGHT))
    assert len(recalling._next) == 2
