"""What an answer keeps of an earlier call of the same sizes is noticed, in every exercise."""

import copy

import pytest
from torch import Tensor

from tests.tiers import every_quick
from tutor.checking.calls import FunctionAnswer
from tutor.checking.examine import examine
from tutor.checking.exercise import Exercise
from tutor.exercises import lessons

WRITTEN = [e for lesson in lessons().values() for e in lesson if e.kind != "predict"]


def form(value) -> str:
    """Write down what a cache might go by: shapes, and how long lists are."""
    if isinstance(value, Tensor):
        return str(tuple(value.shape))
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(form, value))}]"
    return type(value).__name__


class Keeping:
    """The reference, which takes some arguments from its first call of the same sizes.

    Args:
        exercise: whose reference it is.
        kept: the places of these arguments.
    """

    def __init__(self, exercise: Exercise, kept: tuple[int, ...]) -> None:
        self.exercise, self.kept = exercise, kept
        self.before: dict[str, tuple] = {}

    def __call__(self, *arguments):
        """Mix the arguments of the first call with these."""
        first = self.before.setdefault(form(arguments), copy.deepcopy(arguments))
        mixed = [first[n] if n in self.kept else one for n, one in enumerate(arguments)]
        return self.exercise.reference(*mixed)


@pytest.mark.parametrize("exercise", every_quick([pytest.param(e, id=e.name) for e in WRITTEN], 6))
def test_an_answer_that_keeps_something_is_noticed(exercise: Exercise):
    """Everything, or one tensor or list: the weights of a layer, a mask, a table."""
    first = next(iter(exercise.cases(0).values()))
    single = [n for n, one in enumerate(first.values()) if isinstance(one, Tensor | list | tuple)]
    for kept in (tuple(range(len(first))), *((n,) for n in single)):
        made = Keeping(exercise, kept)

        def answer(*arguments, made=made):
            return made(*arguments)

        names = [name for n, name in enumerate(first) if n in kept]
        assert not examine(exercise, FunctionAnswer(answer)).passed, names
