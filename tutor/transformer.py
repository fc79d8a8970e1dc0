"""The full Transformer, put together from the parts of the earlier lessons (lesson 8).

The layers and stacks are in tutor/stacks.py, the settings in tutor/config.py.
"""

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tutor.cache import DecoderCache
from tutor.config import TransformerConfig
from tutor.embedding import TokenEmbedding
from tutor.mask import causal_keep, combine_keeps, padding_keep
from tutor.say import say
from tutor.shapes import fitting
from tutor.stacks import Decoder, DecoderLayer, Encoder, EncoderLayer, InputLayer

__all__ = [
    "Decoder",
    "DecoderLayer",
    "Encoder",
    "EncoderLayer",
    "InputLayer",
    "Transformer",
    "TransformerConfig",
]


class Transformer(nn.Module):
    """The model of the paper, or one of its two halves, as its settings say.

    Args:
        config: the settings; config.stacks says which stacks there are.

    Example:
        >>> import torch
        >>> model = Transformer(TransformerConfig.tiny(vocabulary=10))
        >>> source, target = torch.tensor([[5, 6, 7, 3]]), torch.tensor([[2, 8, 9]])
        >>> model(source, target).shape  # a score for every next word, at every target position
        torch.Size([1, 3, 10])

    Source: "Attention Is All You Need", Figure 1.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        c, both = config, config.stacks == "both"
        own = both and (not c.tie or c.source_vocabulary is not None)
        self.embedding = TokenEmbedding(c.vocabulary, c.d_model, c.scale_embedding)
        self.source_embedding = (
            TokenEmbedding(c.source_vocabulary or c.vocabulary, c.d_model, c.scale_embedding)
            if own
            else None
        )
        reads, writes = c.stacks != "decoder", c.stacks != "encoder"
        self.source_input = InputLayer(c) if reads else None
        self.encoder = Encoder(c) if reads else None
        self.target_input = InputLayer(c) if writes else None
        self.decoder = Decoder(c) if writes else None
        self.output = (
            nn.Linear(c.d_model, c.vocabulary, bias=False) if not c.tie and writes else None
        )
        self._initialise()

    def _initialise(self) -> None:
        """Start every projection with the spread that keeps activations and gradients even."""
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.xavier_uniform_(module.weight)
                if module.bias is not None:
                    nn.init.zeros_(module.bias)

    @fitting
    def encode(
        self,
        source: Int[Tensor, "batch source"],
        keep: Bool[Tensor, "#batch #heads #source source"] | None = None,
    ) -> Float[Tensor, "batch source d_model"]:
        """Read the source once: one vector per token, which knows its sentence.

        Args:
            source: ids.
            keep: True where a token may look; everywhere but at padding if None.

        Raises:
            ValueError: the model has no encoder.
        """
        if self.encoder is None or self.source_input is None:
            raise ValueError(say("encode needs an encoder; this model has stacks='decoder'"))
        keep = padding_keep(source, self.config.pad_id) if keep is None else keep
        embedding = self.embedding if self.source_embedding is None else self.source_embedding
        return self.encoder(self.source_input(embedding(source)), keep)

    @fitting
    def decode(
        self,
        target: Int[Tensor, "batch target"],
        memory: Float[Tensor, "batch source d_model"] | None = None,
        keep: Bool[Tensor, "*#batch_heads #target all_targets"] | None = None,
        memory_keep: Bool[Tensor, "#batch #heads #target source"] | None = None,
        cache: DecoderCache | None = None,
    ) -> Float[Tensor, "batch target d_model"]:
        """Turn what is written so far into vectors from which the next words are scored.

        Args:
            target: ids, <bos> first; with a cache only those not yet given to it.
            memory: what encode returned; None for a decoder alone.
            keep: True where a target token may look; itself and what comes before if None.
            memory_keep: True where it may look in the source (padding_keep of the source).
            cache: from new_cache, to write word by word without computing anything twice.

        Raises:
            ValueError: the model has no decoder, or memory is missing or out of place.
        """
        if self.decoder is None or self.target_input is None:
            raise ValueError(say("decode needs a decoder; this model has stacks='encoder'"))
        if (memory is None) == (self.config.stacks == "both"):
            raise ValueError(say("decode takes memory if, and only if, the model has an encoder"))
        past = 0 if cache is None else cache.length
        if keep is None and target.size(1) > 1:  # one word alone may look at all that is there
            keep = causal_keep(target.size(1), past, target.device)
        x = self.target_input(self.embedding(target), start=past)
        return self.decoder(x, memory, keep, memory_keep, cache)

    def logits(self, states: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch vocabulary"]:
        """Score every word of the vocabulary as the next one."""
        return self.embedding.logits(states) if self.output is None else self.output(states)

    def forward(
        self, source: Int[Tensor, "batch source"], target: Int[Tensor, "batch target"] | None = None
    ) -> Float[Tensor, "batch time features"]:
        """Score every next word in one pass over all positions, padding hidden.

        With both stacks: model(source, target) gives logits. A decoder alone: model(text) gives
        logits. An encoder alone: model(text) gives the tokens' vectors.

        Raises:
            ValueError: a target is given to one stack, or none to both.
        """
        if (target is None) == (self.config.stacks == "both"):
            raise ValueError(say("the model takes a target if, and only if, it has both stacks"))
        if self.config.stacks == "encoder":
            return self.encode(source)
        written = source if target is None else target
        keep = combine_keeps(
            padding_keep(written, self.config.pad_id),
            causal_keep(written.size(1), device=written.device),
        )  # (B, 1, T, T)
        if target is None:
            return self.logits(self.decode(written, keep=keep))
        source_keep = padding_keep(source, self.config.pad_id)  # (B, 1, 1, S)
        memory = self.encode(source, source_keep)
        return self.logits(self.decode(written, memory, keep, source_keep))

    def new_cache(self) -> DecoderCache:
        """Make an empty cache for one batch of sentences to be written with decode."""
        return DecoderCache(self.config.layers)
