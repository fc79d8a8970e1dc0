"""Answers that are wrong where few look, and right ones of an unusual kind.

Each was once judged the other way round. The wrong ones fail at sizes or numbers that a statement
allows and that the first cases did not have.
"""

from collections import Counter
from itertools import pairwise

import pytest
import torch
import torch.nn.functional as F

from tutor.checking.calls import FunctionAnswer, ValueAnswer
from tutor.checking.examine import examine
from tutor.exercises import find
from tutor.position import rotate_by_position, sinusoidal_encoding

SEEDS = (0, 1, 20_260)


def strike_out(scores, real):
    """Hide by multiplying after softmax, and divide by what is left: 0 where all of it was lost."""
    weights = torch.softmax(scores, dim=-1) * real[:, None, :]
    return weights / weights.sum(-1, keepdim=True)


def _tables(weights, ids):
    previous, following = weights.diagonal(-1, -2, -1), weights.diagonal(1, -2, -1)
    same = (ids[:, None] == ids) & ~torch.eye(len(ids), dtype=torch.bool)
    return previous, following, (weights * same).sum(-1)[:, same.any(-1)], weights[:, 1:, 0]


def rules_by_votes(weights, ids):
    """Ask of most rows, in place of the mean, that more than half of the weight is there."""
    kept = torch.stack([(one > 0.5).float().mean(-1) > 0.5 for one in _tables(weights, ids)])
    return torch.where(kept.any(0), kept.int().argmax(0) + 1, 0)


def rules_with_one_other_place(weights, ids):
    """Count for rule 3 the first other place of the token, not all of them."""
    found = []
    for head in weights:
        taken = []
        for place, token in enumerate(ids.tolist()):
            others = [o for o, other in enumerate(ids.tolist()) if other == token and o != place]
            if others:
                taken.append(head[place, others[0]])
        shares = [one.mean() for one in _tables(head[None], ids)]
        shares[2] = torch.stack(taken).mean() if taken else torch.tensor(0.0)
        found.append(next((n for n, share in enumerate(shares, 1) if share > 0.5), 0))
    return torch.tensor(found)


def pairs_with_a_sentinel(ids, window):
    """Pad the sentence with 0, and leave out what is 0."""
    padded = [0] * window + list(ids) + [0] * window
    pairs = []
    for place in range(window, window + len(ids)):
        for other in range(place - window, place + window + 1):
            if other != place and padded[other] != 0:
                pairs.append((padded[place], padded[other]))
    return pairs


def turn_with_kept_angles():
    """Keep the angles of the first places that came with a width and a length."""
    kept = {}

    def turned(x, positions):
        size = x.shape[-2:]
        if size not in kept:
            kept[size] = positions
        return rotate_by_position(x, kept[size])

    return turned


def turn_with_a_table_that_grows():
    """Keep a table of angles for as many places as a batch has had so far."""
    kept = {}

    def turned(x, positions):
        d, places = x.size(-1), x.size(-2)
        if len(kept.get(d, ())) < places:
            kept[d] = positions
        return rotate_by_position(x, kept[d][:places])

    return turned


def merge_by_text(words, counts, new_id):
    """Replace the pair in a word that is written out."""
    pairs = Counter()
    for word, count in zip(words, counts):
        for pair in pairwise(word):
            pairs[pair] += count
    best = max(pairs, key=pairs.get)
    old = f"{best[0]} {best[1]}"
    texts = [" ".join(map(str, word)).replace(old, str(new_id)) for word in words]
    return best, [[int(piece) for piece in text.split()] for text in texts]


def fifty_rows(length, d_model):
    """Take the rows from a table of fifty."""
    table = sinusoidal_encoding(50, d_model)
    return torch.cat([table, torch.zeros(max(0, length - 50), d_model)])[:length]


def refuses_a_square(x, W):
    """Take a square W for a mistake, where a batch is projected."""
    if x.shape[-1] != W.shape[0] or (x.ndim == 3 and W.shape[0] == W.shape[1]):
        raise ValueError(f"x {tuple(x.shape)} does not fit W {tuple(W.shape)}")
    return x @ W


def lets_a_square_matrix_pass(x, W):
    """Look at a misfit only where W is not square."""
    if W.shape[0] != W.shape[1] and x.shape[-1] != W.shape[0]:
        raise ValueError(f"x {tuple(x.shape)} does not fit W {tuple(W.shape)}")
    return x @ W


def names_two_axes(x, W):
    """Name the last two axes of x alone."""
    if x.shape[-1] != W.shape[0]:
        raise ValueError(f"x {tuple(x.shape[-2:])} does not fit W {tuple(W.shape)}")
    return x @ W


def residual_cut_off(x, W, drop):
    """Add an x through which no gradient comes back."""
    return F.layer_norm(x.detach() + drop * torch.tanh(x @ W), x.shape[-1:], eps=1e-5)


def pre_residual_cut_off(x, W, drop):
    """Add an x through which no gradient comes back."""
    return x.detach() + drop * torch.tanh(F.layer_norm(x, x.shape[-1:], eps=1e-5) @ W)


def stack_residual_cut_off(x, weights):
    """Add a stream through which no gradient comes back."""
    for W in weights:
        x = x.detach() + torch.tanh(F.layer_norm(x, x.shape[-1:], eps=1e-5) @ W)
    return F.layer_norm(x, x.shape[-1:], eps=1e-5)


def count_in_float32(layers, d_model, d_ff, heads, d_k, d_v, vocabulary):
    """Count with tensors of float32, which hold whole numbers up to 2 ** 24."""
    D, F_, h = (torch.tensor(float(n)) for n in (d_model, d_ff, heads))
    attention = 2 * (D * h * d_k + h * d_k) + D * h * d_v + h * d_v + h * d_v * D + D
    feed_forward = D * F_ + F_ + F_ * D + D
    layer = 3 * attention + 2 * feed_forward + 5 * 2 * D
    return int(layers * layer + vocabulary * D)


WRONG = [
    ("mend_padding_mask", lambda: strike_out),
    ("name_the_rules", lambda: rules_by_votes),
    ("name_the_rules", lambda: rules_with_one_other_place),
    ("window_pairs", lambda: pairs_with_a_sentinel),
    ("rotate_by_position", turn_with_kept_angles),
    ("rotate_by_position", turn_with_a_table_that_grows),
    ("bpe_merge", lambda: merge_by_text),
    ("sinusoidal_encoding", lambda: fifty_rows),
    ("project_by_hand", lambda: refuses_a_square),
    ("project_by_hand", lambda: lets_a_square_matrix_pass),
    ("project_by_hand", lambda: names_two_axes),
    ("post_norm_block", lambda: residual_cut_off),
    ("pre_norm_block", lambda: pre_residual_cut_off),
    ("pre_norm_stack", lambda: stack_residual_cut_off),
    ("count_parameters", lambda: count_in_float32),
]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("exercise", "make"), WRONG, ids=[f"{e}-{n}" for n, (e, _) in enumerate(WRONG)]
)
def test_it_is_noticed(exercise: str, make, seed: int):
    assert not examine(find(exercise), FunctionAnswer(make()), seed).passed


def fold_by_library(q, k, v, keep):
    """Let torch broadcast the mask over the heads."""
    return F.scaled_dot_product_attention(q, k, v, attn_mask=keep[:, None, None])


def fold_by_broadcasting(q, k, v, keep):
    """Leave the heads where they are."""
    scores = q @ k.mT / q.size(-1) ** 0.5
    return scores.masked_fill(~keep[:, None, None], -torch.inf).softmax(-1) @ v


def fold_by_vmap(q, k, v, keep):
    """Give every sentence to a function of one."""

    def attend(q, k, v, keep):
        scores = torch.where(keep, q @ k.mT / q.size(-1) ** 0.5, -torch.inf)
        return scores.softmax(-1) @ v

    return torch.vmap(attend)(q, k, v, keep)


def rules_from_the_last(weights, ids):
    """Test rule 4 after the others, and let it win."""
    named = torch.zeros(len(weights), dtype=torch.int64)
    for rule, one in enumerate(_tables(weights, ids), start=1):
        named[one.mean(-1) > 0.5] = rule
    return named


def rules_added_up(weights, ids):
    """Add up the numbers of the rules that hold."""
    shares = torch.stack([one.mean(-1) for one in _tables(weights, ids)])
    return ((shares > 0.5) * torch.tensor([[1], [2], [3], [4]])).sum(0)


RIGHT = [
    ("folded_attention", fold_by_library),
    ("folded_attention", fold_by_broadcasting),
    ("folded_attention", fold_by_vmap),
    ("name_the_rules", rules_from_the_last),
    ("name_the_rules", rules_added_up),
]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("exercise", "answer"), RIGHT, ids=lambda one: getattr(one, "__name__", one)
)
def test_it_passes(exercise: str, answer, seed: int):
    verdict = examine(find(exercise), FunctionAnswer(answer), seed)
    assert verdict.passed, verdict


def test_a_score_of_1_is_told_a_true_sentence():
    """It is what two equal vectors score, and nearly that of an angle taken for degrees."""
    hint = examine(find("predict_rotary_score"), ValueAnswer(1.0)).hint
    assert "almost nothing" not in hint


def test_a_broken_number_for_a_table_is_told_a_true_sentence():
    verdict = examine(find("predict_remarkable"), ValueAnswer(1.5))
    assert "A whole number is asked for." in verdict.details
