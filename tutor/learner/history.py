"""Which cells ran: is an answer in the kernel still the one that stands in the notebook?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from tutor.checking.definitions import defined, passed_first
from tutor.display.inline import ipython
from tutor.say import say

PREDICTION = "answer"  # the name that all predictions share


@dataclass
class Run:
    """One run of a cell.

    Attributes:
        source: the cell's text.
        cell: the cell's id, where the program that shows the notebook tells it.
        error: the name of the error that ended it, or "".
        given: the names that it gave a value.
        failed: the names that it should have given one, had it not ended before.
        judged: the prediction for which an answer given here was checked, or "".
    """

    source: str
    cell: str | None = None
    error: str = ""
    given: frozenset[str] = frozenset()
    failed: frozenset[str] = frozenset()
    judged: str = ""

    def __post_init__(self) -> None:
        self.given |= set(defined(self.source))


class History:
    """The runs of this kernel's cells, the one that runs now included.

    Args:
        names: the notebook's variables.
        before: the cells that had run before anyone listened.

    Example:
        >>> history = History({"answer": 3})
        >>> history.began(Run("answer = 3")); history.ended(None)
        >>> history.began(Run("check(answer, name='predict_a')"))
        >>> history.stale_prediction("predict_a", 3), history.stale_prediction("predict_b", 3)[:33]
        ('', 'This is the answer you gave to pr')
    """

    def __init__(self, names: Mapping[str, Any] | None = None, before: Sequence[str] = ()) -> None:
        self.names: Mapping[str, Any] = {} if names is None else names
        self.before = [Run(source) for source in before]
        self.runs: list[Run] = []
        self._running: list[Run] = []  # a cell can run another, as %%capture does
        self._seen = _answers(self.names)

    def began(self, run: Run) -> None:
        """Keep that a cell begins to run."""
        if unseen := self._changed():  # by a slider, for instance
            self.runs.append(Run("", given=unseen))
        for outer in self._running:
            outer.given = frozenset()  # the code that it hands on is this run's
        self.runs.append(run)
        self._running.append(run)

    def ended(self, error: BaseException | None, line: int = 0) -> None:
        """Keep how the latest cell ended, and at which of its lines if with an error."""
        if not self._running:
            return
        run, changed = self._running.pop(), self._changed()
        if error is not None:
            run.error = type(error).__name__
            run.given, should = frozenset(defined(run.source, until=line)), run.given
            run.failed = should - run.given - changed
        run.given |= changed

    def checked_name(self, answer: Any = ...) -> str:
        """Give the name that the running cell checks, as it is typed there, or ""."""
        typed = passed_first(self.runs[-1].source) if self.runs else ()
        return next((name for name in typed if self.names.get(name, answer) is answer), "")

    def stale_function(self, name: str, function: Any) -> str:
        """Say why a function is not what its cell now says, or "".

        It is so where the latest cell that defines it stopped before it came to that.
        """
        typed = self.checked_name(function)
        name = typed or name if typed or self.names.get(name) is function else ""
        run = self._latest(lambda run: name in run.given | run.failed)
        if run is None or name in run.given:
            return ""
        return say(
            "The cell of your answer stopped with an error ({error}), so {name} is still the one "
            "before. Mend that cell first.",
            error=run.error,
            name=name,
        )

    def stale_prediction(self, exercise: str, answer: Any) -> str:
        """Say why a name holds no answer to this exercise, or "".

        All predictions share a name, so an answer that was checked belongs to that exercise.
        """
        name = self.checked_name(answer)
        run = self._latest(lambda run: name in run.given | run.failed)
        if run is None:
            return ""
        if name in run.failed:
            return say(
                "The cell of your answer stopped with an error ({error}). Mend it first.",
                error=run.error,
            )
        if run.judged not in ("", exercise):
            return say(
                "This is the answer you gave to {other}; the one to this has not run yet.",
                other=run.judged,
            )
        run.judged = exercise
        return ""

    def renamed(self, name: str) -> str:
        """Say that the cell which defined a name has run again without it, or ""."""
        gave = self._latest(lambda run: name in run.given)
        if gave is None or gave.cell is None:
            return ""
        now = self._latest(lambda run: run.cell == gave.cell)
        if now is None or now is gave or now.error:
            return ""
        return say(
            "The cell that defined {name} no longer defines it; what was checked is the function "
            "from before. Was it renamed?",
            name=name,
        )

    def _latest(self, fits: Callable[[Run], bool]) -> Run | None:
        return next((run for run in reversed(self.runs) if fits(run)), None)

    def _changed(self) -> frozenset[str]:
        """Name the answers that have another value than when this was asked last."""
        before, self._seen = self._seen, _answers(self.names)
        return frozenset(
            name
            for name, (value, state) in self._seen.items()
            if name not in before or before[name][0] is not value or before[name][1] != state
        )


def history_of(shell: Any) -> History:
    """Keep the history of an IPython shell from now on: it tells of each cell that it runs."""
    *before, running = shell.user_ns.get("In", [""])
    history = History(shell.user_ns, before)
    history.began(Run(running))  # the cell that runs now began before anyone listened

    def began(info: Any) -> None:
        history.began(Run(info.raw_cell, getattr(info, "cell_id", None)))

    def ended(result: Any) -> None:
        error = result.error_in_exec if result else KeyboardInterrupt()
        unread = result.error_before_exec if result else None
        history.ended(unread or error, 0 if unread else _line(error, shell.user_ns))

    shell.events.register("pre_run_cell", began)
    shell.events.register("post_run_cell", ended)
    return history


def _line(error: BaseException | None, names: Mapping[str, Any]) -> int:
    """Give the line of the cell at which it stopped; 0 if it did not even begin."""
    trace = error.__traceback__ if error is not None else None
    while trace is not None:
        if trace.tb_frame.f_globals is names and trace.tb_frame.f_code.co_name == "<module>":
            return trace.tb_lineno
        trace = trace.tb_next
    return 0


def _answers(names: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Keep what may be an answer: all functions, and what predictions are called by."""
    return {
        name: (value, _state(value))
        for name, value in [*names.items()]
        if type(value) is FunctionType or name == PREDICTION
    }


def _state(value: Any, depth: int = 3) -> Any:
    """Give what differs once a list was changed in place."""
    if type(value) in (list, tuple) and depth:
        return [_state(part, depth - 1) for part in value]
    return id(value)


def _listen() -> History:
    """Learn from IPython, where there is one, which cells run."""
    shell = ipython()
    return History() if shell is None else history_of(shell)


current = _listen()  # this kernel's, from the cell on that first needs it
