"""Known mistakes in other spellings: none passes, and nearly all are known by name.

What no spelling can share is left over: a mistake that is NaN with -inf is another one with -1e9,
and one that makes a float32 tensor of its own stops in float64.
"""

import pytest

from tests.exercises.spellings import SPELLINGS, in_float64
from tutor.checking.calls import FunctionAnswer
from tutor.checking.examine import examine
from tutor.exercises import lessons

EVERY = 8  # mistake is tried, as all of them take minutes
ONLY_IN_FLOAT32 = {"ce-log-of-softmax"}  # float64 holds e to the power of what underflows there


@pytest.mark.parametrize("lesson", lessons())
@pytest.mark.long
def test_a_mistake_is_known_however_it_is_spelt(lesson):
    tried, named = 0, 0
    for exercise in lessons()[lesson]:
        if exercise.kind == "predict":
            continue
        for mistake in exercise.mistakes[::EVERY]:
            for spelling in SPELLINGS:
                if mistake.id in ONLY_IN_FLOAT32 and spelling is in_float64:
                    continue
                answer = spelling(mistake.function)
                verdict = examine(exercise, FunctionAnswer(answer))
                assert not verdict.passed, (mistake.id, spelling)
                if getattr(answer, "used", True) and verdict.status == "wrong":
                    tried += 1
                    named += verdict.hint == mistake.hint
    assert named >= 0.9 * tried, (named, tried)
