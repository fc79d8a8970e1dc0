"""What cross_attention and safe_attention share: a source whose padding nobody may see."""

import math

import torch
from torch import Tensor

from tutor.attention import scaled_dot_product_attention as attend
from tutor.checking.exercise import Arguments, Call, Mistake
from tutor.checking.seeds import Rng
from tutor.exercises.extremes import queries_and_keys
from tutor.exercises.lesson07_masking import hiding
from tutor.say import later, say

HIDE = -math.inf


def keep_source(q: Tensor, real: Tensor) -> Tensor:
    """Say which key each query may look at: real ones."""
    return real[:, None, :].expand(-1, q.size(1), -1)  # (B, Tq, Tk)


def attend_source(q: Tensor, k: Tensor, v: Tensor, real: Tensor) -> hiding.Attended:
    """Attend to real keys."""
    return attend(q, k, v, keep_source(q, real))


def source_case(rng: Rng, queries: int, d_k: int, d_v: int, *patterns: str) -> Arguments:
    """Draw sentences whose real words are marked x in the patterns."""
    batch, keys = len(patterns), len(patterns[0])
    real = torch.tensor([[mark == "x" for mark in pattern] for pattern in patterns])
    q, k = rng.normal(batch, queries, d_k), rng.normal(batch, keys, d_k)
    return {"q": q, "k": k, "v": rng.normal(batch, keys, d_v), "real": real}


def small_cases(rng: Rng) -> dict[str, Arguments]:
    """Draw one of each size that hides something, and loud scores."""
    q, k = queries_and_keys(rng, 2, queries=4, keys=5)
    real = torch.tensor([[True, True, False, True, False], [False, True, True, True, True]])
    return {
        "one sentence": source_case(rng, 2, 3, 4, "xx-x"),
        "one query": source_case(rng, 1, 4, 2, "x-x", "xx-"),
        "one key": source_case(rng, 3, 2, 4, "x", "x"),
        "one number a key and a value": source_case(rng, 3, 1, 1, "xx-", "-xx"),
        "scores of ±1000": {"q": q, "k": k, "v": rng.normal(2, 5, 3), "real": real},
    }


def equal_scores(rng: Rng, queries: int, keys: int) -> Arguments:
    """Draw keys that every query likes equally."""
    return {
        "q": torch.zeros(1, queries, 2),
        "k": rng.normal(1, keys, 2),
        "v": rng.normal(1, keys, 2),
    }


SHAPES = {
    "q": "B Tq d_k",
    "k": "B Tk d_k",
    "v": "B Tk d_v",
    "real": "B Tk",
    "output": "B Tq d_v",
    "weights": "B Tq Tk",
}


def padding_is_hidden(call: Call) -> str | None:
    """Change the value of a padded key, and look at the output."""
    q, k, v = (Rng(seed).normal(1, 2, 2) for seed in (1, 2, 3))
    real = torch.tensor([[True, False]])
    other = torch.cat([v[:, :1], v[:, 1:] + 10], dim=1)
    if torch.allclose(call(q, k, v, real)[0], call(q, k, other, real)[0], atol=1e-5):
        return None
    return say("The value of a padded key was changed, and the output changed with it.")


def _keys_zeroed(q: Tensor, k: Tensor, v: Tensor, real: Tensor) -> hiding.Attended:
    return attend(q, k * real[..., None], v)


def _values_zeroed(q: Tensor, k: Tensor, v: Tensor, real: Tensor) -> hiding.Attended:
    return attend(q, k, v * real[..., None])


def _causal(q: Tensor, real: Tensor) -> Tensor:
    return keep_source(q, real) & torch.ones(q.size(1), real.size(1), dtype=torch.bool).tril()


def inverted(prefix: str) -> Mistake:
    """Hide what is real, as an exercise's own mistake."""
    return Mistake(
        f"{prefix}-inverted",
        hiding.hidden_by(HIDE, lambda q, real: ~keep_source(q, real)),
        "Your real words are hidden and padding is seen. What does True mean in `real`?",
        variants=[hiding.hidden_by(-1e9, lambda q, real: ~keep_source(q, real))],
    )


TITLES = (later("padding missing", "mistake"), later("log softmax infinite", "mistake"))

COMMON = [
    ("multiply-zero", hiding.multiplied(keep_source), hiding.ASK_ZERO),
    ("fill-zero", hiding.hidden_by(0.0, keep_source), hiding.ASK_ZERO),
    (
        "padding-missing",
        hiding.hidden_by(HIDE, lambda q, real: torch.ones_like(keep_source(q, real))),
        later("Padding gets weight in yours. Does `real` reach the scores?"),
    ),
    ("after-softmax", hiding.after_softmax(keep_source), hiding.ASK_ROWS),
    ("too-weak", hiding.hidden_by(-1.0, keep_source), hiding.ASK_SIZE),
    (
        "of-first-sentence",
        hiding.hidden_by(HIDE, lambda q, real: keep_source(q, real[:1]).expand(len(real), -1, -1)),
        hiding.ASK_FIRST,
    ),
    (
        "from-length",
        hiding.hidden_by(HIDE, lambda q, real: keep_source(q, hiding.up_to_length(real))),
        hiding.ASK_HOLES,
    ),
    (
        "keys-zeroed",
        _keys_zeroed,
        hiding.ASK_ZERO,  # a zero key scores 0: the same numbers as multiplying the scores
    ),
    (
        "values-zeroed",
        _values_zeroed,
        later(
            "Padded values count as zero, but their keys still take weight from real words. Before "
            "which step must a key be hidden?"
        ),
    ),
    (
        "causal",
        hiding.hidden_by(HIDE, _causal),
        later(
            "Your first query sees one source word only. Does the source lie in the decoder's "
            "future?"
        ),
    ),
    (
        "plus-inf",
        hiding.hidden_by(math.inf, keep_source),
        later(
            "Your results are NaN. Softmax gives the largest score the most: at which end must a "
            "hidden score lie?"
        ),
    ),
    ("no-scale", hiding.divided_by(lambda q, k: 1, keep_source), hiding.ASK_SCALE),
    ("log-softmax", hiding.logarithms(-1e9, keep_source), hiding.ASK_LOGARITHM),
    ("log-softmax-infinite", hiding.logarithms(HIDE, keep_source), hiding.ASK_LOGARITHM),
    ("softmax-over-queries", hiding.along_queries(keep_source), hiding.ASK_SIDE),
]
