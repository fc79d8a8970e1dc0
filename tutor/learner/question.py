"""`question` and `set_learner`: predictions ask for numbers of the learner's own."""

from tutor.checking.examine import key
from tutor.checking.exercise import Exercise
from tutor.checking.seeds import SELF_STUDY, seed_of
from tutor.checking.settings import course_settings
from tutor.exercises import find
from tutor.learner import screen
from tutor.say import say

CHECK_SEED = 0  # the cases of the notebook's own check; grading draws others

_learner = {"name": SELF_STUDY, "class_seed": ""}


def question(name: str) -> None:
    """Show a prediction's question with this learner's own numbers.

    Raises:
        UnclearError: no exercise has this name.
        ValueError: the exercise is no prediction.

    Example:
        >>> question("predict_score")
        A query is [...] and a key [...]. What number does softmax see for this pair in ...
    """
    exercise = find(name)
    if exercise.question is None:
        raise ValueError(say("{name} is no prediction; its text is in the notebook.", name=name))
    with course_settings():
        (case,) = key(exercise, seed_here(exercise)).cases.values()
        asked = exercise.question(**case)
    screen.show_lines(asked.splitlines())


def set_learner(name: str, class_seed: str = "") -> None:
    """Say who works here, so that predictions ask for this learner's own numbers.

    Args:
        name: any name, in capitals or not; "self-study" for oneself.
        class_seed: set by a teacher, the same for one class.
    """
    before = dict(_learner)
    _learner["name"], _learner["class_seed"] = name.strip() or SELF_STUDY, class_seed
    if _learner != before or not name.strip():  # silent where nothing needs to be said
        who = repr(_learner["name"])
        print(say("Predictions now have the numbers of {learner}.", learner=who))


def seed_here(exercise: Exercise) -> int:
    """Give the seed from which a check in this notebook draws an exercise's cases."""
    if exercise.kind == "predict":
        return seed_of(_learner["class_seed"], _learner["name"], exercise.name)
    return CHECK_SEED
