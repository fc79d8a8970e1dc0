"""What else is worth knowing of an answer, right or wrong; it costs no points."""

from collections.abc import Iterator

from torch import Tensor

from tutor.checking.calls import Answer, FunctionAnswer
from tutor.checking.crashes import explained
from tutor.checking.exercise import Arguments, CallError
from tutor.checking.trial import NanError, Trial, TrialCall
from tutor.checking.values import parts
from tutor.checking.watching import WatchedCall
from tutor.say import say


def notes_of(trial: Trial) -> tuple[str, ...]:
    """Say what the answer printed and which warnings it raised."""
    notes = list(trial.notes)
    if trial.first.printed:
        start = trial.first.printed.strip().partition("\n")[0][:80]
        notes.append(
            say("Your function prints; on the first case it began with: {start}", start=start)
        )
    for text in trial.first.warned:
        notes += explained(text, WatchedCall(), {}) or [
            say("A warning was raised: {text}", text=text)
        ]
    return tuple(notes)


def notes_of_right(trial: Trial) -> tuple[str, ...]:
    """Say what a right answer does that its author may not know."""
    if trial.exercise.kind == "predict":
        return ()
    found = (*_of_library(trial), *_of_dtype(trial), *_of_gradients(trial))
    return (*found, *_of_remarks(trial))


def _of_library(trial: Trial) -> list[str]:
    """Say which function of torch's did the whole work; it may, and it can be written."""
    if not trial.exercise.library:
        return []
    arguments = next(iter(trial.key.cases.values()))
    used = [name for name in trial.answer.watch(arguments).names if name in trial.exercise.library]
    return [
        say(
            "This is torch's own {function}, and it counts. Can you write it without?",
            function=name,
        )
        for name in used[:1]
    ]


def _of_dtype(trial: Trial) -> list[str]:
    """Say that floats come back in another dtype than the course's own would."""
    right = next(iter(trial.key.results.values()))
    for (_, asked), (_, given) in zip(parts(right), parts(trial.first.value)):
        if asked.is_floating_point() and asked.dtype != given.dtype:
            return [
                say(
                    "It gives {given} where {asked} went in; the next layer may refuse that.",
                    given=_short(given),
                    asked=_short(asked),
                )
            ]
    return []


def _short(tensor: Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")


def _of_gradients(trial: Trial) -> list[str]:
    """Say that nothing can be learnt through a result that is cut off from its arguments."""
    arguments = next(iter(trial.key.cases.values()))
    reference = FunctionAnswer(trial.exercise.reference)
    if not _arrive(reference, arguments) or _arrive(trial.answer, arguments):
        return []
    return [
        say(
            "No gradient comes back through your result, so nothing before it could be trained. "
            "What cuts it off: detach, item, no_grad, or a tensor made anew?"
        )
    ]


def _of_remarks(trial: Trial) -> Iterator[str]:
    """Say what the exercise itself has to remark of a right answer."""
    for remark in trial.exercise.remarks:
        try:
            sentence = remark(TrialCall(trial))
        except (CallError, NanError):  # out there nothing is promised
            continue
        if sentence:
            yield sentence


def _arrive(answer: Answer, arguments: Arguments) -> bool:
    """Say whether a gradient comes back to any argument."""
    found = answer.run(arguments, gradients=True)
    return found.failure is None and any(one.any() for _, one in parts(found.value))
