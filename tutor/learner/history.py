"""Which cells ran: is an answer in the kernel still the one that stands in the notebook?"""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass
class Run:
    """One run of a cell.

    Attributes:
        source: the cell's text.
        cell: the cell's id, where the program that shows the notebook tells it.
        error: the name of the error that ended it, or "".
        judged: the prediction for which an answer given here was checked, or "".
    """

    source: str
    cell: str | None = None
    error: str = ""
    judged: str = ""

    def gives(self, name: str) -> bool:
        """Say whether the cell defines or assigns a name, as far as its text tells."""
        return (
            re.search(rf"^(async +)?(def +|class +)?{name}\b *[(=:]", self.source, re.M) is not None
        )


class History:
    """The runs of this kernel's cells, the one that runs now included.

    Example:
        >>> history = History()
        >>> history.began(Run("answer = 3")); history.began(Run("check(answer, name='predict_a')"))
        >>> history.stale_prediction("predict_a"), history.stale_prediction("predict_b")[:33]
        ('', 'This is the answer you gave to pr')
    """

    def __init__(self) -> None:
        self.runs: list[Run] = []

    def began(self, run: Run) -> None:
        """Keep that a cell begins to run."""
        self.runs.append(run)

    def ended(self, error: BaseException | None) -> None:
        """Keep how the latest cell ended."""
        if self.runs and error is not None:
            self.runs[-1].error = type(error).__name__

    def checked_name(self) -> str:
        """Give the name that the running cell checks, as it is typed there."""
        source = self.runs[-1].source if self.runs else ""
        found = re.search(r"\b(?:check|hint)\( *(\w+)", source)
        return found[1] if found else ""

    def stale_function(self, name: str, function: Any) -> str:
        """Say why a function is not what its cell now says, or "".

        It is so where the latest cell that defines it stopped before it came to that.
        """
        run = self._latest(lambda run: run.gives(name))
        if run is None or not run.error or _source(function) in run.source:
            return ""
        return (
            f"The cell of your answer stopped with an error ({run.error}), so {name} "
            "is still the one before. Mend that cell first."
        )

    def stale_prediction(self, exercise: str) -> str:
        """Say why the name `answer` holds no answer to this exercise, or "".

        All predictions share the name, so an answer that was checked belongs to that exercise.
        """
        run = self._latest(lambda run: run.gives("answer"))
        if run is None or self.checked_name() != "answer":
            return ""
        if run.error:
            return f"The cell of your answer stopped with an error ({run.error}). Mend it first."
        if run.judged not in ("", exercise):
            return f"This is the answer you gave to {run.judged}; the one to this has not run yet."
        run.judged = exercise
        return ""

    def renamed(self, name: str) -> str:
        """Say that the cell which defined a name has run again without it, or ""."""
        defined = self._latest(lambda run: run.gives(name))
        if defined is None or defined.cell is None:
            return ""
        now = self._latest(lambda run: run.cell == defined.cell)
        if now is None or now is defined or now.error:
            return ""
        return (
            f"The cell that defined {name} defines it no more; what was checked is the function "
            "from before. Was it renamed?"
        )

    def _latest(self, fits: Callable[[Run], bool]) -> Run | None:
        return next((run for run in reversed(self.runs) if fits(run)), None)


def follow(history: History, shell: Any) -> None:
    """Let an IPython shell tell the history of each cell that it runs."""
    running = shell.user_ns.get("In", [""])[-1]
    history.began(Run(running))  # the cell that runs now began before anyone listened

    def began(info: Any) -> None:
        history.began(Run(info.raw_cell, getattr(info, "cell_id", None)))

    def ended(result: Any) -> None:
        history.ended(result.error_before_exec or result.error_in_exec)

    shell.events.register("pre_run_cell", began)
    shell.events.register("post_run_cell", ended)


def _source(function: Any) -> str:
    try:
        return inspect.getsource(function).strip()
    except Exception:  # what is no function, or has no source, is taken as it is
        return ""
