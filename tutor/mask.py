"""Masks: who may look where (lesson 7).

Every mask in the course is a boolean tensor called `keep`: True means *may look*. It hides keys,
never queries, and broadcasts to the scores' shape (batch, heads, queries, keys). PyTorch itself has
two conventions, which point opposite ways: `F.scaled_dot_product_attention` takes a keep as it is,
`nn.MultiheadAttention` what the functions at the end make of it.
"""

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from tutor.shapes import fitting


@fitting
def padding_keep(ids: Int[Tensor, "batch time"], pad_id: int) -> Bool[Tensor, "batch 1 1 time"]:
    """Let every query of every head look at the real tokens of its own sentence only.

    Example:
        >>> padding_keep(torch.tensor([[5, 6, 0], [7, 0, 0]]), pad_id=0)[:, 0, 0]
        tensor([[ True,  True, False],
                [ True, False, False]])

    Source: "Attention Is All You Need" leaves it unsaid; needed whenever sentences share a batch.
    """
    return (ids != pad_id)[:, None, None, :]  # (B, 1, 1, T)


def causal_keep(
    length: int, past: int = 0, device: torch.device | str | None = None
) -> Bool[Tensor, "{length} {past}+{length}"]:
    """Let each position look at itself and at what comes before it, never ahead.

    Args:
        length: number of positions that ask.
        past: number of earlier positions, held in a cache, that all of them may look at too.
        device: where the tensor is made.

    Example:
        >>> causal_keep(3)
        tensor([[ True, False, False],
                [ True,  True, False],
                [ True,  True,  True]])

    Source: "Attention Is All You Need", section 3.2.3.
    """
    everything = torch.ones(length, past + length, dtype=torch.bool, device=device)
    return everything.tril(diagonal=past)  # (T, past + T)


def combine_keeps(*keeps: Bool[Tensor, "..."] | None) -> Bool[Tensor, "..."] | None:
    """Let a query look where every given mask lets it; None stands for "everywhere".

    Example:
        >>> padding = padding_keep(torch.tensor([[5, 6, 0]]), pad_id=0)
        >>> combine_keeps(padding, causal_keep(3))[0, 0]
        tensor([[ True, False, False],
                [ True,  True, False],
                [ True,  True, False]])
    """
    combined: Tensor | None = None
    for keep in keeps:
        if keep is not None:
            combined = keep if combined is None else combined & keep
    return combined


@fitting
def keep_to_mha_key_padding_mask(
    keep: Bool[Tensor, "batch 1 1 keys"],
) -> Bool[Tensor, "batch keys"]:
    """Give `key_padding_mask` of nn.MultiheadAttention, where True means ignore this key.

    Example:
        >>> keep_to_mha_key_padding_mask(padding_keep(torch.tensor([[5, 6, 0]]), pad_id=0))
        tensor([[False, False,  True]])
    """
    return ~keep[:, 0, 0, :]  # (B, Tk)


@fitting
def keep_to_mha_attn_mask(
    keep: Bool[Tensor, "*batch_heads queries keys"], batch: int, heads: int
) -> Bool[Tensor, "{batch}*{heads} queries keys"]:
    """Give `attn_mask` of nn.MultiheadAttention, where True means do not look.

    Batch and heads are one axis there, sentence by sentence.

    Example:
        >>> keep_to_mha_attn_mask(causal_keep(2), batch=1, heads=1)
        tensor([[[False,  True],
                 [False, False]]])
    """
    queries, keys = keep.shape[-2:]
    each_head = keep.expand(batch, heads, queries, keys)  # (B, h, Tq, Tk)
    return ~each_head.reshape(batch * heads, queries, keys)  # (B·h, Tq, Tk)
