"""count_parameters: where the 65 million of the paper's base model are."""

from collections.abc import Callable, Mapping
from typing import Any

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.say import say

Counter = Callable[[int, int, int, int, int, int, int], Any]


def _attention(D: int, h: int, d_k: int, d_v: int) -> int:
    return 2 * (D * h * d_k + h * d_k) + (D * h * d_v + h * d_v) + (h * d_v * D + D)


def _feed_forward(D: int, F: int) -> int:
    return (D * F + F) + (F * D + D)


def _count(
    layers: int, d_model: int, d_ff: int, heads: int, d_k: int, d_v: int, vocabulary: int
) -> int:
    attention = _attention(d_model, heads, d_k, d_v)
    feed_forward, norm = _feed_forward(d_model, d_ff), 2 * d_model
    encoder = attention + feed_forward + 2 * norm
    decoder = 2 * attention + feed_forward + 3 * norm
    return layers * (encoder + decoder) + vocabulary * d_model


_NAMES = ("layers", "d_model", "d_ff", "heads", "d_k", "d_v", "vocabulary")


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    sizes = [rng.number(1, 9), *(rng.number(5, 90) for _ in range(5)), rng.number(100, 9999)]
    settings = {
        EXAMPLE: (6, 512, 2048, 8, 64, 64, 37_000),
        "narrow keys": (6, 512, 2048, 8, 16, 64, 37_000),
        "keys and values unequal": (2, 12, 30, 3, 5, 7, 100 + seed % 1000),
        "any sizes": tuple(sizes),
        "a large odd number": _odd(rng),
        "one layer": (1, *sizes[1:]),
        "one head": (3, 20, 31, 1, 20, 20, 57),
        "one of each": (1, 1, 1, 1, 1, 1, 1),
        "an odd number of layers": (5, 8, 16, 2, 4, 4, 30),
    }
    return {case: dict(zip(_NAMES, numbers)) for case, numbers in settings.items()}


def _odd(rng: Rng) -> tuple[int, ...]:
    """Draw sizes whose count is odd and above 2²⁴: float32 would round it."""
    while True:
        widths = [rng.number(300, 900) for _ in range(2)]
        sizes = (rng.number(2, 4), *widths, 3, rng.number(20, 40), 17, rng.number(40_000, 70_000))
        if _count(*sizes) % 2 and _count(*sizes) > 2**24:
            return sizes


def _less(part: Callable[[int, int, int, int, int, int], int]) -> Counter:
    """Count right, and then leave something out (or add it, if negative)."""

    def count(n: int, D: int, F: int, h: int, d_k: int, d_v: int, V: int) -> int:
        return _count(n, D, F, h, d_k, d_v, V) - n * part(D, F, h, d_k, d_v, V)

    return count


def _words_count_once(call: Call) -> str | None:
    more = int(call(1, 4, 8, 2, 2, 2, 11) - call(1, 4, 8, 2, 2, 2, 10))
    return (
        None
        if more == 4
        else say(
            "One more word of 4 features added {more} parameters.",
            more=more,
        )
    )


def _layers_are_equal(call: Call) -> str | None:
    counts = [int(call(n, 4, 8, 2, 2, 2, 10)) for n in (1, 2, 3)]
    first, second = counts[1] - counts[0], counts[2] - counts[1]
    return (
        None
        if first == second
        else say(
            "The second layer added {first}, the third {second}.",
            first=first,
            second=second,
        )
    )


count_parameters = Exercise(
    "count_parameters",
    points=2,
    reference=_count,
    cases=_cases,
    returns=("parameters",),
    shapes={
        "layers": "N",
        "d_model": "D",
        "d_ff": "d_ff",
        "heads": "h",
        "d_k": "d_k",
        "d_v": "d_v",
        "vocabulary": "V",
    },
    promises={
        "heads as wide as the model together": lambda n, D, d_ff, h, d_k, d_v, V: h * d_k == D,
        "heads not as wide as the model": lambda n, D, d_ff, h, d_k, d_v, V: h * d_k != D,
        "values wider than keys": lambda n, D, d_ff, h, d_k, d_v, V: d_v > d_k,
        "an odd number of layers": lambda n, *_: n % 2 == 1,
    },
    properties=[
        Property("One more word costs d_model parameters.", _words_count_once),
        Property("Every layer costs the same.", _layers_are_equal),
    ],
    mistakes=[
        Mistake(
            "count-no-biases",
            _less(lambda D, F, h, d_k, d_v, V: 3 * (2 * h * d_k + h * d_v + D) + 2 * (F + D)),
            "You are short by a little in every layer. What does each linear map add to its "
            "products?",
        ),
        Mistake(
            "count-no-attention-biases",
            _less(lambda D, F, h, d_k, d_v, V: 3 * (2 * h * d_k + h * d_v + D)),
            "You are short by a little in every layer. Do the projections of attention have "
            "biases here?",
        ),
        Mistake(
            "count-no-feed-forward-biases",
            _less(lambda D, F, h, d_k, d_v, V: 2 * (F + D)),
            "You are short by a little in every layer. Do both maps of the feed-forward layer have "
            "a bias?",
        ),
        Mistake(
            "count-some-attention-biases",
            _less(lambda D, F, h, d_k, d_v, V: 3 * D),
            "You are off by a little in every attention. Which of its four maps have a bias, and "
            "how long is each?",
            variants=[
                _less(lambda D, F, h, d_k, d_v, V: 3 * (2 * h * d_k + h * d_v)),
                _less(lambda D, F, h, d_k, d_v, V: 3 * (h - 1) * (2 * d_k + d_v)),
            ],
            reason="Three of nine answers tried in a review left some of the biases out.",
        ),
        Mistake(
            "count-one-map",
            _less(lambda D, F, h, d_k, d_v, V: 2 * (F * D + D)),
            "Your feed-forward layers have one map. What leads back from d_ff to d_model?",
            reason="The second map is forgotten as often as the biases.",
        ),
        Mistake(
            "count-decoder-like-encoder",
            _less(lambda D, F, h, d_k, d_v, V: _attention(D, h, d_k, d_v) + 2 * D),
            "Your decoder layers are as large as encoder layers. What stands between the two "
            "sub-layers that both have?",
            reason="One layer is counted and doubled.",
        ),
        Mistake(
            "count-heads-twice",
            lambda n, D, F, h, d_k, d_v, V: (
                _count(n, D, F, h, d_k, d_v, V)
                + 3 * n * (h - 1) * (2 * (D * h * d_k + h * d_k) + D * h * d_v + h * d_v)
            ),
            "Your attentions grow with the square of the heads. What do h · d_k columns hold "
            "already?",
            reason="A matrix for all heads is counted once for each of them.",
        ),
        Mistake(
            "count-no-norms",
            _less(lambda D, F, h, d_k, d_v, V: 5 * 2 * D),
            "You are short by ten times d_model a layer. Does a norm have anything to learn?",
        ),
        Mistake(
            "count-two-norms-each",
            _less(lambda D, F, h, d_k, d_v, V: 2 * D),
            "You are short by one norm a layer. How many sub-layers does a decoder layer have?",
        ),
        Mistake(
            "count-half-norms",
            _less(lambda D, F, h, d_k, d_v, V: 5 * D),
            "Your norms are too small by half. What does a norm learn besides its scale?",
        ),
        Mistake(
            "count-no-cross",
            _less(lambda D, F, h, d_k, d_v, V: _attention(D, h, d_k, d_v)),
            "You are short by one attention a layer. How many does a decoder layer have?",
        ),
        Mistake(
            "count-no-output-projection",
            _less(lambda D, F, h, d_k, d_v, V: 3 * (h * d_v * D + D)),
            "You are short by one matrix in every attention. What follows when the heads are put "
            "together?",
        ),
        Mistake(
            "count-one-head",
            lambda n, D, F, h, d_k, d_v, V: _count(n, D, F, 1, d_k, d_v, V),
            "Your attentions are too small by the number of heads. How wide are all heads "
            "together?",
        ),
        Mistake(
            "count-full-width-heads",
            lambda n, D, F, h, d_k, d_v, V: _count(n, D, F, h, D, D, V),
            "Your heads are as wide as the model. How wide does d_k make them?",
        ),
        Mistake(
            "count-d-k-from-d-model",
            lambda n, D, F, h, d_k, d_v, V: _count(n, D, F, h, D // h, D // h, V),
            "The base model is right, narrow keys are not. Do you use the d_k that is given?",
            label="d_k made from d_model",
        ),
        Mistake(
            "count-values-like-keys",
            lambda n, D, F, h, d_k, d_v, V: _count(n, D, F, h, d_k, d_k, V),
            "It goes wrong where values are not as wide as keys. Which projections does d_v "
            "belong to?",
        ),
        Mistake(
            "count-values-and-keys-exchanged",
            lambda n, D, F, h, d_k, d_v, V: _count(n, D, F, h, d_v, d_k, V),
            "It goes wrong where values are not as wide as keys. Which projections does d_k "
            "belong to?",
        ),
        Mistake(
            "count-keys-like-values",
            lambda n, D, F, h, d_k, d_v, V: _count(n, D, F, h, d_v, d_v, V),
            "It goes wrong where keys are not as wide as values. Which projections does d_k "
            "belong to?",
        ),
        Mistake(
            "count-two-tables",
            lambda n, D, F, h, d_k, d_v, V: _count(n, D, F, h, d_k, d_v, V) + V * D,
            "You have one table too many. How many tables do source, target and output share?",
        ),
        Mistake(
            "count-three-tables",
            lambda n, D, F, h, d_k, d_v, V: _count(n, D, F, h, d_k, d_v, V) + 2 * V * D,
            "You have two tables too many. How many tables do source, target and output share?",
        ),
        Mistake(
            "count-no-table",
            lambda n, D, F, h, d_k, d_v, V: _count(n, D, F, h, d_k, d_v, 0),
            "The words themselves are missing. How many numbers does each of them have?",
        ),
        Mistake(
            "count-output-bias",
            lambda n, D, F, h, d_k, d_v, V: _count(n, D, F, h, d_k, d_v, V) + V,
            "You have one number too many for each word. Does the output layer have a bias here?",
        ),
        Mistake(
            "count-final-norms",
            lambda n, D, F, h, d_k, d_v, V: _count(n, D, F, h, d_k, d_v, V) + 4 * D,
            "You counted a norm at the end of a stack. Is there one in post-norm?",
            variants=[lambda n, D, F, h, d_k, d_v, V: _count(n, D, F, h, d_k, d_v, V) + 2 * D],
        ),
        Mistake(
            "count-encoder-only",
            lambda n, D, F, h, d_k, d_v, V: (
                n * (_attention(D, h, d_k, d_v) + _feed_forward(D, F) + 4 * D) + V * D
            ),
            "That is the encoder. What stands beside it?",
        ),
        Mistake(
            "count-layers-shared-out",
            lambda n, D, F, h, d_k, d_v, V: _count(n // 2, D, F, h, d_k, d_v, V),
            "You have half the layers. Does `layers` count both stacks together, or each of them?",
        ),
        Mistake(
            "count-one-layer",
            lambda n, D, F, h, d_k, d_v, V: _count(1, D, F, h, d_k, d_v, V),
            "That is one layer of each stack. How many are there?",
        ),
        Mistake(
            "count-positions",
            lambda n, D, F, h, d_k, d_v, V: _count(n, D, F, h, d_k, d_v, V) + 512 * D,
            "You counted positions. Does a sine have anything to learn?",
        ),
        Mistake(
            "count-in-millions",
            lambda n, D, F, h, d_k, d_v, V: round(_count(n, D, F, h, d_k, d_v, V) / 1e6),
            "You rounded. Which number is asked for: millions, or parameters?",
        ),
        Mistake(
            "count-as-float",
            lambda n, D, F, h, d_k, d_v, V: float(_count(n, D, F, h, d_k, d_v, V)),
            "The number is right, but it is a float. Can there be half a parameter?",
        ),
    ],
    hints=[
        "Count one attention, one feed-forward layer and one norm; then ask how often each occurs.",
        "A linear map from n to m numbers with a bias has n·m + m parameters.",
        "For the base model the sum is 63,082,496, of which 37000 · 512 are the table.",
    ],
)
