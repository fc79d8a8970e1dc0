"""The first layer of feedback: did it run, and has the result the right form?"""

from torch import Tensor

from tutor.checking.calls import Outcome
from tutor.checking.crashes import explained
from tutor.checking.exercise import Arguments
from tutor.checking.failure_sentences import told
from tutor.checking.failures import Failure
from tutor.checking.finding import Finding
from tutor.checking.trial import Trial
from tutor.checking.values import Canonical, canonical, describe, dtype_kind, shape_words
from tutor.checking.verdict import CalledWith
from tutor.say import say

LIST_SHOWN = 120  # characters of an argument that is a list


def wrong_form(trial: Trial) -> Finding | None:
    """Find the first case that gave no value, or one of another structure, shape or dtype."""
    for name, outcome in trial.outcomes.items():
        if outcome.failure:
            return _failed(trial, name, outcome.failure)
        predicts = trial.exercise.kind == "predict"
        formed = trial.well_formed if predicts else trial.well_formed_but_for_lists
        if not formed(name, outcome):
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
    details = [sentence]
    if failure.reason == "error":
        seen = trial.answer.watch(trial.key.cases[case])
        details += explained(failure.text, seen, trial.sizes(case))
    if failure.kind == "not a value":
        headline, details = sentence, []
    else:
        headline = say(_HEADLINES[failure.kind])
    details += where(failure)
    if failure.shapes:
        return Finding(headline, tuple(details))
    return Finding(headline, tuple(details), called_with(trial.key.cases[case]))


def where(failure: Failure) -> list[str]:
    """Say in which line of the learner's it happened, and what was at hand there."""
    said = []
    if failure.line_number is not None and failure.line:
        number, line = failure.line_number, failure.line
        said.append(say("In your line {number}: {line}", number=number, line=line))
    if failure.shapes:
        at_hand = ", ".join(f"{name} {shape}" for name, shape in failure.shapes.items())
        said.append(say("Tensors at hand there: {tensors}", tensors=at_hand))
    return said


def _misshapen(trial: Trial, case: str, outcome: Outcome) -> Finding:
    result = trial.key.results[case]
    if trial.exercise.kind == "predict":
        return _misformed_prediction(outcome.value, result)
    details = [
        say("It returned {given}.", given=describe(outcome.value)),
        say("What is asked for is {form}.", form=_asked(trial, result)),
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


def _asked(trial: Trial, result: Canonical) -> str:
    """Write the form that is asked for; of lists whose length is the answer, not how long."""
    if "" in trial.key.lists:
        rows = isinstance(result, tuple) and result
        pairs = rows and all(len(row) == 2 for row in result)
        return "[[int, int], …]" if pairs else "[[int, …], …]" if rows else "[int, …]"
    return describe(result)


_LISTS = {
    "bool": "A list of booleans is asked for.",
    "integer": "A list of whole numbers is asked for.",
    "float": "A list of numbers is asked for.",
    "complex": "A list of numbers is asked for.",
}


def _misformed_prediction(given: Canonical, asked: Canonical) -> Finding:
    """Say what is wrong with a prediction's form; how long its list is may be the answer."""
    lists = isinstance(given, Tensor) and isinstance(asked, Tensor)
    if lists and given.ndim == asked.ndim == 1 and len(given) != len(asked):
        detail = say("Your list has length {length}; that is not right.", length=len(given))
        return Finding(say("This is not the answer."), (detail,))
    headline = say("Your answer does not have the form that is asked for.")
    return Finding(headline, (_form(given, asked),))


def _form(given: Canonical, asked: Canonical) -> str:
    """Say what differs in a prediction's form."""
    if isinstance(asked, Tensor) and not asked.ndim:
        if isinstance(given, Tensor) and not given.ndim and dtype_kind(asked.dtype) == "integer":
            return say("A whole number is asked for.")
        return say("One number is asked for.")
    if not isinstance(asked, Tensor) or not isinstance(given, Tensor):
        return say("A list of numbers is asked for.")
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
        if "tensor" in written:
            return describe(canonical(value))
        cut = len(written) > LIST_SHOWN
        return f"= {written[:LIST_SHOWN]}…" if cut else f"= {written}"
    return f"= {value}"
