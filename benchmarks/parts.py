"""Attention, multi-head attention and an encoder layer beside torch's, with the same weights."""

from collections.abc import Callable, Iterator

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from benchmarks.frame import Options, Row, compare, take_turns
from tests.torch_twin import copy_attention, torchs_twin
from tutor.attention import fused_scaled_dot_product_attention
from tutor.mask import keep_to_mha_key_padding_mask
from tutor.multi_head import MultiHeadAttention
from tutor.transformer import Transformer, TransformerConfig

GOAL = 1.0
ROWS, WORDS, WIDTH, HEADS = 8, 64, 512, 8
Call = Callable[[Tensor], Tensor]


def measure(options: Options) -> Iterator[Row]:
    """Compare each part forward alone, as in inference, and forward and backward."""
    for name, (ours, peer, x) in parts().items():
        seconds = options.seconds(2)
        with torch.no_grad():
            turns = take_turns(lambda: ours(x), lambda: peer(x), seconds)  # noqa: B023
        yield compare(f"{name}: forward", turns, goal=GOAL)
        turns = take_turns(backward(ours, x), backward(peer, x), seconds)
        yield compare(f"{name}: and backward", turns, goal=GOAL)


def parts() -> dict[str, tuple[Call, Call, Tensor]]:
    """Give each part, ours and torch's, and what it is called with.

    That is 8 sentences of 64 words, 512 wide, every second of them padded.
    """
    torch.manual_seed(0)
    keep = torch.ones(ROWS, 1, 1, WORDS, dtype=torch.bool)
    keep[::2, ..., -WORDS // 4 :] = False
    hidden = keep_to_mha_key_padding_mask(keep)
    x = torch.randn(ROWS, WORDS, WIDTH, requires_grad=True)
    in_heads = torch.randn(ROWS, HEADS, WORDS, WIDTH // HEADS, requires_grad=True)
    attention = MultiHeadAttention(WIDTH, HEADS)
    torchs_attention = nn.MultiheadAttention(WIDTH, HEADS, batch_first=True)
    with torch.no_grad():
        copy_attention(attention, torchs_attention)
    model = Transformer(TransformerConfig.paper_base(vocabulary=9, layers=1, dropout=0.0)).eval()
    assert model.encoder is not None
    layer, torchs_layer = model.encoder.layers[0], torchs_twin(model).encoder.layers[0]
    return {
        "attention": (
            lambda q: fused_scaled_dot_product_attention(q, q, q, keep),
            lambda q: F.scaled_dot_product_attention(q, q, q, attn_mask=keep),
            in_heads,
        ),
        "multi-head attention": (
            lambda x: attention(x, keep=keep)[0],
            lambda x: torchs_attention(x, x, x, key_padding_mask=hidden, need_weights=False)[0],
            x,
        ),
        "multi-head attention with its weights": (
            lambda x: attention(x, keep=keep, need_weights=True)[0],
            lambda x: torchs_attention(
                x, x, x, key_padding_mask=hidden, average_attn_weights=False
            )[0],
            x,
        ),
        "encoder layer": (
            lambda x: layer(x, keep),
            lambda x: torchs_layer(x, src_key_padding_mask=hidden),
            x,
        ),
    }


def backward(part: Call, x: Tensor) -> Callable[[], None]:
    """Give the call that goes forward and backward once."""

    def once() -> None:
        part(x).sum().backward()

    return once
