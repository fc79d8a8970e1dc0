"""Whatever a report says can be translated: hints, titles, and every sentence of the checker."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.learner.pseudo import known, left_over, spoken
from tests.tiers import first_quick
from tutor.checking.examine import FunctionAnswer, examine
from tutor.checking.exercise import Exercise
from tutor.display import reports
from tutor.exercises import lessons

EXERCISES = {exercise.name: exercise for ones in lessons().values() for exercise in ones}

# What Python or torch says of an error is theirs, and so are a tensor's values.
THEIRS = re.compile(r"\w*(Error|Exception)\b")
VALUES = re.compile(r"\b(True|False|None|inf|nan)\b")


def test_hints_titles_and_properties_reach_a_translator():
    said = {
        (context, text)
        for exercise in EXERCISES.values()
        for context, texts in (
            ("", exercise.hints),
            ("", [rule.name for rule in exercise.properties]),
            ("", [mistake.hint for mistake in exercise.mistakes]),
            ("mistake", [mistake.title for mistake in exercise.mistakes]),
        )
        for text in texts
    }
    assert said - known() == set()


def stops(*_arguments: Any) -> None:
    raise ValueError("shapes do not fit")


def gives_text(*_arguments: Any) -> str:
    return "hello"


def is_open(*_arguments: Any) -> None:
    raise NotImplementedError


def answers_to(exercise: Exercise) -> Iterator[Callable[..., Any]]:
    yield from (stops, gives_text, is_open, lambda *_arguments: None, exercise.reference)
    yield from (mistake.function for mistake in exercise.mistakes)


def english_of(exercise: Exercise, answers: Iterator[Callable[..., Any]]) -> list[str]:
    """List the lines of reports, and of its question, that stay English in every language."""
    with spoken():
        lines = [
            line
            for answer in answers
            for line in reports.text(examine(exercise, FunctionAnswer(answer), 0)).splitlines()
        ]
        if exercise.question is not None:
            arguments = next(iter(exercise.cases(0).values()))
            lines += exercise.question(**arguments).splitlines()
    return [line for line in dict.fromkeys(lines) if _stays_english(line)]


def _stays_english(line: str) -> bool:
    return bool(left_over(VALUES.sub("", line))) and not THEIRS.match(line.strip())


@pytest.mark.parametrize("name", first_quick([*EXERCISES], 3))
def test_reports_of_all_mistakes_can_be_translated(name: str):
    assert english_of(EXERCISES[name], answers_to(EXERCISES[name])) == []
