"""What exercise notebooks import: check an answer, open a hint, see the progress."""

import dataclasses
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tutor.checking.calls import Answer, FunctionAnswer, ValueAnswer, undisturbed
from tutor.checking.examine import examine, key
from tutor.checking.exercise import Exercise
from tutor.checking.seeds import SELF_STUDY, seed_of
from tutor.checking.verdict import Verdict
from tutor.display import reports
from tutor.exercises import UnclearError, find, lessons
from tutor.learner import record
from tutor.learner.history import History, history_of
from tutor.learner.patience import patience

CHECK_SEED = 0  # the cases of the notebook's own check; grading draws others


@dataclass(frozen=True)
class Report:
    """What ``check`` gives back.

    Attributes:
        verdict: the judgement as plain data.
        function: the learner's function when it is right, else the reference, so that whatever
            follows in the notebook always runs; a prediction has none, and its "function" says so.
    """

    verdict: Verdict
    function: Any

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
        return self.verdict.points

    @property
    def max_points(self) -> int:
        """The points of a right answer."""
        return self.verdict.max_points

    def show(self) -> None:
        """Show the report below the cell."""
        _display(str(self), self._repr_html_())

    def __str__(self) -> str:
        return reports.text(self.verdict)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return reports.html(self.verdict)


def check(answer: Any, name: str | None = None) -> Report:
    """Check an answer and say what is right or which mistake was made.

    Args:
        answer: a function, or for predictions a value; ``...`` means not answered yet.
        name: the exercise; the function's own name if not given.

    Raises:
        UnclearError: no exercise has this name.

    Example:
        >>> def project_by_hand(x, W): return x @ W.T
        >>> check(project_by_hand).mistake
        'project-matrix-transposed'
    """
    exercise = find(_name_of(answer, name))
    _last["checked"] = exercise.name
    if stale := _stale(exercise, answer):
        verdict = Verdict(exercise.name, "open", 0, exercise.points, stale)
    else:
        verdict = _judge(exercise, answer)
    record.save(exercise.name, verdict.points)
    own = verdict.passed and exercise.kind != "predict"
    return Report(verdict, answer if own else _stand_in(exercise))


def hint(answer: Any = ...) -> None:
    """Open one more hint for an exercise, given as its function or its name.

    Raises:
        UnclearError: no exercise has this name.

    Example:
        >>> hint("project_by_hand")
        Hint 1 of 3: Take the lesson's example: q = [1, 0, 1] and W = [[1, 0], [0, 1], [1, 1]]...
    """
    exercise = find(answer if isinstance(answer, str) else _name_of(answer, None, "hint"))
    opened = min(_hints_opened.get(exercise.name, 0) + 1, len(exercise.hints))
    _hints_opened[exercise.name] = opened
    for number, sentence in enumerate(exercise.hints[:opened], start=1):
        print(f"Hint {number} of {len(exercise.hints)}: {sentence}")
    if opened == len(exercise.hints):
        print("There are no more hints; a worked answer stands in the solutions folder.")


def question(name: str) -> None:
    """Show a prediction's question with this learner's own numbers.

    Example:
        >>> question("predict_score")
        A query is [...] and a key [...]. What number does softmax see for this pair in ...
    """
    exercise = find(name)
    if exercise.question is None:
        raise ValueError(f"{name} is no prediction; its text stands in the notebook.")
    for line in exercise.question(**_prediction_case(exercise)).splitlines():
        print(textwrap.fill(line, width=88))


def set_learner(name: str, class_seed: str = "") -> None:
    """Say who works here, so that predictions ask for this learner's own numbers.

    Args:
        name: any name, in capitals or not; "self-study" for oneself.
        class_seed: set by a teacher, the same for one class.
    """
    before = dict(_learner)
    _learner["name"], _learner["class_seed"] = name.strip() or SELF_STUDY, class_seed
    if _learner != before or not name.strip():  # silent where nothing needs to be said
        print(f"Predictions now have the numbers of {_learner['name']!r}.")


def progress() -> "Progress":
    """Show which exercises are done, lesson by lesson."""
    return Progress(record.load())


@dataclass(frozen=True)
class Progress:
    """The map of lessons and exercises with the best points of each."""

    best: dict[str, float]

    def __str__(self) -> str:
        return "\n".join(self._lines())

    __repr__ = __str__

    def _lines(self) -> list[str]:
        lines = []
        for lesson, exercises in lessons().items():
            reached = sum(self.best.get(exercise.name, 0.0) for exercise in exercises)
            possible = sum(exercise.points for exercise in exercises)
            lines.append(f"{lesson}: {reached:g} of {possible} points")
            lines += [f"  {self._mark(exercise)} {exercise.name}" for exercise in exercises]
        return lines

    def _mark(self, exercise: Exercise) -> str:
        best = self.best.get(exercise.name, 0.0)
        return "●" if best >= exercise.points else "◐" if best else "○"


_hints_opened: dict[str, int] = {}  # lives as long as the kernel
_learner = {"name": SELF_STUDY, "class_seed": ""}
_last = {"checked": ""}


def _listen() -> History:
    """Learn from IPython, where there is one, which cells run."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return History() if shell is None else history_of(shell)


_history = _listen()


def _name_of(answer: Any, name: str | None, call: str = "check") -> str:
    """Find the exercise's name: as given, else the function's own, else as typed in the cell."""
    known = {exercise.name for exercises in lessons().values() for exercise in exercises}
    try:
        own = getattr(answer, "__name__", None)
    except Exception:  # an object of the learner's can answer any question with an error
        own = None
    typed = _history.checked_name(answer)
    found = name or (typed if own not in known and typed in known else own)
    if not isinstance(found, str):
        raise UnclearError(_which(call))
    return found


def _which(call: str) -> str:
    """Ask which exercise is meant, and list those of the lesson that was checked last."""
    if call == "check":
        ask = 'Which exercise is this? Give its name: check(answer, name="…").'
    else:
        ask = 'Which exercise? Give its function, or its name in quotes: hint("…").'
    for exercises in lessons().values():
        names = [exercise.name for exercise in exercises]
        if _last["checked"] in names:
            return f"{ask} This lesson has {', '.join(names)}."
    return ask


def _judge(exercise: Exercise, answer: Any) -> Verdict:
    with undisturbed() as disturbed, patience():
        verdict = examine(exercise, _as_answer(exercise, answer), _seed(exercise))
        if disturbed() and verdict.status != "open":
            verdict = _with_note(verdict, "It drew from the global random generator; restored.")
    if exercise.kind != "predict" and (renamed := _history.renamed(exercise.name)):
        verdict = _with_note(verdict, renamed)
    return verdict


def _stale(exercise: Exercise, answer: Any) -> str:
    if exercise.kind == "predict":
        return _history.stale_prediction(exercise.name, answer)
    return _history.stale_function(exercise.name, answer)


def _as_answer(exercise: Exercise, answer: Any) -> Answer:
    return ValueAnswer(answer) if exercise.kind == "predict" else FunctionAnswer(answer)


def _seed(exercise: Exercise) -> int:
    if exercise.kind == "predict":
        return seed_of(_learner["class_seed"], _learner["name"], exercise.name)
    return CHECK_SEED


def _prediction_case(exercise: Exercise) -> dict[str, Any]:
    (case,) = key(exercise, _seed(exercise)).cases.values()
    return dict(case)


def _stand_in(exercise: Exercise) -> Callable[..., Any]:
    """Give what follows in the notebook something to go on with."""
    if exercise.kind != "predict":
        return exercise.reference

    def nothing_to_call(*_: Any, **__: Any) -> None:
        raise UnclearError(
            f"The check run last was of {exercise.name}, a prediction without a function. Run the "
            "check of this part again."
        )

    return nothing_to_call


def _with_note(verdict: Verdict, note: str) -> Verdict:
    return dataclasses.replace(verdict, notes=(*verdict.notes, note))


def _display(plain: str, rich: str) -> None:
    """Show HTML where a notebook can, and text elsewhere."""
    from IPython.core.getipython import get_ipython
    from IPython.display import display

    if get_ipython() is None:
        print(plain)
    else:
        display({"text/plain": plain, "text/html": rich}, raw=True)
