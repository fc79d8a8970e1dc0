"""folded_attention: heads as more sentences of the batch, with each sentence's own mask."""

import math
from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from tutor.attention import scaled_dot_product_attention as attend
from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.exercises.extremes import queries_and_keys
from tutor.say import say


def _reference(q: Tensor, k: Tensor, v: Tensor, keep: Tensor) -> Tensor:
    batch, heads = q.shape[:2]
    visible = keep.repeat_interleave(heads, dim=0)[:, None, :]  # (B·h, 1, Tk)
    output, _ = attend(q.flatten(0, 1), k.flatten(0, 1), v.flatten(0, 1), visible)
    return output.unflatten(0, (batch, heads))  # (B, h, Tq, d)


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(heads: int, queries: int, d_k: int, *patterns: str) -> Arguments:
        batch, keys = len(patterns), len(patterns[0])
        return {
            "q": rng.normal(batch, heads, queries, d_k),
            "k": rng.normal(batch, heads, keys, d_k),
            "v": rng.normal(batch, heads, keys, d_k),
            "keep": torch.tensor([[mark == "x" for mark in pattern] for pattern in patterns]),
        }

    return {
        "unequal sizes": case(3, 4, 5, "x-xxx--", "xx-----"),
        "as many heads as sentences": case(2, 3, 4, "xx-", "-xx"),
        "no padding": case(2, 5, 3, "xxxx", "xxxx", "xxxx"),
        "square": case(4, 4, 4, "xxx-", "x---", "xxxx", "-x-x"),
        "one head": case(1, 3, 2, "xx-x", "-xx-"),
        "one sentence": case(3, 2, 4, "x-xxx"),
        "one query": case(2, 1, 3, "x--", "xxx", "-x-"),
        "one key": case(3, 2, 4, "x", "x"),
        "one feature a head": case(4, 3, 1, "xx-", "x-x"),
        "more heads than queries": case(5, 2, 3, "x-xx", "xxx-", "--xx"),
        "scores of ±1000": _loud(rng),
        EXAMPLE: {**case(2, 2, 3, "xx", "x-")},
    }


def _loud(rng: Rng) -> Arguments:
    q, k = queries_and_keys(rng, 2, 2, queries=4, keys=5)
    keep = torch.tensor([[True, True, False, True, False], [False, True, True, True, True]])
    return {"q": q, "k": k, "v": rng.normal(2, 2, 5, q.size(-1)), "keep": keep}


def _padding_is_hidden(call: Call) -> str | None:
    q, k, v = (Rng(seed).normal(2, 2, 2, 2) for seed in (1, 2, 3))
    keep = torch.tensor([[True, True], [True, False]])
    other = v.clone()
    other[1, :, 1] += 10  # the padded value of the second sentence
    if torch.allclose(call(q, k, v, keep), call(q, k, other, keep), atol=1e-4):
        return None
    return say(
        "Two sentences, two heads; the padded value of the second sentence was changed, and the "
        "output changed with it."
    )


def _folded(
    spread: Callable[[Tensor, int], Tensor],
    fill: float = -1e9,
    scale: Callable[[Tensor], float] = lambda q: math.sqrt(q.size(-1)),
    multiply: bool = False,
) -> Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]:
    """Fold, attend with a mask spread over the heads, unfold."""

    def attention(q: Tensor, k: Tensor, v: Tensor, keep: Tensor) -> Tensor:
        batch, heads = q.shape[:2]
        q, k, v = q.flatten(0, 1), k.flatten(0, 1), v.flatten(0, 1)  # (B·h, T, d)
        scores = q @ k.transpose(-2, -1) / scale(q)  # (B·h, Tq, Tk)
        visible = spread(keep, heads)[:, None, :]  # (B·h, 1, Tk)
        scores = scores * visible if multiply else scores.masked_fill(~visible, fill)
        return (torch.softmax(scores, -1) @ v).unflatten(0, (batch, heads))  # (B, h, Tq, d)

    return attention


def _each(keep: Tensor, heads: int) -> Tensor:
    return keep.repeat_interleave(heads, dim=0)  # (B·h, Tk): sentence 0 h times, then sentence 1


def _unfolded_the_other_way(q: Tensor, k: Tensor, v: Tensor, keep: Tensor) -> Tensor:
    found = _reference(q, k, v, keep).flatten(0, 1)
    return found.unflatten(0, (q.size(1), q.size(0))).transpose(0, 1)


def _heads_and_words_mixed(q: Tensor, k: Tensor, v: Tensor, keep: Tensor) -> Tensor:
    def fold(x: Tensor) -> Tensor:
        return x.transpose(1, 2).reshape(-1, x.size(2), x.size(3))

    scores = fold(q) @ fold(k).transpose(-2, -1) / math.sqrt(q.size(-1))
    scores = scores.masked_fill(~_each(keep, q.size(1))[:, None], -1e9)
    return (torch.softmax(scores, -1) @ fold(v)).view_as(q)


_ASK_FLAT = (
    "Even without padding yours is wrong: the scores are divided by the wrong number. Over how "
    "many features does a dot product run inside one head?"
)
_ASK_LATE = (  # striking out a weight or its value gives the same numbers
    "Padded keys give nothing to your output, yet take weight from the real ones. Before which "
    "step must a key be hidden?"
)

folded_attention = Exercise(
    "folded_attention",
    points=3,
    reference=_reference,
    cases=_cases,
    returns=("output",),
    shapes={
        "q": "B h Tq d",
        "k": "B h Tk d",
        "v": "B h Tk d",
        "keep": "B Tk",
        "output": "B h Tq d",
    },
    promises={
        "no padding": lambda q, k, v, keep: bool(keep.all()),
        "a hole in the padding": lambda q, k, v, keep: bool((~keep[:, :-1] & keep[:, 1:]).any()),
        "padding at the end": lambda q, k, v, keep: bool((~keep[:, -1]).any()),
        "padding at the beginning": lambda q, k, v, keep: bool((~keep[:, 0]).any()),
        "a single key that is seen": lambda q, k, v, keep: bool((keep.sum(-1) == 1).any()),
    },
    library=("scaled_dot_product_attention",),
    properties=[Property("Padding never changes an output.", _padding_is_hidden)],
    mistakes=[
        Mistake(
            "mh-mask-of-first-sentence",
            _folded(lambda keep, heads: keep[:1].expand(len(keep) * heads, -1)),
            "All your sentences hide what the first one hides. Whose padding is it?",
        ),
        Mistake(
            "fold-mask-tiled",
            _folded(lambda keep, heads: keep.repeat(heads, 1)),
            "Some heads hide the padding of another sentence. After folding, which sentence do "
            "rows 0 and 1 belong to, and which does your mask give them?",
        ),
        Mistake(
            "fold-mask-inverted",
            _folded(lambda keep, heads: ~_each(keep, heads)),
            "Real words are hidden in yours and padding is seen. What does True mean in keep?",
            variants=[_folded(lambda keep, heads: ~_each(keep, heads), fill=-math.inf)],
        ),
        Mistake(
            "fold-mask-missing",
            _folded(lambda keep, heads: torch.ones_like(_each(keep, heads))),
            "Padding gets weight in yours. Does keep reach the scores?",
        ),
        Mistake(
            "fold-multiply-zero",
            _folded(_each, multiply=True),
            "Hidden keys still get weight in yours. Which score does softmax turn into 0?",
            variants=[_folded(_each, fill=0.0)],
        ),
        Mistake(
            "fold-too-weak",
            _folded(_each, fill=-1.0),
            "Hidden keys still get a little weight. How far below the others must they score?",
        ),
        Mistake(
            "fold-no-scale",
            _folded(_each, scale=lambda q: 1.0),
            "Even without padding yours is wrong: the weights are too extreme. What divides the "
            "scores?",
        ),
        Mistake("fold-scale-squared", _folded(_each, scale=lambda q: float(q.size(-1))), _ASK_FLAT),
        Mistake(
            "fold-scale-halved",
            _folded(_each, scale=lambda q: q.size(-1) / 2),
            _ASK_FLAT,
            variants=[_folded(_each, scale=lambda q: q.size(-1) * 2)],
        ),
        Mistake(
            "fold-scale-queries", _folded(_each, scale=lambda q: math.sqrt(q.size(-2))), _ASK_FLAT
        ),
        Mistake(
            "fold-scale-all-heads",
            lambda q, k, v, keep: _folded(
                _each, scale=lambda folded: math.sqrt(q.size(1) * q.size(-1))
            )(q, k, v, keep),
            _ASK_FLAT,
        ),
        Mistake(
            "fold-not-unfolded",
            lambda *given: _reference(*given).flatten(0, 1),
            "The numbers are right, but sentences and heads are still one axis. How is it cut "
            "into two?",
        ),
        Mistake(
            "fold-unfolded-the-other-way",
            _unfolded_the_other_way,
            "Some of your heads stand where another sentence's should. In which order were the "
            "two axes folded, and in which are they unfolded?",
        ),
        Mistake(
            "fold-heads-and-words-mixed",
            _heads_and_words_mixed,
            "Your folded rows mix words and heads. Which two axes must stand side by side before "
            "they become one?",
        ),
        Mistake(
            "fold-values-zeroed",
            lambda q, k, v, keep: attend(q, k, v * keep[:, None, :, None])[0],
            _ASK_LATE,
        ),
        Mistake(
            "fold-after-softmax",
            lambda q, k, v, keep: attend(q, k, v)[1] * keep[:, None, None] @ v,
            _ASK_LATE,
        ),
        Mistake(
            "fold-mask-of-any",
            _folded(lambda keep, heads: keep.any(0, keepdim=True).expand(len(keep) * heads, -1)),
            "A key is visible in yours as soon as any sentence has a word there. Whose padding is "
            "it?",
        ),
        Mistake(
            "fold-heads-merged",
            lambda *given: _reference(*given).transpose(1, 2),
            "The numbers are right. In which order do words and heads come in the result?",
        ),
    ],
    hints=[
        "After folding, row 0 is sentence 0 head 0, row 1 is sentence 0 head 1. Which row of keep "
        "belongs to each?",
        "repeat gives 0 1 0 1, repeat_interleave gives 0 0 1 1. Which order did the fold give?",
    ],
)
