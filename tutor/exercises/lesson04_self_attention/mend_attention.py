"""mend_attention: one key at a time and no table, but what was added before is not corrected."""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from tutor.attention import attend
from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.say import say

Step = Callable[[Tensor, Tensor, Tensor], tuple[Tensor, Tensor]]
"""Told the largest score before and now, and this one: the factor of the old, and the new."""


def _averaged(scores: Tensor, v: Tensor) -> Tensor:
    output, _ = attend(scores, v)
    return output


def _streamed(
    of_total: Step,
    of_sum: Step | None = None,
    end: Callable[[Tensor, Tensor], Tensor] = torch.div,
) -> Callable[[Tensor, Tensor], Tensor]:
    """Build an attention that goes through the keys and keeps a largest score and two sums."""

    def attention(scores: Tensor, v: Tensor) -> Tensor:
        largest = scores[:, :1]
        total = torch.ones_like(largest)
        summed = total * v[:1]
        for key in range(1, scores.size(1)):
            score = scores[:, key : key + 1]
            before, largest = largest, torch.maximum(largest, score)
            old, new = of_total(before, largest, score)
            total = total * old + new
            old, new = (of_sum or of_total)(before, largest, score)
            summed = summed * old + new * v[key]
        return end(summed, total)

    return attention


def _right(before: Tensor, now: Tensor, score: Tensor) -> tuple[Tensor, Tensor]:
    return torch.exp(before - now), torch.exp(score - now)


def _uncorrected(_: Tensor, now: Tensor, score: Tensor) -> tuple[Tensor, Tensor]:
    return torch.ones_like(now), torch.exp(score - now)


def _upside_down(before: Tensor, now: Tensor, score: Tensor) -> tuple[Tensor, Tensor]:
    return torch.exp(now - before), torch.exp(score - now)


def _old_largest(before: Tensor, now: Tensor, score: Tensor) -> tuple[Tensor, Tensor]:
    return torch.exp(before - now), torch.exp(score - before)


def _both_corrected(before: Tensor, now: Tensor, score: Tensor) -> tuple[Tensor, Tensor]:
    old, new = _right(before, now, score)
    return old, new * old


def _exponentials_as_they_are(scores: Tensor, v: Tensor) -> Tensor:
    powers = scores.exp()
    return powers @ v / powers.sum(-1, keepdim=True)


def _stream_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(queries: int, keys: int, d_v: int) -> Arguments:
        """Draw scores whose largest comes late, so that something has to be corrected."""
        scores = 1.5 * rng.normal(queries, keys)
        scores[:, -1] = scores.amax(dim=-1) + 0.5
        return {"scores": scores, "v": rng.normal(keys, d_v)}

    return {
        "unequal sizes": case(3, 5, 4),
        "square": case(4, 4, 4),
        "one query": case(1, 6, 2),
        "more queries than keys": case(5, 3, 2),
        "one number a value": case(2, 4, 1),
        "one key": {"scores": rng.normal(2, 1), "v": rng.normal(1, 3)},
        "scores of ±1000": {
            "scores": torch.tensor(
                [[-1000.0, 999.0, 1000.0], [1000.0, 1001.0, -1000.0], [-1001.0, -1002.0, -1000.0]]
            ),
            "v": rng.normal(3, 2),
        },
        EXAMPLE: {
            "scores": torch.tensor([[0.0, 1.0986123]]),  # the logarithms of 1 and 3
            "v": torch.tensor([[4.0], [8.0]]),
        },
    }


def _order_of_keys_does_not_matter(call: Call) -> str | None:
    scores, v = torch.tensor([[0.0, 2.0]]), torch.tensor([[0.0], [1.0]])
    there, back = (found.item() for found in (call(scores, v), call(scores.flip(1), v.flip(0))))
    if abs(there - back) < 1e-4:
        return None
    return say(
        "Two keys with the scores 0 and 2 and the values 0 and 1: your output is {there:.3f}. With "
        "the two exchanged it is {back:.3f}.",
        there=there,
        back=back,
    )


def _output_is_an_average(call: Call) -> str | None:
    output = call(torch.tensor([[0.0, 1.0, 3.0]]), torch.ones(3, 1)).item()
    if abs(output - 1) < 1e-4:
        return None
    return say("Every value is 1, and your output is {output:.3f}.", output=output)


mend_attention = Exercise(
    "mend_attention",
    points=2,
    reference=_averaged,
    cases=_stream_cases,
    returns=("output",),
    shapes={"scores": "Tq Tk", "v": "Tk d_v", "output": "Tq d_v"},
    computed=("output",),
    properties=[
        Property("An average of equal values is that value.", _output_is_an_average),
        Property("The order of the keys does not matter.", _order_of_keys_does_not_matter),
    ],
    mistakes=[
        Mistake(
            "stream-not-corrected",
            _streamed(_uncorrected),
            "Your output depends on the order of the keys. When a larger score comes, against "
            "which score were the sums so far measured?",
        ),
        Mistake(
            "stream-total-not-corrected",
            _streamed(_uncorrected, _right),
            "One of your two sums follows when a larger score comes. What of the other?",
        ),
        Mistake(
            "stream-sum-not-corrected",
            _streamed(_right, _uncorrected),
            "Your total is right, and your weighted sum is not. Which of the two has old and new "
            "parts measured against different scores?",
        ),
        Mistake(
            "stream-corrected-upside-down",
            _streamed(_upside_down),
            "When a larger score comes, your old sums grow. Should earlier keys matter more then?",
        ),
        Mistake(
            "stream-against-the-old-largest",
            _streamed(_old_largest),
            "The sums so far are measured against the new largest score. Against which is the new "
            "exponential?",
        ),
        Mistake(
            "stream-new-corrected-too",
            _streamed(_both_corrected),
            "The new exponential is already measured against the new largest score. Does it need "
            "the correction?",
        ),
        Mistake(
            "stream-not-divided",
            _streamed(_right, end=lambda summed, _: summed),
            "Your weights do not sum to 1. Which of the three things kept has not been used?",
        ),
        Mistake(
            "stream-mean-over-keys",
            lambda scores, v: _streamed(_right, end=lambda summed, _: summed)(scores, v) / len(v),
            "You divide by the number of keys. What do the exponentials of a row add up to?",
        ),
        Mistake(
            "stream-plain-exponentials",
            _exponentials_as_they_are,
            "With a score of 1000 your output is no number. What is e to the power of 1000 to a "
            "computer?",
        ),
        Mistake(
            "stream-plain-mean",
            lambda scores, v: v.mean(0).expand(scores.size(0), -1),
            "Every key counts the same for you. Where do the scores enter?",
        ),
        Mistake(
            "stream-largest-only",
            lambda scores, v: v[scores.argmax(dim=-1)],
            "Only the key with the largest score is left. How much of the others should come "
            "along?",
        ),
    ],
    given="stream-not-corrected",
    hints=[
        "Run it with the keys in two orders. In which one is it right?",
        "The sums hold exponentials of (score − largest). If the largest changes from a to b, what "
        "must each of them be multiplied with?",
        "e^(s − b) is e^(s − a) times a factor that does not depend on s.",
    ],
)
