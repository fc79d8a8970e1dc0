"""The verdict on an answer, as plain data: what reports, feedback pages and exports show."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Status = Literal["right", "wrong", "open", "missing"]


@dataclass(frozen=True)
class Comparison:
    """The first place where a result differs from the expected one.

    Attributes:
        part: which result, such as "weights"; empty if there is only one.
        index: the first differing cell.
        expected: the row of numbers through that cell, at most eight of them.
        given: the same row of the answer.
        expected_map: the matrix through that cell, if it is small enough for a picture.
        given_map: the same matrix of the answer.
    """

    part: str
    index: tuple[int, ...]
    expected: Sequence[float]
    given: Sequence[float]
    expected_map: Sequence[Sequence[float]] = ()
    given_map: Sequence[Sequence[float]] = ()


@dataclass(frozen=True)
class CalledWith:
    """With which arguments an answer was called.

    Attributes:
        sentence: names them, with shapes or values.
        shows_values: whether there are values among them, which grading keeps to itself.
    """

    sentence: str
    shows_values: bool


@dataclass(frozen=True)
class Verdict:
    """What an answer is worth and what to tell its author.

    Attributes:
        exercise: its name.
        status: "right", "wrong", "open" (not written yet), or in a class "missing" (not there).
        points: awarded.
        max_points: what a right answer is worth.
        headline: one sentence.
        details: further sentences: the failing line, shapes at hand, the smallest breaking case.
        arguments: with which arguments the answer was called, where that helps.
        mistake: id of the known mistake whose results these are, or None.
        title: that mistake in words.
        hint: its hint.
        comparison: where the numbers part, if shapes and kinds agree.
        notes: what else is worth knowing and costs no points.
    """

    exercise: str
    status: Status
    points: float
    max_points: int
    headline: str
    details: tuple[str, ...] = ()
    arguments: CalledWith | None = None
    mistake: str | None = None
    title: str = ""
    hint: str = ""
    comparison: Comparison | None = None
    notes: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the answer is right."""
        return self.status == "right"
