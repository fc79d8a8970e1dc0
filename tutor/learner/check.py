"""`check`: judges an answer in the notebook, keeps the points and reports."""

import dataclasses
from collections.abc import Callable
from typing import Any

from tutor.checking.calls import Answer, FunctionAnswer, ValueAnswer
from tutor.checking.examine import examine, key
from tutor.checking.exercise import Exercise
from tutor.checking.settings import Disturbances, course_settings
from tutor.checking.verdict import Verdict
from tutor.exercises import UnclearError
from tutor.learner import history, own_answers, progress_file
from tutor.learner.meant import exercise_meant
from tutor.learner.patience import patience
from tutor.learner.question import seed_here
from tutor.learner.ready_made import ready_made
from tutor.learner.report import Report
from tutor.say import say


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
    with course_settings() as disturbances:
        exercise = exercise_meant(answer, name)
        stale = _stale(exercise, answer)
        verdict = _open(exercise, stale) if stale else _judge(exercise, answer, disturbances)
        verdict = _with_note(verdict, progress_file.save(exercise.name, verdict.points))
        verdict = _with_note(verdict, _kept(exercise, answer, verdict))
    own = verdict.passed and exercise.kind != "predict"
    return Report(verdict, answer if own else _stand_in(exercise))


def _kept(exercise: Exercise, answer: Any, verdict: Verdict) -> str:
    """Keep what is right in the learner's own file; say what they should know of it, or ""."""
    if exercise.kind != "write" or not verdict.passed:
        return ""
    typed = history.current.checked_name(answer)
    named = history.current.names.get(exercise.name) is answer
    name = typed or (exercise.name if named else "")
    try:
        with patience():
            warning = own_answers.borrowed(exercise, name, history.current)
            return warning or own_answers.keep(exercise, name, history.current)
    except KeyboardInterrupt:
        return ""


def _stale(exercise: Exercise, answer: Any) -> str:
    """Say why this is not what the notebook's cell now says, or ""."""
    if exercise.kind == "predict":
        return history.current.stale_prediction(exercise.name, answer)
    return history.current.stale_function(exercise.name, answer)


def _open(exercise: Exercise, why: str) -> Verdict:
    return Verdict(exercise.name, "open", 0, exercise.points, why)


def _judge(exercise: Exercise, answer: Any, disturbances: Disturbances) -> Verdict:
    try:
        with patience():
            verdict = examine(exercise, _as_answer(exercise, answer), seed_here(exercise))
    except KeyboardInterrupt:
        return _open(exercise, say("You stopped it while it ran."))
    except Exception as fault:  # ours, whatever it is: a learner is owed a report
        what = f"{type(fault).__name__}: {fault}"
        why = say("The check itself failed; please report it: {fault}", fault=what)
        return _open(exercise, why)
    if verdict.passed and exercise.kind != "predict":
        verdict = _with_note(verdict, _of_ready_made(exercise, answer))
    for note in _notes(exercise, verdict, disturbances):
        verdict = _with_note(verdict, note)
    return verdict


def _of_ready_made(exercise: Exercise, answer: Any) -> str:
    """Say which of the course's own functions did the work; grading has it not."""
    arguments = next(iter(key(exercise, seed_here(exercise)).cases.values()))
    name = ready_made(answer, arguments)
    if not name:
        return ""
    return say(
        "This is the course's own {function}, and it counts. Can you write it without?",
        function=name,
    )


def _notes(exercise: Exercise, verdict: Verdict, disturbances: Disturbances) -> list[str]:
    """Say what the learner should know beside the verdict."""
    notes = []
    if verdict.status != "open" and disturbances.drew():
        notes.append(
            say("It drew from the global random generator, which has been put back as it was.")
        )
    notes += [
        say("{name} is replaced in this notebook; the check used its original.", name=name)
        for name in disturbances.replaced
    ]
    if exercise.kind != "predict":
        notes.append(history.current.renamed(exercise.name))
    return notes


def _with_note(verdict: Verdict, note: str) -> Verdict:
    return dataclasses.replace(verdict, notes=(*verdict.notes, note)) if note else verdict


def _as_answer(exercise: Exercise, answer: Any) -> Answer:
    return ValueAnswer(answer) if exercise.kind == "predict" else FunctionAnswer(answer)


def _stand_in(exercise: Exercise) -> Callable[..., Any]:
    """Give what follows in the notebook something to go on with."""
    if exercise.kind != "predict":
        return exercise.reference

    def nothing_to_call(*_: Any, **__: Any) -> None:
        raise UnclearError(
            say(
                "The check you ran last was for {exercise}, a prediction without a function. Run "
                "the check of this part again.",
                exercise=exercise.name,
            )
        )

    return nothing_to_call
