"""Torch's encoder and decoder with the course's weights copied into them.

Free of `conftest`, which has every call's shapes checked: benchmarks use it too.
"""

import torch
from torch import nn

from tutor.layers import LayerNorm
from tutor.multi_head import MultiHeadAttention
from tutor.transformer import Transformer


def copy_attention(ours: MultiHeadAttention, theirs: nn.MultiheadAttention) -> None:
    parts = (ours.W_q, ours.W_k, ours.W_v)
    theirs.in_proj_weight.copy_(torch.cat([part.weight for part in parts]))
    theirs.in_proj_bias.copy_(torch.cat([part.bias for part in parts]))
    theirs.out_proj.load_state_dict(ours.W_o.state_dict())


def copy_norm(ours: LayerNorm, theirs: nn.LayerNorm) -> None:
    theirs.weight.copy_(ours.gamma)
    theirs.bias.copy_(ours.beta)


@torch.no_grad()
def torchs_twin(model: Transformer) -> nn.Transformer:
    c = model.config
    size = (c.d_model, c.heads, c.d_ff, c.dropout, c.activation)
    options = {"norm_first": c.norm == "pre", "batch_first": True}
    reader, writer = (
        nn.TransformerEncoderLayer(*size, **options),
        nn.TransformerDecoderLayer(*size, **options),
    )
    encoder = nn.TransformerEncoder(reader, c.layers, enable_nested_tensor=False)
    decoder = nn.TransformerDecoder(writer, c.layers)
    if c.norm == "pre":
        encoder.norm, decoder.norm = nn.LayerNorm(c.d_model), nn.LayerNorm(c.d_model)
    theirs = nn.Transformer(
        c.d_model, c.heads, custom_encoder=encoder, custom_decoder=decoder, batch_first=True
    ).eval()
    for ours, its in ((model.encoder, theirs.encoder), (model.decoder, theirs.decoder)):
        for mine, layer in zip(ours.layers, its.layers, strict=True):
            copy_attention(mine.self_attention, layer.self_attn)
            layer.linear1.load_state_dict(mine.feed_forward.W_1.state_dict())
            layer.linear2.load_state_dict(mine.feed_forward.W_2.state_dict())
            places = ["self", "feed"]
            if ours is model.decoder:
                copy_attention(mine.cross_attention, layer.multihead_attn)
                places.insert(1, "cross")
            for number, place in enumerate(places, start=1):
                norm = getattr(mine, f"norm_{place}")
                copy_norm(norm, getattr(layer, f"norm{number}"))
        if ours.norm is not None:
            copy_norm(ours.norm, its.norm)
    return theirs
