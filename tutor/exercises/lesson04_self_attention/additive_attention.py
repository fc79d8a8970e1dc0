"""additive_attention: a small network judges how well query and key match."""

import math
from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from tutor.attention import additive_attention as attend
from tutor.attention import additive_scores, dot_product_scores
from tutor.checking.exercise import Arguments, Exercise, Mistake
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.exercises.lesson04_self_attention.properties import attention_properties

Attended = tuple[Tensor, Tensor]


def _additive_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(
        batch: int, queries: int, keys: int, d_q: int, d_k: int, d_v: int, A: int
    ) -> Arguments:
        return {
            "q": rng.normal(batch, queries, d_q),
            "k": rng.normal(batch, keys, d_k),
            "v": rng.normal(batch, keys, d_v),
            "W_q": rng.normal(A, d_q),
            "W_k": rng.normal(A, d_k),
            "w": rng.normal(A),
        }

    return {
        "unequal sizes": case(2, 3, 5, 4, 9, 11, 7),
        "square": case(3, 4, 4, 4, 4, 4, 4),
        "one query": case(2, 1, 3, 2, 5, 4, 6),
        "more queries than keys": case(3, 5, 2, 6, 3, 4, 2),
        "one sentence": case(1, 3, 2, 4, 3, 5, 6),
        "one key": case(2, 3, 1, 5, 4, 2, 3),
        "one number each": case(3, 2, 4, 1, 1, 1, 1),
        "scores of ±1000": _loud(rng),
        EXAMPLE: {
            "q": torch.tensor([[[1.0]]]),
            "k": torch.tensor([[[-1.0], [1.0]]]),
            "v": torch.tensor([[[1.0], [3.0]]]),
            "W_q": torch.ones(1, 1),
            "W_k": torch.ones(1, 1),
            "w": torch.ones(1),
        },
    }


def _loud(rng: Rng) -> Arguments:
    """Let two hidden numbers set the level of each query's scores, and saturate all others.

    tanh of ±40 and more is exactly ±1 in float32, so the scores are exact.
    """
    levels = torch.tensor([[2000.0, 0.0], [-2000.0, 0.0], [0.0, 50.0], [0.0, -50.0]])
    fine = 40.0 * rng.integers(-1, 1, 4, 2)
    return {
        "q": torch.cat([levels, fine], dim=-1).expand(2, -1, -1).clone(),  # (2, 4, 4)
        "k": 100.0 * rng.integers(-1, 1, 2, 3, 2),
        "v": rng.normal(2, 3, 5),
        "W_q": torch.eye(4),
        "W_k": torch.eye(4)[:, 2:].contiguous(),
        "w": torch.tensor([1024.0, 40.0, 0.5, -1.25]),
    }


def _additive(scores: Callable[..., Tensor], dim: int = -1) -> Callable[..., Attended]:
    """Build an additive attention from its scores, for mistakes that lie there."""

    def attention(q: Tensor, k: Tensor, v: Tensor, W_q: Tensor, W_k: Tensor, w: Tensor) -> Attended:
        weights = torch.softmax(scores(q, k, W_q, W_k, w), dim)
        return weights @ v, weights

    return attention


def _sums(q: Tensor, k: Tensor, W_q: Tensor, W_k: Tensor) -> Tensor:
    return (q @ W_q.T).unsqueeze(-2) + (k @ W_k.T).unsqueeze(-3)  # (B, Tq, Tk, A)


def _additive_no_softmax(
    q: Tensor, k: Tensor, v: Tensor, W_q: Tensor, W_k: Tensor, w: Tensor
) -> Attended:
    scores = additive_scores(q, k, W_q, W_k, w)
    return scores @ v, scores


def _additive_log_softmax(
    q: Tensor, k: Tensor, v: Tensor, W_q: Tensor, W_k: Tensor, w: Tensor
) -> Attended:
    weights = torch.log_softmax(additive_scores(q, k, W_q, W_k, w), dim=-1)
    return weights @ v, weights


def _additive_returns_scores(
    q: Tensor, k: Tensor, v: Tensor, W_q: Tensor, W_k: Tensor, w: Tensor
) -> Attended:
    scores = additive_scores(q, k, W_q, W_k, w)
    return torch.softmax(scores, dim=-1) @ v, scores


def _product_of_projections(q: Tensor, k: Tensor, W_q: Tensor, W_k: Tensor, w: Tensor) -> Tensor:
    return torch.tanh((q @ W_q.T).unsqueeze(-2) * (k @ W_k.T).unsqueeze(-3)) @ w


def _tanh_each(q: Tensor, k: Tensor, W_q: Tensor, W_k: Tensor, w: Tensor) -> Tensor:
    return (torch.tanh(q @ W_q.T).unsqueeze(-2) + torch.tanh(k @ W_k.T).unsqueeze(-3)) @ w


def _swapped(q: Tensor, k: Tensor, W_q: Tensor, W_k: Tensor, w: Tensor) -> Tensor:
    return additive_scores(q, k, W_q, W_k, w).transpose(-2, -1)


_JUDGE = Rng(5).normal(3, 4), Rng(6).normal(3, 4), Rng(7).normal(3)  # W_q, W_k, w

_ASK_MEETING = (  # softmax ignores what is added to a whole row, so both give the same numbers
    "All your queries have the same weights. Do query and key meet before tanh bends their sum?"
)

additive_attention = Exercise(
    "additive_attention",
    points=3,
    reference=attend,
    cases=_additive_cases,
    returns=("output", "weights"),
    shapes={
        "q": "B Tq d_q",
        "k": "B Tk d_k",
        "v": "B Tk d_v",
        "W_q": "A d_q",
        "W_k": "A d_k",
        "w": "A",
        "output": "B Tq d_v",
        "weights": "B Tq Tk",
    },
    computed=("weights", "output"),
    mistakes=[
        Mistake(
            "additive-no-tanh",
            _additive(lambda q, k, W_q, W_k, w: _sums(q, k, W_q, W_k) @ w),
            "All your queries have the same weights. Without a bend in between, can what the query "
            "adds to every key's score change how keys compare?",
        ),
        Mistake(
            "additive-tanh-each",
            _additive(_tanh_each),
            _ASK_MEETING,
        ),
        Mistake(
            "additive-tanh-last",
            _additive(lambda q, k, W_q, W_k, w: torch.tanh(_sums(q, k, W_q, W_k) @ w)),
            "All your scores lie between −1 and 1. Which comes first, tanh or the product with w?",
        ),
        Mistake(
            "additive-relu",
            _additive(lambda q, k, W_q, W_k, w: torch.relu(_sums(q, k, W_q, W_k)) @ w),
            "Take a query and a key whose projections cancel, then both with the opposite sign. "
            "Your hidden layer loses one of the two. Which bend keeps signs?",
        ),
        Mistake(
            "additive-sigmoid",
            _additive(lambda q, k, W_q, W_k, w: torch.sigmoid(_sums(q, k, W_q, W_k)) @ w),
            "Your hidden layer is never negative. Which curve runs from −1 to 1?",
        ),
        Mistake(
            "additive-product",
            _additive(_product_of_projections),
            "Where a query's projection is zero, the key no longer matters in yours. How does "
            "additive attention join the two?",
        ),
        Mistake(
            "additive-no-w",
            _additive(lambda q, k, W_q, W_k, w: torch.tanh(_sums(q, k, W_q, W_k)).sum(-1)),
            "Change w and your result stays the same. What are its A numbers for?",
        ),
        Mistake(
            "additive-mean",
            _additive(lambda q, k, W_q, W_k, w: additive_scores(q, k, W_q, W_k, w) / w.numel()),
            "Your weights are too flat, and flatter the wider the hidden layer. Is a dot product a "
            "sum or a mean?",
        ),
        Mistake(
            "additive-scaled",
            _additive(
                lambda q, k, W_q, W_k, w: additive_scores(q, k, W_q, W_k, w) / math.sqrt(q.size(-1))
            ),
            "Your weights are too flat, and flatter the wider the queries. Which attention needs a "
            "scale, and why does tanh make it needless here?",
        ),
        Mistake(
            "additive-scaled-hidden",
            _additive(
                lambda q, k, W_q, W_k, w: additive_scores(q, k, W_q, W_k, w) / math.sqrt(w.numel())
            ),
            "Your weights are too flat, and flatter the wider the hidden layer. Does this "
            "exercise ask for a scale?",
        ),
        Mistake(
            "additive-softmax-over-queries",
            _additive(additive_scores, dim=-2),
            "Your columns sum to 1, your rows do not. Whose attention is shared out?",
        ),
        Mistake(
            "additive-softmax-over-batch",
            _additive(additive_scores, dim=0),
            "Your weights add up to 1 across the sentences. Which axis holds the keys?",
        ),
        Mistake(
            "additive-no-softmax",
            _additive_no_softmax,
            "Some of your weights are negative. Which step turns scores into shares?",
        ),
        Mistake(
            "additive-log-softmax",
            _additive_log_softmax,
            "All your weights are negative: they are the logarithms of shares. Which function "
            "gives the shares themselves?",
        ),
        Mistake(
            "additive-returns-scores",
            _additive_returns_scores,
            "Your output is right, but the rows of what you return beside it do not sum to 1. "
            "Which of your tensors did you average the values with?",
        ),
        Mistake(
            "additive-weights-not-transposed",
            _additive(lambda q, k, W_q, W_k, w: additive_scores(q, k, W_q.T, W_k.T, w)),
            "Your code runs only where the matrices are square. A matrix (A, d_q) turns a query "
            "of d_q numbers into A numbers: which of its axes meets the query?",
        ),
        Mistake(
            "additive-matrices-exchanged",
            _additive(lambda q, k, W_q, W_k, w: additive_scores(q, k, W_k, W_q, w)),
            "Your code runs only where queries and keys are equally wide. Which matrix belongs to "
            "which of them?",
        ),
        Mistake(
            "additive-one-matrix",
            _additive(lambda q, k, W_q, W_k, w: additive_scores(q, k, W_q, W_q, w)),
            "Change W_k and your result stays the same. Who projects the keys?",
        ),
        Mistake(
            "additive-query-ignored",
            _additive(
                lambda q, k, W_q, W_k, w: additive_scores(torch.zeros_like(q), k, W_q, W_k, w)
            ),
            _ASK_MEETING,
        ),
        Mistake(
            "additive-difference",
            _additive(lambda q, k, W_q, W_k, w: additive_scores(q, -k, W_q, W_k, w)),
            "Your keys count with the wrong sign. What is done with the two projections?",
        ),
        Mistake(
            "additive-query-key-swapped",
            _additive(_swapped),
            "Row i of your scores belongs to key i. Who asks here, and who is looked at?",
        ),
        Mistake(
            "additive-dot-product",
            _additive(lambda q, k, W_q, W_k, w: dot_product_scores(q @ W_q.T, k @ W_k.T)),
            "You compare the projections by their dot product, and w has no part in it. How are "
            "the two joined here?",
        ),
        Mistake(
            "additive-order-exchanged",
            lambda *given: attend(*given)[::-1],
            "Both results are right. In which order are they asked for?",
        ),
    ],
    properties=attention_properties(*_JUDGE),
    hints=[
        "Project first: q @ W_q.T gives A numbers per query, k @ W_k.T gives A numbers per key.",
        "Every query meets every key, so the sum has four axes: (batch, queries, keys, A). Where "
        "does each of the two need an axis of length 1?",
        "tanh of the sum, then its dot product with w, leaves one score per query and key. What "
        "turns these into weights is the same as before.",
    ],
)
