"""One word's row on its way through MiniLM: what each sub-layer adds, and the row without it.

A norm stands after every sum, so what was added early is normalised by all norms above it. Once the
standard deviations are known these are plain scalings, and the last row is a sum again.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, cast

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from tutor.embedding import pad_rows
from tutor.layers import LayerNorm
from tutor.mask import padding_keep
from tutor.models.minilm import CONFIG, MiniLM
from tutor.models.tracing import trace
from tutor.stacks import Encoder, EncoderLayer

SUB_LAYERS = 2 * CONFIG.layers  # attention and feed-forward in turn


class Stream(NamedTuple):
    """One word's row in each of some sentences, from the bottom to the top.

    Attributes:
        tokens: all tokens of the sentences before each sub-layer, and after the last.
        keep: which of them are no padding.
        places: where the word stands in each sentence.
        added: what each sub-layer adds to the word's row.
    """

    tokens: list[Float[Tensor, "batch T d_model"]]
    keep: Bool[Tensor, "batch 1 1 T"]
    places: list[int]
    added: Float[Tensor, "sub_layers batch d_model"]

    @property
    def end(self) -> Float[Tensor, "batch d_model"]:
        """The word's rows after the last layer."""
        return self.rows(self.tokens[-1])

    def rows(self, tokens: Float[Tensor, "batch T d_model"]) -> Float[Tensor, "batch d_model"]:
        """Take the word's row out of each sentence."""
        return tokens[range(len(self.places)), self.places]


@torch.inference_mode()
def stream_of(minilm: MiniLM, sentences: Sequence[str], word: str) -> Stream:
    """Follow a word, one token at its first place, through the model."""
    encoded = [minilm.tokenizer.encode(sentence) for sentence in sentences]
    ids = pad_rows([one.ids for one in encoded], CONFIG.pad_id)  # (B, T)
    source_input = cast(Callable[[Tensor], Tensor], minilm.model.source_input)
    x = source_input(minilm.model.embedding(ids))  # (B, T, D)
    keep, tokens, found = padding_keep(ids, CONFIG.pad_id), [x], []
    for number in range(SUB_LAYERS):
        sub_layer, norm = _sub_layer(minilm, number, keep)
        found.append(sub_layer(tokens[-1]))
        tokens.append(norm(tokens[-1] + found[-1]))
    stream = Stream(tokens, keep, [one.tokens.index(word) for one in encoded], x)
    return stream._replace(added=torch.stack([stream.rows(one) for one in found]))


@torch.inference_mode()
def end_without(
    minilm: MiniLM, stream: Stream, off: int, instead: Float[Tensor, " d_model"] | None = None
) -> Float[Tensor, "batch d_model"]:
    """Give the word's last rows if one sub-layer adds nothing to them, or the same to all.

    The other words keep what it adds to theirs.
    """
    x = stream.tokens[off]
    for number in range(off, SUB_LAYERS):
        sub_layer, norm = _sub_layer(minilm, number, stream.keep)
        found = sub_layer(x)
        if number == off:
            found = found.clone()
            found[range(len(stream.places)), stream.places] = 0.0 if instead is None else instead
        x = norm(x + found)
    return stream.rows(x)


@torch.inference_mode()
def parts_of_the_end(minilm: MiniLM, stream: Stream) -> Float[Tensor, "parts batch d_model"]:
    """Take the last rows apart: what is left of the start, and of each addition; the sum is exact.

    Each norm's standard deviation is held at its value, so each part is centred, divided by it and
    scaled by gamma like the whole. The shifts, beta, are counted with the start.
    """
    parts = stream.rows(stream.tokens[0])[None]  # (1, B, D)
    for number in range(SUB_LAYERS):
        _, norm = _sub_layer(minilm, number, stream.keep)
        whole = stream.rows(stream.tokens[number]) + stream.added[number]  # (B, D)
        deviation = torch.sqrt(whole.var(-1, correction=0, keepdim=True) + norm.eps)  # (B, 1)
        parts = torch.cat([parts, stream.added[number][None]])
        parts = (parts - parts.mean(-1, keepdim=True)) / deviation * norm.gamma
        parts[0] += norm.beta
    return parts


@torch.inference_mode()
def neuron_values(minilm: MiniLM, sentences: Sequence[Sequence[int]]) -> Float[Tensor, "..."]:
    """Give what every neuron of the feed-forward layers says of every token, after GELU.

    Args:
        minilm: the pretrained model.
        sentences: the ids of each, all of one length.

    Returns:
        Values of shape (layers, batch, T, d_ff).
    """
    with trace(minilm.model) as t:
        minilm.model(torch.tensor(sentences))
    names = [f"encoder.layers.{layer}.feed_forward.activation" for layer in range(CONFIG.layers)]
    return torch.stack([t[name] for name in names])


def _sub_layer(
    minilm: MiniLM, number: int, keep: Bool[Tensor, "batch 1 1 T"]
) -> tuple[Callable[[Tensor], Tensor], LayerNorm]:
    encoder = cast(Encoder, minilm.model.encoder)
    layer = cast(EncoderLayer, encoder.layers[number // 2])
    if number % 2:
        return layer.feed_forward, cast(LayerNorm, layer.norm_feed)
    return lambda x: layer.self_attention(x, keep=keep)[0], cast(LayerNorm, layer.norm_self)
