"""Examining an answer: run it on every case, recognise known mistakes, choose what to say.

Feedback has layers, and the first that finds something writes the headline: it did not
run or has the wrong form; a property is broken; the numbers differ. Where the statement asks for
a way of working, right numbers that came about in another way are no answer either.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from torch import Tensor

from tutor.checking.broken_properties import broken_property, kept_state
from tutor.checking.calls import Answer, FunctionAnswer, Outcome
from tutor.checking.differences import differing_numbers
from tutor.checking.exercise import Arguments, Exercise, Mistake
from tutor.checking.failure_sentences import told
from tutor.checking.failures import Failure
from tutor.checking.finding import Finding
from tutor.checking.forms import wrong_form
from tutor.checking.matching import Made, as_given, recognise
from tutor.checking.nan import nan_details, nan_found, without_nan
from tutor.checking.notes import notes_of, notes_of_right
from tutor.checking.observations import observed
from tutor.checking.partial import right_part
from tutor.checking.trial import Key, Trial
from tutor.checking.values import Canonical, canonical, dtype_kind, list_paths
from tutor.checking.variants import drawn_again, excuse_note, excused, variants
from tutor.checking.verdict import Status, Verdict
from tutor.checking.work import undone_work
from tutor.say import say


def examine(exercise: Exercise, answer: Answer, seed: int = 0) -> Verdict:
    """Check an answer on the cases drawn from a seed and say what is right or wrong with it.

    Example:
        >>> double = Exercise("double", 1, lambda x: 2 * x, lambda seed: {"three": {"x": 3}})
        >>> examine(double, FunctionAnswer(lambda x: x + x)).status
        'right'
    """
    trial = _try(exercise, answer, seed)
    first = trial.first
    if first.failure and first.failure.kind == "open":
        return _verdict(trial, "open", Finding(told(first.failure)))
    finding, shown = _finding(trial)
    if finding is None:
        trial = replace(trial, notes=(*trial.notes, *notes_of_right(trial)))
        return _verdict(trial, "right", Finding(say("Right.")))
    mistaken = partial(mistake_outcome, exercise, seed)
    mistake = recognise(trial, mistaken) or recognise(shown, mistaken)
    if mistake and mistake.id == exercise.given and as_given(trial, mistaken):
        return _verdict(trial, "open", Finding(say("This is still the code as it was given.")))
    if mistake is None and finding.comparison:
        finding = replace(finding, details=(*finding.details, *observed(shown)))
    if not kept_state(trial) and (part := right_part(trial)):
        note = say("One result is right in all cases and earns half the points: {part}.", part=part)
        finding, trial = replace(finding, half=True), replace(trial, notes=(*trial.notes, note))
    return _verdict(trial, "wrong", finding, mistake)


def _finding(trial: Trial) -> tuple[Finding | None, Trial]:
    """Let the layers look; give what the first has to say and the cases of which it is true.

    NaN in some cases hides nothing in the others: what is wrong there is told, and NaN beside it.
    """
    before = kept_state(trial) or wrong_form(trial)
    if before:
        return before, trial
    rest = without_nan(trial)
    found = rest and (broken_property(rest) or differing_numbers(rest))
    if rest and found:
        return replace(found, details=(*found.details, *nan_details(trial))), rest
    layers = (nan_found, broken_property, differing_numbers, undone_work)
    return next((found for layer in layers if (found := layer(trial))), None), trial


@lru_cache(maxsize=20_000)
def mistake_outcome(exercise: Exercise, seed: int, made: Made, case: str) -> Outcome:
    """Run a known mistake on a case."""
    answers = key(exercise, seed)
    answer = FunctionAnswer(made.function)
    return _run(exercise, answer, answers.cases[case], answers.results[case])


@lru_cache(maxsize=256)
def key(exercise: Exercise, seed: int) -> Key:
    """Give the cases drawn from a seed, with variants of the first, and the reference's results."""
    cases = dict(exercise.cases(seed))
    cases |= variants(exercise, next(iter(cases.values())))
    cases |= drawn_again(exercise, seed)
    raw = {name: exercise.reference(*arguments.values()) for name, arguments in cases.items()}
    lists = dict.fromkeys(path for result in raw.values() for path in list_paths(result))
    return Key(cases, {name: canonical(result) for name, result in raw.items()}, tuple(lists))


def sure_calls(exercise: Exercise, seed: int) -> list[tuple[Arguments, bool]]:
    """List the calls that a right answer gets, for those who can make them in one go.

    Each with whether its gradients are asked for. A wrong answer gets most of them.
    """
    answer = _Recorder(exercise.reference)
    examine(exercise, answer, seed)
    return answer.calls


class _Recorder(FunctionAnswer):
    """The right answer, and which calls it gets."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self.calls: list[tuple[Arguments, bool]] = []

    def run(self, arguments: Arguments, gradients: bool = False) -> Outcome:
        """Call the function and keep the arguments."""
        self.calls.append((arguments, gradients))
        return super().run(arguments, gradients)


def _try(exercise: Exercise, answer: Answer, seed: int) -> Trial:
    """Run the answer on every case, forth and back; what is unwritten or interrupted ends it."""
    answers = key(exercise, seed)
    outcomes: dict[str, Outcome] = {}
    notes: dict[str, None] = {}  # in order, each once
    for name, arguments in answers.cases.items():
        outcome = _run(exercise, answer, arguments, answers.results[name])
        if outcome.failure and excused(name, outcome.failure):
            notes |= dict.fromkeys(excuse_note(exercise, name, outcome.failure))
            continue
        outcomes[name] = outcome
        if _ends_the_trial(outcome.failure):
            return Trial(exercise, answer, answers, outcomes)
    again = {
        name: _run(exercise, answer, answers.cases[name], answers.results[name])
        for name, outcome in reversed(outcomes.items())
        if outcome.failure is None
    }
    return Trial(exercise, answer, answers, outcomes, again, tuple(notes))


def _run(exercise: Exercise, answer: Answer, arguments: Arguments, result: Canonical) -> Outcome:
    outcome = answer.run(arguments)
    if exercise.kind == "predict" and outcome.failure is None:
        return replace(outcome, value=_numbers_as_asked(outcome.value, result))
    return outcome


def _numbers_as_asked(value: Canonical, expected: Canonical) -> Canonical:
    """Let a learner type 2 where the answer is 2.0, and 2.0 where it is 2."""
    if isinstance(value, Tensor) and isinstance(expected, Tensor):
        asked, given = dtype_kind(expected.dtype), dtype_kind(value.dtype)
        to_float = asked == "float" and given != "complex"
        return value.to(expected.dtype) if to_float or _counts(value, asked) else value
    if isinstance(value, tuple) and isinstance(expected, tuple) and len(value) == len(expected):
        return tuple(map(_numbers_as_asked, value, expected))
    return value


def _counts(value: Tensor, asked: str) -> bool:
    """Say whether floats are whole numbers where those are asked for."""
    wide = value.double() if asked == "integer" and dtype_kind(value.dtype) == "float" else None
    return wide is not None and bool((wide == wide.round()).all())


def _ends_the_trial(failure: Failure | None) -> bool:
    return failure is not None and failure.kind in ("open", "interrupted")


def _verdict(
    trial: Trial, status: Status, finding: Finding, mistake: Mistake | None = None
) -> Verdict:
    most = trial.exercise.points
    return Verdict(
        exercise=trial.exercise.name,
        status=status,
        points={"right": most, "wrong": most / 2 if finding.half else 0, "open": 0}[status],
        max_points=most,
        headline=finding.headline,
        details=finding.details,
        arguments=finding.arguments,
        mistake=mistake.id if mistake else None,
        title=mistake.title if mistake else "",
        hint=mistake.hint if mistake else "",
        comparison=finding.comparison,
        notes=() if status == "open" else notes_of(trial),
    )
