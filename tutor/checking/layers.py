"""The three layers of feedback, each giving a finding or nothing."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from tutor.checking.calls import Failure, Outcome, same_outcome
from tutor.checking.exercise import Arguments, Property
from tutor.checking.trial import Trial, TrialCall
from tutor.checking.values import (
    Canonical,
    Difference,
    canonical,
    describe,
    dtype_kind,
    first_difference,
    shape_words,
    structure,
)
from tutor.checking.verdict import Comparison

ROW_SHOWN = 8  # numbers of a row in a report
LIST_SHOWN = 120  # characters of an argument that is a list
MAP_SHOWN = 16  # rows and columns of a matrix that a picture can show readably

# What torch says -> what that means for who wrote it.
EXPLAINED = {
    "Boolean value of Tensor with more than one value is ambiguous": (
        "`and`, `or`, `not` and `if` ask a whole tensor for one yes or no. Which of & | ~ does "
        "here what you mean, cell by cell?"
    ),
    "The use of `x.T` on tensors of dimension other than 2": (
        "`.T` turns all axes of a tensor round, the sentences too. Which two should change places? "
        "transpose takes their numbers."
    ),
}


@dataclass(frozen=True)
class Finding:
    """What a layer has to say.

    Attributes:
        headline: one sentence.
        details: further sentences.
        comparison: where numbers part.
        half: the results are right, with a flaw that costs half the points.
    """

    headline: str
    details: tuple[str, ...] = ()
    comparison: Comparison | None = None
    half: bool = False


# Layer 1: did it run, and has the result the right form?


def wrong_form(trial: Trial) -> Finding | None:
    """Find the first case that gave no value, or one of another structure, shape or kind."""
    for name, outcome in trial.outcomes.items():
        if outcome.failure:
            return _failed(trial, name, outcome.failure)
        if structure(outcome.value) != structure(trial.key.results[name]):
            return _misshapen(trial, name, outcome)
    return None


def _failed(trial: Trial, case: str, failure: Failure) -> Finding:
    headlines = {
        "interrupted": "It was stopped before it came to an end.",
        "arguments": "It does not take the arguments of this exercise.",
        "not a value": failure.message,
        "open": "It is not finished.",
    }
    headline = headlines.get(failure.kind, "It stopped with an error.")
    if not trial.first.failure and trial.again.failure:
        headline = "It worked the first time and not again."
    details = [failure.message] if failure.message != headline else []
    details += [kind for raw, kind in EXPLAINED.items() if raw in failure.message]
    if trial.exercise.kind == "predict":
        return Finding("This is not an answer that can be checked.", (failure.message,))
    if failure.line_number is not None and failure.line:
        details.append(f"In your line {failure.line_number}: {failure.line}")
    if failure.shapes:
        at_hand = ", ".join(f"{name} {shape}" for name, shape in failure.shapes.items())
        details.append(f"Tensors at hand there: {at_hand}")
    else:
        details.append(_called_with(trial.key.cases[case]))
    return Finding(headline, tuple(details))


def _misshapen(trial: Trial, case: str, outcome: Outcome) -> Finding:
    result = trial.key.results[case]
    given, asked = describe(outcome.value), describe(result)
    if trial.exercise.kind == "predict":
        return Finding(
            "Your answer has another form than is asked.", (_form(outcome.value, result),)
        )
    names = ", ".join(trial.exercise.returns)
    details = [f"It returned {given}.", f"Asked is {asked}{f': {names}' if names else ''}."]
    if _lists_for_tensors(outcome.value, result):
        details.append("torch.tensor makes one tensor of lists of numbers, torch.stack of tensors.")
    return Finding(
        "Its result has the wrong form.", (*details, _called_with(trial.key.cases[case]))
    )


def _form(given: Canonical, asked: Canonical) -> str:
    """Say what differs in a prediction's form; how many numbers there are may be the answer."""
    if isinstance(asked, Tensor) and not asked.ndim:
        form = "one number"
    elif isinstance(given, Tensor) and isinstance(asked, Tensor) and given.ndim == asked.ndim == 1:
        if len(given) != len(asked):
            numbers = "1 number" if len(given) == 1 else f"{len(given)} numbers"
            return f"Your list has {numbers}; that many is not right."
        form = f"a list of {dtype_kind(asked.dtype)}s"
    else:
        form = "a list of numbers"
    return f"Asked is {form}."


def _lists_for_tensors(given: Canonical, asked: Canonical) -> bool:
    if not isinstance(given, tuple) or not given:
        return False
    if isinstance(asked, tuple):
        return any(_lists_for_tensors(*pair) for pair in zip(given, asked))
    return isinstance(asked, Tensor)


def _called_with(arguments: Arguments) -> str:
    if not arguments:
        return ""
    return "It was called with " + ", ".join(
        f"{name} {_argument_words(value)}" for name, value in arguments.items()
    )


def _argument_words(value: object) -> str:
    if isinstance(value, Tensor):
        return shape_words(value) if value.ndim else f"= {value.item()}"
    if isinstance(value, list | tuple | dict):
        written = str(value)
        short = len(written) <= LIST_SHOWN and "tensor" not in written
        return f"= {written}" if short else describe(canonical(value))
    return f"= {value}"


# Layer 2: does what must always hold, hold?


def broken_property(trial: Trial) -> Finding | None:
    """Find something that holds of every right answer and not of this one."""
    name = next(iter(trial.outcomes))
    first, again = trial.seen(name, trial.first), trial.seen(name, trial.again)
    if not same_outcome(first, again, trial.absolute):  # some libraries differ in the last digit
        return Finding(
            "Called twice with the same arguments, it gave two results.",
            ("It depends on something besides its arguments: chance, or what it left behind.",),
        )
    if rule := broken_rule(trial):
        return Finding(f"This does not hold: {rule.name}.", (_broken(rule, trial) or "",))
    return _changed_argument(trial)


def broken_rule(trial: Trial) -> Property | None:
    """Find the first property of the exercise that the answer breaks."""
    return next((rule for rule in trial.exercise.properties if _broken(rule, trial)), None)


def _broken(rule: Property, trial: Trial) -> str | None:
    try:
        return rule.broken(TrialCall(trial))
    except Exception:  # an answer that fails on the small case is judged by the other layers
        return None


def _changed_argument(trial: Trial) -> Finding | None:
    changed = [name for outcome in trial.outcomes.values() for name in outcome.changed]
    if not changed:
        return None
    return Finding(
        f"It changes its argument {changed[0]} in place.",
        ("Whoever called it still needs the old values. Work on a new tensor.",),
        half=differing_numbers(trial) is None,
    )


# Layer 3: are the numbers right?


def differing_numbers(trial: Trial) -> Finding | None:
    """Find the first cell that differs, in results of the right form."""
    for name, outcome in trial.outcomes.items():
        given = trial.seen(name, outcome).value
        difference = first_difference(trial.expected(name), given, trial.absolute)
        if difference:
            return _different(trial, name, difference)
    return None


def _different(trial: Trial, case: str, difference: Difference) -> Finding:
    part = _part_name(trial.exercise.returns, difference.path)
    place = part + (str(list(difference.index)) if difference.index else "")
    number = difference.given[difference.index]
    nan = difference.given.is_floating_point() and bool(number.isnan())
    if trial.exercise.kind == "predict":
        return Finding("That is not it.")  # the expected numbers would be the answer
    headline = "Some results are not a number (NaN)." if nan else "The numbers differ."
    cases = len(trial.key.cases)
    where = f'Shape and type are right. In the case "{case}" (one of {cases}) they part'
    detail = f"{where} at {place}:" if place else f"{where}:"
    return Finding(headline, (detail,), _comparison(part, difference))


def _part_name(names: Sequence[str], path: str) -> str:
    """Name a result as the exercise does: "[1]" becomes "weights", "['best']" becomes "best"."""
    if not path:
        return names[0] if len(names) == 1 else "result"
    first, _, rest = path.strip("[]").partition("][")
    named = names[int(first)] if first.isdigit() and int(first) < len(names) else first.strip("'")
    return named + (f"[{rest}]" if rest else "")


def _comparison(part: str, difference: Difference) -> Comparison:
    index, expected, given = difference.index, difference.expected, difference.given
    if not index:
        return Comparison(part, index, [expected.item()], [given.item()])
    start = max(0, min(index[-1] - 1, expected.shape[-1] - ROW_SHOWN))
    shown = slice(start, start + ROW_SHOWN)
    wanted_row, given_row = expected[index[:-1]][shown], given[index[:-1]][shown]
    maps = _maps(index, expected, given)
    return Comparison(part, index, wanted_row.tolist(), given_row.tolist(), *maps)


def _maps(
    index: tuple[int, ...], expected: Tensor, given: Tensor
) -> tuple[Sequence[Sequence[float]], Sequence[Sequence[float]]]:
    if expected.ndim < 2 or max(expected.shape[-2:]) > MAP_SHOWN or expected.dtype == torch.bool:
        return (), ()
    return expected[index[:-2]].tolist(), given[index[:-2]].tolist()
