"""Masks: which way they point, how they combine, and both of torch's conventions by behaviour."""

import torch
import torch.nn.functional as F
from torch import nn

from tests.conftest import seeded
from tutor.attention import scaled_dot_product_attention
from tutor.mask import (
    causal_keep,
    combine_keeps,
    keep_to_mha_attn_mask,
    keep_to_mha_key_padding_mask,
    padding_keep,
)


def test_padding_hides_its_id_wherever_it_stands_and_no_other():
    ids = torch.tensor([[7, 0, 9, 7], [0, 3, 7, 5]])  # pad id 7, a hole, and a real word with id 0
    keep = padding_keep(ids, pad_id=7)
    assert keep.shape == (2, 1, 1, 4)
    assert keep[:, 0, 0].tolist() == [[False, True, True, False], [True, True, False, True]]


def test_causal_lets_each_see_itself_and_the_past_alone():
    keep = causal_keep(4)
    assert all(keep[i, j] == (j <= i) for i in range(4) for j in range(4))


def test_causal_after_a_past_is_the_lower_part_of_the_whole():
    assert torch.equal(causal_keep(2, past=3), causal_keep(5)[3:])


def test_combining_lets_look_only_where_all_do():
    padding = padding_keep(torch.tensor([[5, 0, 6], [0, 5, 6]]), pad_id=0)
    both = combine_keeps(padding, None, causal_keep(3))
    assert both.shape == (2, 1, 3, 3)
    assert both[0, 0].tolist() == [[True, False, False], [True, False, False], [True, False, True]]
    assert both[1, 0].tolist() == [[False] * 3, [False, True, False], [False, True, True]]
    assert combine_keeps(None, None) is None


def test_in_sdpa_true_means_may_look():
    q = k = v = torch.randn(2, 4, 8, generator=seeded(0))
    keep = causal_keep(4)
    expected, _ = scaled_dot_product_attention(q, k, v, keep)
    theirs = F.scaled_dot_product_attention(q, k, v, attn_mask=keep)
    torch.testing.assert_close(theirs, expected, rtol=0, atol=1e-6)
    turned_round = F.scaled_dot_product_attention(q, k, v, attn_mask=~keep | torch.eye(4).bool())
    assert not torch.allclose(turned_round, expected)


def test_in_multihead_attention_true_means_ignore():
    module = nn.MultiheadAttention(8, 2, batch_first=True)
    x = torch.randn(2, 4, 8, generator=seeded(0))
    padding = padding_keep(torch.tensor([[5, 6, 0, 0], [5, 6, 7, 0]]), pad_id=0)
    _, weights = module(
        x,
        x,
        x,
        key_padding_mask=keep_to_mha_key_padding_mask(padding),
        attn_mask=keep_to_mha_attn_mask(causal_keep(4), batch=2, heads=2),
        average_attn_weights=False,
    )
    keep = combine_keeps(padding, causal_keep(4))
    assert torch.equal(weights > 0, keep.expand(2, 2, 4, 4))


def test_one_mask_per_head_keeps_sentences_and_heads_apart():
    keep = torch.rand(2, 3, 4, 5, generator=seeded(0)) > 0.5
    attn_mask = keep_to_mha_attn_mask(keep, batch=2, heads=3)
    assert torch.equal(attn_mask[1 * 3 + 2], ~keep[1, 2])
