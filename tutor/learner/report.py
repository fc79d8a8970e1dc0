"""What `check` gives back: a verdict that shows itself, and a function to go on with."""

from dataclasses import dataclass
from typing import Any

from tutor.checking.verdict import Verdict
from tutor.display import reports
from tutor.learner import screen


class Points(float):
    """Points: a number like any other, except that a notebook shows the report in its place.

    As text it is the number, from which nbgrader takes the points.

    Example:
        >>> Points(1.5) + 1, Points(2)
        (2.5, 2)
    """

    report: "Report | None" = None

    def __repr__(self) -> str:
        return f"{float(self):g}"

    def _repr_html_(self) -> str | None:
        return self.report._repr_html_() if self.report else None

    def _ipython_display_(self) -> None:
        """Add nothing below a report that its cell has shown already."""
        if self.report is None or self.report.shown_in != screen.running_cell():
            raise NotImplementedError  # by which IPython shows it in the usual way


@dataclass
class Report:
    """What ``check`` gives back.

    Attributes:
        verdict: the judgement as plain data.
        function: the learner's function when it is right, else the reference, so that whatever
            follows in the notebook always runs; a prediction has none, and its "function" says so.
        shown_in: the number of the cell below which it was shown last, if there are cells.
    """

    verdict: Verdict
    function: Any
    shown_in: int | None = None

    @property
    def passed(self) -> bool:
        """Whether the answer is right."""
        return self.verdict.passed

    @property
    def mistake(self) -> str | None:
        """The id of the known mistake that was recognised, if any."""
        return self.verdict.mistake

    @property
    def points(self) -> float:
        """The points awarded."""
        points = Points(self.verdict.points)
        points.report = self
        return points

    @property
    def max_points(self) -> int:
        """The points of a right answer."""
        return self.verdict.max_points

    def show(self) -> None:
        """Show the report below the cell, once."""
        screen.show_result(self.points, str(self), self._repr_html_())
        self.shown_in = screen.running_cell()

    def __str__(self) -> str:
        return reports.text(self.verdict)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return reports.html(self.verdict)
