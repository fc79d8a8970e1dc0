"""How a right result came about: by the work that was asked for, or by a short cut.

What a `Watch` saw decides. Where it saw nothing, an answer is believed.
"""

from tutor.checking.finding import Finding
from tutor.checking.trial import Trial
from tutor.say import say


def undone_work(trial: Trial) -> Finding | None:
    """Find that an answer left out what the statement asks to be done besides the result."""
    work = trial.exercise.work
    if work is None:
        return None
    arguments = work.arguments()
    steps = trial.answer.watch(arguments).steps
    sentence = work.undone(arguments, steps) if steps else None
    if sentence is None:
        return None
    return Finding(
        say("The numbers are right; the way to them is another than asked."), (sentence,)
    )


def of_library(trial: Trial) -> list[str]:
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
