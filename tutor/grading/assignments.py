"""What a platform calls the lessons: a small table of the teacher's, written once."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from tutor.checking.seeds import same_name
from tutor.exercises import lesson_called
from tutor.grading.collecting.tables import read_table
from tutor.say import say

COLUMNS = ("lesson", "assignment")


class AssignmentsError(ValueError):
    """A table that cannot be used; the message has a sentence for each line."""


def read_assignments(path: Path, known: Sequence[str] = ()) -> dict[str, str]:
    """Read which lesson is which assignment; the columns are ``lesson`` and ``assignment``.

    Args:
        path: the table.
        known: the assignments of the list of the class, if it has any.

    Returns:
        Lesson -> the assignment's name, as ``04_self_attention`` -> ``Homework 4 (77)``.

    Raises:
        AssignmentsError: a line speaks of no lesson or of no assignment that is known, or two
            lines of one.
        UnreadableError: the file cannot be read.
    """
    head, *rows = read_table(path) or [[]]
    columns = [same_name(cell) for cell in head]
    if not set(COLUMNS) <= set(columns):
        raise AssignmentsError(
            say("{path} must begin with a line {columns}.", path=path, columns=",".join(COLUMNS))
        )
    found: dict[str, str] = {}
    wrong: list[str] = []
    for number, row in enumerate(rows, start=2):
        cells = dict(zip(columns, row))
        if any(row):
            written, assignment = (cells.get(name, "").removeprefix("'") for name in COLUMNS)
            lesson = lesson_called(written)
            wrong += _wrong(number, written, lesson, assignment, found, known)
            found[lesson] = assignment
    if wrong:
        raise AssignmentsError("\n".join(wrong))
    return found


def _wrong(
    number: int,
    written: str,
    lesson: str,
    assignment: str,
    found: dict[str, str],
    known: Sequence[str],
) -> Iterator[str]:
    gaps = {"line": number, "lesson": written, "assignment": assignment or "-"}
    if not lesson:
        yield say("Line {line}: there is no lesson {lesson} with exercises.", **gaps)
    elif lesson in found or assignment in found.values():
        yield say("Line {line}: a lesson is one assignment; {lesson}, {assignment}.", **gaps)
    elif not assignment or (known and assignment not in known):
        sentence = "Line {line}: the list of the class has no assignment {assignment}, only: {all}."
        yield say(sentence, **gaps, all=", ".join(known))
