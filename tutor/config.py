"""The settings of a Transformer, with those of the paper ready made (lesson 8)."""

from dataclasses import dataclass
from typing import Any, Literal, get_args

from tutor.layers import Activation, NormKind, NormPlace
from tutor.say import say
from tutor.shapes import heads_fit, positive

Stacks = Literal["both", "encoder", "decoder"]
Positions = Literal["sinusoidal", "learned", "rotary", "none"]

_CHOICES = {
    "norm": NormPlace,
    "norm_kind": NormKind,
    "activation": Activation,
    "positions": Positions,
    "stacks": Stacks,
}
_SIZES = (
    "vocabulary",
    "source_vocabulary",
    "layers",
    "d_model",
    "d_ff",
    "heads",
    "d_k",
    "d_v",
    "key_value_heads",
    "max_length",
)


@dataclass(frozen=True, kw_only=True)
class TransformerConfig:
    """All that decides a Transformer's form; the values given here are those of the paper's base.

    Attributes:
        vocabulary: number of words, V: of the target, and of the source unless it has its own.
        source_vocabulary: number of the source's words where it has a table of its own.
        layers: number of layers in each stack, N.
        d_model: width of a token.
        d_ff: width inside the feed-forward.
        heads: attentions side by side, h.
        d_k: width of a head's queries and keys; d_model / heads if None.
        d_v: width of a head's values; d_model / heads if None.
        key_value_heads: heads of keys and values if fewer than heads (grouped-query attention).
        dropout: how much of each sub-layer's output and of the input is dropped in training.
        norm: "post" as in the paper, or "pre" (with one more norm on top of each stack).
        norm_kind: "layer" as in the paper, or "rms".
        activation: of the feed-forward: "relu" as in the paper, "gelu" or "swiglu".
        bias: whether the linear maps of attention and feed-forward add a bias.
        tie: one table for source, target and output; otherwise each has its own.
        scale_embedding: multiply the word's vector by √d_model before the position is added.
        positions: "sinusoidal" as in the paper, "learned", "rotary" (inside self-attention), or
            "none".
        rotary_base: of the angles of rotary positions.
        embedding_norm: a layer norm on the input, after the sum, as BERT has it.
        max_length: longest sentence.
        eps: of the layer norms.
        pad_id: the id that fills up short sentences; -1 if none does.
        stacks: "both" to translate; "encoder" alone to read, as BERT; "decoder" alone, without
            cross-attention, to continue a text, as GPT.

    Example:
        >>> TransformerConfig.paper_base(vocabulary=37_000).d_model
        512

    Raises:
        ValueError: a setting is out of range, or two contradict each other.

    Source: "Attention Is All You Need", section 3 and Table 3.
    """

    vocabulary: int
    source_vocabulary: int | None = None
    layers: int = 6
    d_model: int = 512
    d_ff: int = 2048
    heads: int = 8
    d_k: int | None = None
    d_v: int | None = None
    key_value_heads: int | None = None
    dropout: float = 0.1
    norm: NormPlace = "post"
    norm_kind: NormKind = "layer"
    activation: Activation = "relu"
    bias: bool = True
    tie: bool = True
    scale_embedding: bool = True
    positions: Positions = "sinusoidal"
    rotary_base: float = 10_000.0
    embedding_norm: bool = False
    max_length: int = 512
    eps: float = 1e-5
    pad_id: int = 0
    stacks: Stacks = "both"

    def __post_init__(self) -> None:
        """Refuse what no model can be built from, before anything is built."""
        for name, kind in _CHOICES.items():
            value, allowed = getattr(self, name), get_args(kind)
            if value not in allowed:
                raise ValueError(
                    say(
                        "{name}={value!r}; expected one of {allowed}",
                        name=name,
                        value=value,
                        allowed=allowed,
                    )
                )
        positive(**{name: getattr(self, name) for name in _SIZES})
        heads_fit(self.d_model, self.heads, self.d_k, self.d_v, self.key_value_heads)
        if not 0 <= self.dropout < 1:
            raise ValueError(
                say("dropout={dropout}; expected a share from 0 to below 1", dropout=self.dropout)
            )
        if self.positions == "rotary" and (self.d_k or self.d_model // self.heads) % 2:
            raise ValueError(say("rotary positions turn pairs of features: d_k must be even"))
        smallest = min(self.vocabulary, self.source_vocabulary or self.vocabulary)
        if not -1 <= self.pad_id < smallest:
            raise ValueError(
                say(
                    "pad_id={pad_id}; expected -1 or an id below {smallest}",
                    pad_id=self.pad_id,
                    smallest=smallest,
                )
            )
        if self.source_vocabulary is not None and self.stacks != "both":
            raise ValueError(
                say("source_vocabulary needs stacks='both': one stack reads one language")
            )

    @classmethod
    def paper_base(cls, vocabulary: int, **changes: Any) -> "TransformerConfig":
        """The paper's base model, with any setting changed by name."""
        return cls(vocabulary=vocabulary, **changes)

    @classmethod
    def paper_big(cls, vocabulary: int, **changes: Any) -> "TransformerConfig":
        """The paper's big model, with any setting changed by name."""
        big: dict[str, Any] = {"d_model": 1024, "d_ff": 4096, "heads": 16, "dropout": 0.3}
        return cls(vocabulary=vocabulary, **(big | changes))

    @classmethod
    def tiny(cls, vocabulary: int, **changes: Any) -> "TransformerConfig":
        """A model that trains on a laptop in minutes, with any setting changed by name."""
        tiny: dict[str, Any] = {"layers": 2, "d_model": 128, "d_ff": 512, "heads": 4}
        return cls(vocabulary=vocabulary, **(tiny | changes))
