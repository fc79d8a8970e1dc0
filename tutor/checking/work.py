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
        say("The numbers are right, but they are not found in the way that is asked for."),
        (sentence,),
    )
