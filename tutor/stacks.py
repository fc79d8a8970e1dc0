"""The layers of encoder and decoder, and the stacks made of them (lesson 8)."""

from jaxtyping import Bool, Float
from torch import Tensor, nn

from tutor.cache import DecoderCache, KeyValueCache
from tutor.config import TransformerConfig
from tutor.layers import FeedForward, LayerNorm, Residual, RMSNorm, norm_of_kind
from tutor.multi_head import MultiHeadAttention
from tutor.position import LearnedPositions, SinusoidalPositions
from tutor.say import say


def _attention(config: TransformerConfig, crossing: bool = False) -> MultiHeadAttention:
    """One attention as the settings want it; positions are turned within one sentence only."""
    c = config
    base = c.rotary_base if c.positions == "rotary" and not crossing else None
    return MultiHeadAttention(c.d_model, c.heads, c.d_k, c.d_v, c.key_value_heads, c.bias, base)


def _feed_forward(config: TransformerConfig) -> FeedForward:
    """One feed-forward as the settings want it."""
    return FeedForward(config.d_model, config.d_ff, config.activation, config.bias)


def _norm(config: TransformerConfig) -> LayerNorm | RMSNorm:
    """One norm as the settings want it."""
    return norm_of_kind(config.norm_kind, config.d_model, config.eps)


class EncoderLayer(nn.Module):
    """Let the words of a sentence look at each other, then think about each alone.

    Example:
        >>> import torch
        >>> layer = EncoderLayer(TransformerConfig.tiny(vocabulary=10))
        >>> layer(torch.randn(2, 5, 128)).shape
        torch.Size([2, 5, 128])

    Source: "Attention Is All You Need", section 3.1 ("Encoder").
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.self_attention = _attention(config)
        self.feed_forward = _feed_forward(config)
        self.norm_self, self.norm_feed = _norm(config), _norm(config)
        self.residual = Residual(config.norm, config.dropout)

    def forward(
        self,
        x: Float[Tensor, "batch source d_model"],
        keep: Bool[Tensor, "*#batch_heads #source source"] | None = None,
    ) -> Float[Tensor, "batch source d_model"]:
        """Transform the tokens; keep hides the padding."""

        def look(x: Tensor) -> Tensor:
            return self.self_attention(x, keep=keep)[0]

        x = self.residual(x, look, self.norm_self)
        return self.residual(x, self.feed_forward, self.norm_feed)


class DecoderLayer(nn.Module):
    """Let the words written so far look at each other, then at the source, then think alone.

    In cross-attention the decoder asks (queries) and the encoder answers (keys and values).

    Example:
        >>> import torch
        >>> layer = DecoderLayer(TransformerConfig.tiny(vocabulary=10))
        >>> layer(torch.randn(2, 3, 128), memory=torch.randn(2, 5, 128)).shape
        torch.Size([2, 3, 128])

    Source: "Attention Is All You Need", sections 3.1 ("Decoder") and 3.2.3.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.crosses = config.stacks == "both"
        self.self_attention = _attention(config)
        if self.crosses:
            self.cross_attention = _attention(config, crossing=True)
            self.norm_cross = _norm(config)
        self.feed_forward = _feed_forward(config)
        self.norm_self, self.norm_feed = _norm(config), _norm(config)
        self.residual = Residual(config.norm, config.dropout)

    def forward(
        self,
        x: Float[Tensor, "batch target d_model"],
        memory: Float[Tensor, "batch source d_model"] | None = None,
        keep: Bool[Tensor, "*#batch_heads #target all_targets"] | None = None,
        memory_keep: Bool[Tensor, "*#batch_heads #target source"] | None = None,
        cache: tuple[KeyValueCache, KeyValueCache] | None = None,
    ) -> Float[Tensor, "batch target d_model"]:
        """Transform the tokens; keep hides what comes later, memory_keep the source's padding.

        Raises:
            ValueError: there is cross-attention, but no memory to look at.
        """
        if memory is None and self.crosses:
            raise ValueError(
                say("this decoder layer has cross-attention and needs memory, (B, S, D)")
            )
        of_self, of_cross = (None, None) if cache is None else cache

        def look_back(x: Tensor) -> Tensor:
            return self.self_attention(x, keep=keep, cache=of_self)[0]

        def look_over(x: Tensor) -> Tensor:
            return self.cross_attention(x, memory, memory_keep, of_cross)[0]

        x = self.residual(x, look_back, self.norm_self)
        if self.crosses:
            x = self.residual(x, look_over, self.norm_cross)
        return self.residual(x, self.feed_forward, self.norm_feed)


class Encoder(nn.Module):
    """A stack of encoder layers; with pre-norm, a last norm on top.

    Example:
        >>> import torch
        >>> Encoder(TransformerConfig.tiny(vocabulary=10))(torch.randn(2, 5, 128)).shape
        torch.Size([2, 5, 128])

    Source: "Attention Is All You Need", section 3.1; Xiong et al. 2020 for the last norm.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.layers = nn.ModuleList(EncoderLayer(config) for _ in range(config.layers))
        self.norm = _norm(config) if config.norm == "pre" else None

    def forward(
        self,
        x: Float[Tensor, "batch source d_model"],
        keep: Bool[Tensor, "*#batch_heads #source source"] | None = None,
    ) -> Float[Tensor, "batch source d_model"]:
        """Pass the tokens through all layers."""
        for layer in self.layers:
            x = layer(x, keep)
        return x if self.norm is None else self.norm(x)


class Decoder(nn.Module):
    """A stack of decoder layers, each reading the encoder's last output; with pre-norm, a norm.

    Example:
        >>> import torch
        >>> decoder = Decoder(TransformerConfig.tiny(vocabulary=10))
        >>> decoder(torch.randn(2, 3, 128), memory=torch.randn(2, 5, 128)).shape
        torch.Size([2, 3, 128])

    Source: "Attention Is All You Need", section 3.1; Xiong et al. 2020 for the last norm.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.layers = nn.ModuleList(DecoderLayer(config) for _ in range(config.layers))
        self.norm = _norm(config) if config.norm == "pre" else None

    def forward(
        self,
        x: Float[Tensor, "batch target d_model"],
        memory: Float[Tensor, "batch source d_model"] | None = None,
        keep: Bool[Tensor, "*#batch_heads #target all_targets"] | None = None,
        memory_keep: Bool[Tensor, "*#batch_heads #target source"] | None = None,
        cache: DecoderCache | None = None,
    ) -> Float[Tensor, "batch target d_model"]:
        """Pass the tokens through all layers."""
        for number, layer in enumerate(self.layers):
            of_layer = None if cache is None else cache.layers[number]
            x = layer(x, memory, keep, memory_keep, of_layer)
        return x if self.norm is None else self.norm(x)


class InputLayer(nn.Module):
    """Tell the words their positions: add each position's vector, then drop some of the sum.

    Example:
        >>> import torch
        >>> InputLayer(TransformerConfig.tiny(vocabulary=10))(torch.randn(2, 5, 128)).shape
        torch.Size([2, 5, 128])

    Source: "Attention Is All You Need", sections 3.5 and 5.4; Devlin et al. 2019 for the norm.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        added = {"sinusoidal": SinusoidalPositions, "learned": LearnedPositions}
        kind = added.get(config.positions)  # rotary positions are added nowhere: see attention
        self.positions = None if kind is None else kind(config.max_length, config.d_model)
        self.norm = _norm(config) if config.embedding_norm else None
        self.dropout = nn.Dropout(config.dropout)

    def forward(
        self, x: Float[Tensor, "batch time d_model"], start: int = 0
    ) -> Float[Tensor, "batch time d_model"]:
        """Add positions start, start + 1, … to the words' vectors."""
        x = x if self.positions is None else self.positions(x, start)
        return self.dropout(x if self.norm is None else self.norm(x))
