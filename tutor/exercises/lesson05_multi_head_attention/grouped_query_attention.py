"""grouped_query_attention: neighbouring heads share keys and values."""

import math
from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from tutor.attention import scaled_dot_product_attention as attend
from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.exercises.extremes import queries_and_keys
from tutor.say import say

Attention = Callable[[Tensor, Tensor, Tensor], Tensor]


def _shared(x: Tensor, heads: int) -> Tensor:
    return x.repeat_interleave(heads // x.size(1), dim=1)  # (B, g, T, d) -> (B, h, T, d)


def _reference(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    heads = q.size(1)
    return attend(q, _shared(k, heads), _shared(v, heads))[0]


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(
        batch: int, heads: int, groups: int, queries: int, keys: int, d_k: int, d_v: int
    ) -> Arguments:
        return {
            "q": rng.normal(batch, heads, queries, d_k),
            "k": rng.normal(batch, groups, keys, d_k),
            "v": rng.normal(batch, groups, keys, d_v),
        }

    return {
        "unequal sizes": case(2, 9, 3, 4, 5, d_k=7, d_v=11),
        "four heads, two sets": case(1, 4, 2, 3, 3, d_k=4, d_v=4),
        "as many sets as heads": case(2, 3, 3, 4, 2, d_k=5, d_v=3),
        "one set for all": case(3, 4, 1, 2, 6, d_k=3, d_v=2),
        "more queries than keys": case(2, 4, 2, 5, 1, d_k=2, d_v=6),
        "one head": case(2, 1, 1, 3, 4, d_k=2, d_v=1),
        "one query": case(3, 8, 2, 1, 7, d_k=1, d_v=5),
        "as many sets as heads in a set": case(5, 4, 2, 4, 4, d_k=6, d_v=3),
        "scores of ±1000": _loud(rng),
        EXAMPLE: {
            "q": torch.zeros(1, 4, 1, 1),
            "k": torch.zeros(1, 2, 1, 1),
            "v": torch.tensor([[[[10.0]], [[20.0]]]]),
        },
    }


def _loud(rng: Rng) -> Arguments:
    q, k = queries_and_keys(rng, 2, 2, queries=4, keys=3)
    return {"q": q.repeat_interleave(2, dim=1), "k": k, "v": rng.normal(2, 2, 3, 5)}


def _neighbours_share(call: Call) -> str | None:
    q, k, v = Rng(1).normal(1, 4, 2, 3), Rng(2).normal(1, 2, 3, 3), Rng(3).normal(1, 2, 3, 3)
    changed = v.clone()
    changed[:, 1] += 10
    moved = (call(q, k, v) - call(q, k, changed)).abs().amax(dim=(0, 2, 3)) > 1e-3
    if moved.tolist() == [False, False, True, True]:
        return None
    return say(
        "Four heads, two sets. The values of the second set were changed; in yours the outputs of "
        "heads {heads} changed with them.",
        heads=[head for head, changes in enumerate(moved.tolist()) if changes],
    )


def _with(share: Callable[[Tensor, int], Tensor], scale: float | None = None) -> Attention:
    def attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        heads = q.size(1)
        scores = q @ share(k, heads).mT / (math.sqrt(q.size(-1)) if scale is None else scale)
        return torch.softmax(scores, dim=-1) @ share(v, heads)

    return attention


def _scaled_by(divisor: Callable[[Tensor, Tensor, Tensor], float]) -> Attention:
    return lambda q, k, v: _with(_shared, divisor(q, k, v))(q, k, v)


def _causal(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    keys, values = _shared(k, q.size(1)), _shared(v, q.size(1))
    keep = torch.ones(q.size(-2), k.size(-2), dtype=torch.bool).tril()
    return attend(q, keys, values, keep)[0]


def _tiled(x: Tensor, heads: int) -> Tensor:
    return x.repeat(1, heads // x.size(1), 1, 1)


def _first(x: Tensor, heads: int) -> Tensor:
    return x[:, :1].expand(-1, heads, -1, -1)


def _mean(x: Tensor, heads: int) -> Tensor:
    return x.mean(1, keepdim=True).expand(-1, heads, -1, -1)


def _reversed(x: Tensor, heads: int) -> Tensor:
    return _shared(x, heads).flip(1)


def _queries_averaged(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    grouped = q.unflatten(1, (k.size(1), -1)).mean(2)  # (B, g, Tq, d_k)
    return _shared(attend(grouped, k, v)[0], q.size(1))


def _keys_tiled(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return attend(q, _tiled(k, q.size(1)), _shared(v, q.size(1)))[0]


def _values_tiled(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return attend(q, _shared(k, q.size(1)), _tiled(v, q.size(1)))[0]


def _softmax_over_queries(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    k, v = _shared(k, q.size(1)), _shared(v, q.size(1))
    return torch.softmax(q @ k.mT / math.sqrt(q.size(-1)), dim=-2) @ v


def _one_head_a_set(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return attend(q[:, : k.size(1)], k, v)[0]


def _grouped_result(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return _reference(q, k, v).unflatten(1, (k.size(1), -1))


_WHICH = "Some heads use the keys or values of another group. Which set do heads 0 and 1 share?"

grouped_query_attention = Exercise(
    "grouped_query_attention",
    points=3,
    reference=_reference,
    cases=_cases,
    returns=("output",),
    shapes={"q": "B h Tq d_k", "k": "B g Tk d_k", "v": "B g Tk d_v", "output": "B h Tq d_v"},
    properties=[Property("Neighbouring heads share a set.", _neighbours_share)],
    mistakes=[
        Mistake("gqa-tiled", _with(_tiled), _WHICH),
        Mistake("gqa-keys-tiled", _keys_tiled, _WHICH),
        Mistake("gqa-values-tiled", _values_tiled, _WHICH),
        Mistake("gqa-reversed", _with(_reversed), _WHICH),
        Mistake(
            "gqa-first-set-only",
            _with(_first),
            "All your heads use the first set. What became of the others?",
        ),
        Mistake(
            "gqa-sets-averaged",
            _with(_mean),
            "Your heads use an average of all sets. Which set belongs to which heads?",
        ),
        Mistake(
            "gqa-queries-averaged",
            _queries_averaged,
            "All heads of a group give the same output in yours. What do they share, and what "
            "does each have of its own?",
        ),
        Mistake(
            "gqa-no-scale",
            _with(_shared, 1.0),
            "Your weights are too extreme. What divides the scores?",
        ),
        Mistake(
            "gqa-other-scale",
            _scaled_by(lambda q, k, v: float(q.size(-1))),
            "Your scores are divided by the wrong number. Over how many features does one dot "
            "product run?",
            variants=[
                _scaled_by(lambda q, k, v: math.sqrt(q.size(1) * q.size(-1))),
                _scaled_by(lambda q, k, v: math.sqrt(v.size(-1))),
                _scaled_by(lambda q, k, v: math.sqrt(k.size(-2))),
            ],
            reason="Four sizes stand ready for the root, as in the other attentions.",
        ),
        Mistake(
            "gqa-causal",
            _causal,
            "Your first query sees the first key alone. Is anything to be hidden here?",
            reason="Models that share keys are decoders, and their code brings its mask along.",
        ),
        Mistake(
            "gqa-softmax-over-queries",
            _softmax_over_queries,
            "Do the weights of one query sum to 1 in yours?",
        ),
        Mistake(
            "gqa-one-head-a-set",
            _one_head_a_set,
            "Yours gives as many heads as there are sets of keys. How many heads ask?",
        ),
        Mistake(
            "gqa-still-grouped",
            _grouped_result,
            "The numbers are right, but groups and heads are two axes. Which one is asked for?",
        ),
    ],
    hints=[
        "With four heads and two sets, write down for each head which set it uses.",
        "repeat gives 0 1 0 1, repeat_interleave gives 0 0 1 1. Which are neighbours?",
    ],
)
