"""cached_attention: the prompt at once, then word by word, with keys and values kept."""

from collections.abc import Mapping

import torch

from tutor.checking.exercise import Arguments, Call, Exercise, Property
from tutor.checking.seeds import Rng
from tutor.decode import cached_attention as attend
from tutor.exercises.lesson09_output_softmax.cached_mistakes import MISTAKES
from tutor.say import say


def _cached_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(T: int, D: int, d_k: int, prompt_length: int, spare: int) -> Arguments:
        return {
            "x": rng.normal(T, D),
            "encoding": rng.normal(T + spare, D),
            "W": (
                rng.normal(D, d_k) / D**0.5,
                rng.normal(D, d_k) / D**0.5,
                rng.normal(D, D) / D**0.5,
            ),
            "prompt_length": prompt_length,
        }

    return {
        "unequal sizes": case(7, 6, 4, 3, spare=4),
        "short prompt": case(5, 4, 3, 1, spare=2),
        "square": case(4, 4, 4, 2, spare=4),
        "prompt only": case(3, 5, 2, 3, spare=2),
    }


def _no_look_ahead(call: Call) -> str | None:
    given = _cached_cases(1)["unequal sizes"]
    changed = given["x"].clone()
    changed[5:] += 1
    before, after = call(*given.values()), call(*{**given, "x": changed}.values())
    if torch.allclose(before[:5], after[:5], atol=1e-4):
        return None
    return say("The sixth word was changed, and an output before it changed too.")


def _prompt_length_does_not_matter(call: Call) -> str | None:
    given = _cached_cases(2)["unequal sizes"]
    long, short = (call(*{**given, "prompt_length": length}.values()) for length in (6, 2))
    if torch.allclose(long, short, atol=1e-4):
        return None
    row = int((long - short).abs().amax(-1).gt(1e-4).nonzero()[0])
    return say(
        "Where the prompt ends is only a matter of speed. With a prompt of 2 words "
        "instead of 6, your output at position {row} is another.",
        row=row,
    )


cached_attention = Exercise(
    "cached_attention",
    points=4,
    reference=attend,
    cases=_cached_cases,
    returns=("outputs",),
    properties=[
        Property("A later word never changes an earlier output.", _no_look_ahead),
        Property("The prompt's length does not matter.", _prompt_length_does_not_matter),
    ],
    mistakes=MISTAKES,
    hints=[
        "First the prompt: its words, each at its position, attend as in lesson 7. Keep its keys "
        "and values.",
        "Then one word at a time: it makes one query, one key and one value. What must be in the "
        "store before the query looks into it?",
        "A new word sees all that is stored and nothing else, so it needs no triangle. At which "
        "row of the encoding does it stand?",
    ],
)

EXERCISES = (cached_attention,)
