"""Right numbers by another way than the statement asks for, and by a call of torch's own."""

import math

import pytest
import torch
import torch.nn.functional as F

from tutor.checking.calls import FunctionAnswer
from tutor.checking.examine import examine
from tutor.exercises import find


def judged(name, function):
    return examine(find(name), FunctionAnswer(function))


def one_causal_pass(x, encoding, W, prompt_length):
    q, k, v = ((x + encoding[: len(x)]) @ each for each in W)
    scores = q @ k.T / math.sqrt(k.size(1))
    later = torch.ones_like(scores).triu(1).bool()
    return scores.masked_fill(later, -math.inf).softmax(-1) @ v


def torchs_causal_pass(x, encoding, W, prompt_length):
    q, k, v = ((x + encoding[: len(x)])[None] @ each for each in W)
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)[0]


def all_keys_at_once(x, encoding, W, prompt_length):
    placed = x + encoding[: len(x)]
    k, v = placed @ W[1], placed @ W[2]
    scale = math.sqrt(k.size(1))
    rows = [
        torch.softmax(k[: t + 1] @ (word @ W[0]) / scale, 0) @ v[: t + 1]
        for t, word in enumerate(placed)
    ]
    return torch.stack(rows)


def every_key_again_for_each_word(x, encoding, W, prompt_length):
    placed, rows = x + encoding[: len(x)], []
    for t, word in enumerate(placed):
        k = torch.stack([old @ W[1] for old in placed[: t + 1]])
        v = torch.stack([old @ W[2] for old in placed[: t + 1]])
        rows.append(torch.softmax(k @ (word @ W[0]) / math.sqrt(k.size(1)), 0) @ v)
    return torch.stack(rows)


@pytest.mark.parametrize(
    ("function", "word"),
    [
        (one_causal_pass, "144 numbers"),
        (torchs_causal_pass, "48 numbers"),
        (all_keys_at_once, "48 numbers"),
        (every_key_again_for_each_word, "708 numbers in all"),
    ],
)
def test_an_answer_without_a_cache_is_told_so(function, word):
    verdict = judged("cached_attention", function)
    assert (verdict.status, verdict.points) == ("wrong", 0)
    assert verdict.headline.startswith("The numbers are right")
    assert word in verdict.details[0]


def broadcast(q, k, v, keep):
    return F.scaled_dot_product_attention(q, k, v, attn_mask=keep[:, None, None])


def a_head_at_a_time(q, k, v, keep):
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(q.size(-1))
    scores = scores.masked_fill(~keep[:, None, None], -math.inf)
    return torch.stack([scores[:, h].softmax(-1) @ v[:, h] for h in range(q.size(1))], dim=1)


@pytest.mark.parametrize("function", [broadcast, a_head_at_a_time])
def test_an_answer_that_does_not_fold_counts(function):
    """The statement says that the result is judged."""
    assert judged("folded_attention", function).passed


def torchs_norm(x, gamma, beta, eps):
    return F.layer_norm(x, x.shape[-1:], gamma, beta, eps)


def torchs_loss(logits, labels, pad_id):
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=pad_id)


@pytest.mark.parametrize(
    ("name", "function", "own"),
    [
        ("layer_norm", torchs_norm, "layer_norm"),
        ("sequence_cross_entropy", torchs_loss, "cross_entropy"),
    ],
)
def test_a_call_of_torchs_own_counts_with_a_note(name, function, own):
    verdict = judged(name, function)
    assert verdict.passed
    assert verdict.notes == (
        f"This is torch's own {own}, and it counts. Can you write it without?",
    )
