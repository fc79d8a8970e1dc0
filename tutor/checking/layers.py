"""The three layers of feedback, each giving a finding or nothing."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from tutor.checking.calls import Outcome, same_outcome
from tutor.checking.exercise import Arguments, Property
from tutor.checking.failures import Failure
from tutor.checking.telling import told
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
from tutor.checking.verdict import CalledWith, Comparison
from tutor.say import say

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
        arguments: with which arguments the answer was called, where that helps.
        comparison: where numbers part.
        half: the results are right, with a flaw that costs half the points.
    """

    headline: str
    details: tuple[str, ...] = ()
    arguments: CalledWith | None = None
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


_HEADLINES = {
    "interrupted": "It was stopped before it came to an end.",
    "arguments": "It does not take the arguments of this exercise.",
    "open": "It is not finished.",
    "raised": "It stopped with an error.",
}


def _failed(trial: Trial, case: str, failure: Failure) -> Finding:
    by_hand = trial.exercise.kind == "predict"
    sentence = told(failure, by_hand)
    if by_hand:
        return Finding(say("This is not an answer that can be checked."), (sentence,))
    details = [sentence, *explained(failure.text)]
    if not trial.first.failure and trial.again.failure:
        headline = say("It worked the first time and not again.")
    elif failure.kind == "not a value":
        headline, details = sentence, []
    else:
        headline = say(_HEADLINES[failure.kind])
    if failure.line_number is not None and failure.line:
        number, line = failure.line_number, failure.line
        details.append(say("In your line {number}: {line}", number=number, line=line))
    if not failure.shapes:
        return Finding(headline, tuple(details), called_with(trial.key.cases[case]))
    at_hand = ", ".join(f"{name} {shape}" for name, shape in failure.shapes.items())
    details.append(say("Tensors at hand there: {tensors}", tensors=at_hand))
    return Finding(headline, tuple(details))


def explained(text: str) -> list[str]:
    """Say in the course's words what torch means by an error or a warning, where it is known."""
    return [say(meaning) for raw, meaning in EXPLAINED.items() if raw in text]


def _misshapen(trial: Trial, case: str, outcome: Outcome) -> Finding:
    result = trial.key.results[case]
    if trial.exercise.kind == "predict":
        headline = say("Your answer has another form than is asked for.")
        return Finding(headline, (_form(outcome.value, result),))
    details = [
        say("It returned {given}.", given=describe(outcome.value)),
        say("Asked for is {form}.", form=describe(result)),
    ]
    if trial.exercise.returns:
        names = ", ".join(trial.exercise.returns)
        details.append(say("That is: {names}.", names=names))
    if _lists_for_tensors(outcome.value, result):
        details.append(
            say("torch.tensor makes one tensor of lists of numbers, torch.stack of tensors.")
        )
    headline = say("Its result has the wrong form.")
    return Finding(headline, tuple(details), called_with(trial.key.cases[case]))


_LISTS = {
    "bool": "A list of booleans is asked for.",
    "integer": "A list of whole numbers is asked for.",
    "float": "A list of numbers is asked for.",
    "complex": "A list of numbers is asked for.",
}


def _form(given: Canonical, asked: Canonical) -> str:
    """Say what differs in a prediction's form; how many numbers there are may be the answer."""
    if isinstance(asked, Tensor) and not asked.ndim:
        return say("One number is asked for.")
    if not isinstance(asked, Tensor) or not isinstance(given, Tensor):
        return say("A list of numbers is asked for.")
    if given.ndim == asked.ndim == 1 and len(given) != len(asked):
        return say("Your list has length {length}; that is not right.", length=len(given))
    return say(_LISTS[dtype_kind(asked.dtype)])


def _lists_for_tensors(given: Canonical, asked: Canonical) -> bool:
    if not isinstance(given, tuple) or not given:
        return False
    if isinstance(asked, tuple):
        return any(_lists_for_tensors(*pair) for pair in zip(given, asked))
    return isinstance(asked, Tensor)


def called_with(arguments: Arguments) -> CalledWith | None:
    """Say with which arguments an answer was called: shapes, and numbers where there are few."""
    if not arguments:
        return None
    listed = ", ".join(f"{name} {_in_short(value)}" for name, value in arguments.items())
    values = any(not isinstance(value, Tensor) or not value.ndim for value in arguments.values())
    return CalledWith(say("It was called with {arguments}.", arguments=listed), values)


def _in_short(value: object) -> str:
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
            say("Called twice with the same arguments, it gave two results."),
            (
                say(
                    "It depends on something besides its arguments: chance, or what it left behind."
                ),
            ),
        )
    if rule := broken_rule(trial):
        return Finding(
            say("This does not hold: {rule}", rule=say(rule.name)), (_broken(rule, trial) or "",)
        )
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
        say("It changes its argument {name} in place.", name=changed[0]),
        (say("Whoever called it still needs the old values. Work on a new tensor."),),
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
    number = difference.given[difference.index]
    nan = difference.given.is_floating_point() and bool(number.isnan())
    if trial.exercise.kind == "predict":
        return Finding(say("This is not the answer."))  # the expected numbers would be it
    headline = say("Some results are not a number (NaN).") if nan else say("The numbers differ.")
    where = {"case": case, "cases": len(trial.key.cases)}
    if part or difference.index:
        place = part + (str(list(difference.index)) if difference.index else "")
        detail = say(
            'Shape and type are right. In the case "{case}" (one of {cases}) they part at {place}:',
            place=place,
            **where,
        )
    else:
        detail = say(
            'Shape and type are right. In the case "{case}" (one of {cases}) they part:', **where
        )
    return Finding(headline, (detail,), comparison=_comparison(part, difference))


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
