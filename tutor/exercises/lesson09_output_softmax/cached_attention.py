"""cached_attention: the prompt at once, then word by word, with keys and values kept."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Property, Work
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.checking.watching import PRODUCTS
from tutor.decode import cached_attention as attend
from tutor.exercises.extremes import tokens_and_matrices
from tutor.exercises.lesson09_output_softmax.cached_attention_mistakes import MISTAKES
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
        "one word": case(1, 4, 3, 1, spare=0),
        "one new word": case(5, 2, 6, 4, spare=2),
        "no spare places": case(6, 3, 5, 2, spare=0),
        "one feature": case(4, 1, 1, 2, spare=2),
        "scores of ±1000": _loud(rng),
        EXAMPLE: {
            "x": torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]),
            "encoding": torch.zeros(3, 2),
            "W": (torch.zeros(2, 2), torch.zeros(2, 2), torch.eye(2)),
            "prompt_length": 1,
        },
    }


def _loud(rng: Rng) -> Arguments:
    tokens, W_q, W_k = tokens_and_matrices(rng, 1, 6)
    encoding = rng.quarters(8, tokens.size(-1))
    W_v = rng.normal(tokens.size(-1), tokens.size(-1)) / 4
    x = tokens[0] - encoding[:6]  # x plus its place are these tokens again
    return {"x": x, "encoding": encoding, "W": (W_q, W_k, W_v), "prompt_length": 2}


def _to_be_cached() -> Arguments:
    """Give twelve narrow words, so that a step for one differs in size from one for all."""
    rng = Rng(4)
    W = (rng.normal(3, 4), rng.normal(3, 4), rng.normal(3, 3))
    return {"x": rng.normal(12, 3), "encoding": rng.normal(13, 3), "W": W, "prompt_length": 3}


def _not_cached(given: Arguments, steps: Sequence[tuple[str, Tensor]]) -> str | None:
    """Count the numbers that products make: at once for many words, or again for old ones."""
    T, D = given["x"].shape
    made = [result.numel() for name, result in steps if name in PRODUCTS]
    if max(made, default=0) >= T * D:
        return say(
            "With {words} words, {prompt} of them the prompt, one product of yours made {numbers} "
            "numbers: more than the prompt, or one new word, needs. After the prompt each word is "
            "to make one query, one key and one value, and to look into what is stored.",
            words=T,
            prompt=given["prompt_length"],
            numbers=max(made),
        )
    if sum(made) > _MOST_NUMBERS:
        return say(
            "With {words} words your products made {numbers} numbers in all; with stored keys and "
            "values 249 are enough. What is worked out again for words that are already stored?",
            words=T,
            numbers=sum(made),
        )
    return None


_MOST_NUMBERS = 373  # half as many again as with a cache; without one they are 600 and more


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
    shapes={
        "x": "T D",
        "encoding": "N D",
        "W": ("D d_k", "D d_k", "D D"),
        "outputs": "T D",
    },
    promises={
        "a prompt of one word": lambda x, encoding, W, P: P == 1 and len(x) > 2,
        "the prompt is all": lambda x, encoding, W, P: len(x) == P > 1,
        "one new word": lambda x, encoding, W, P: len(x) == P + 1,
        "an encoding longer than the sentence": lambda x, encoding, W, P: len(encoding) > len(x),
        "an encoding as long as the sentence": lambda x, encoding, W, P: len(encoding) == len(x),
    },
    work=Work(_to_be_cached, _not_cached),
    library=("scaled_dot_product_attention",),
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
