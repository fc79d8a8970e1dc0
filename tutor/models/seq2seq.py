"""Translation with recurrent networks: what there was before the Transformer (lessons 1 and 8).

An encoder reads the source forwards and backwards, a decoder writes the target word by word.
Without attention one vector must hold the whole source, however long: the bottleneck. With
attention every target word looks at the source again. `Seq2Seq` is used exactly as `Transformer`
is, so the same training and the same decoding serve both.
"""

from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tutor.attention import additive_attention, attend, dot_product_scores
from tutor.embedding import TokenEmbedding
from tutor.mask import padding_keep
from tutor.rnn import GRU, last_real_state
from tutor.say import say

AttentionKind = Literal["none", "additive", "dot"]


@dataclass(frozen=True, kw_only=True)
class Seq2SeqConfig:
    """All that decides the form of a recurrent translator.

    Attributes:
        vocabulary: number of words of the target, and of the source unless it has its own.
        source_vocabulary: number of the source's words where it has a table of its own.
        d_model: width of a word's vector.
        hidden: width of the decoder's state; each direction of the encoder has half of it.
        attention: "none", "additive" (Bahdanau) or "dot" (Luong).
        dropout: how much of each word's vector and of each output state is dropped in training.
        pad_id: the id that fills up short sentences.

    Example:
        >>> Seq2SeqConfig(vocabulary=1000).attention
        'additive'

    Raises:
        ValueError: hidden is odd, or attention is not one of the three.
    """

    vocabulary: int
    source_vocabulary: int | None = None
    d_model: int = 128
    hidden: int = 256
    attention: AttentionKind = "additive"
    dropout: float = 0.1
    pad_id: int = 0

    def __post_init__(self) -> None:
        """Refuse what no model can be built from, before anything is built."""
        if self.attention not in ("none", "additive", "dot"):
            raise ValueError(
                say(
                    "attention={attention!r}; expected 'none', 'additive' or 'dot'",
                    attention=self.attention,
                )
            )
        if self.hidden % 2:
            raise ValueError(
                say(
                    "hidden={hidden} must be even: half for each reading direction",
                    hidden=self.hidden,
                )
            )


class AdditiveAttention(nn.Module):
    """`additive_attention` with weights to be trained.

    Args:
        width: of the states that ask and of the memory.
        inner: width of the hidden layer between them.

    Example:
        >>> states, memory = torch.zeros(1, 2, 4), torch.zeros(1, 3, 4)
        >>> context, weights = AdditiveAttention(4, inner=3)(states, memory)
        >>> context.shape, weights.shape
        (torch.Size([1, 2, 4]), torch.Size([1, 2, 3]))

    Source: Bahdanau et al. 2015.
    """

    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.W_q = nn.Parameter(torch.randn(inner, width) * width**-0.5)
        self.W_k = nn.Parameter(torch.randn(inner, width) * width**-0.5)
        self.w = nn.Parameter(torch.randn(inner) * inner**-0.5)

    def forward(
        self,
        states: Float[Tensor, "batch target width"],
        memory: Float[Tensor, "batch source width"],
        keep: Bool[Tensor, "*#batch #target source"] | None = None,
    ) -> tuple[Float[Tensor, "batch target width"], Float[Tensor, "batch target source"]]:
        """Average the memory for each state; keep is True where a state may look."""
        return additive_attention(states, memory, memory, self.W_q, self.W_k, self.w, keep)


class DotAttention(nn.Module):
    """Attention whose scores are the plain dot products of states and memory: no weights at all.

    Example:
        >>> context, weights = DotAttention()(torch.ones(1, 1, 2), torch.eye(2).unsqueeze(0))
        >>> context
        tensor([[[0.5000, 0.5000]]])

    Source: Luong et al. 2015, section 3.1 ("dot"; no scale there).
    """

    def forward(
        self,
        states: Float[Tensor, "batch target width"],
        memory: Float[Tensor, "batch source width"],
        keep: Bool[Tensor, "*#batch #target source"] | None = None,
    ) -> tuple[Float[Tensor, "batch target width"], Float[Tensor, "batch target source"]]:
        """Average the memory for each state; keep is True where a state may look."""
        return attend(dot_product_scores(states, memory), memory, keep)


class FixedContext(nn.Module):
    """No attention: every state gets the same single vector, all that is known of the source.

    Example:
        >>> context, weights = FixedContext()(torch.zeros(1, 3, 2), torch.ones(1, 1, 2))
        >>> context.shape, weights.shape
        (torch.Size([1, 3, 2]), torch.Size([1, 3, 1]))

    Source: Cho et al. 2014.
    """

    def forward(
        self,
        states: Float[Tensor, "batch target width"],
        memory: Float[Tensor, "batch 1 width"],
        keep: Bool[Tensor, "..."] | None = None,
    ) -> tuple[Float[Tensor, "batch target width"], Float[Tensor, "batch target 1"]]:
        """Give the one vector to every state; with nothing to choose from, keep is unused."""
        return memory.expand_as(states), memory.new_ones(*states.shape[:2], 1)


class StateCache:
    """What the decoder needs of the words it has read: its last state, and nothing else.

    Example:
        >>> cache = StateCache()
        >>> cache.state = torch.tensor([[1.0], [2.0]])
        >>> cache.reorder(torch.tensor([1, 1]))
        >>> cache.state
        tensor([[2.],
                [2.]])
    """

    def __init__(self) -> None:
        self.state: Tensor | None = None

    def reorder(self, rows: Int[Tensor, " kept"]) -> None:
        """Make row i the former row rows[i]."""
        if self.state is not None:
            self.state = self.state[rows]


class Seq2Seq(nn.Module):
    """A GRU that reads and a GRU that writes, without or with attention between them.

    Args:
        config: the settings.

    Example:
        >>> model = Seq2Seq(Seq2SeqConfig(vocabulary=10))
        >>> source, target = torch.tensor([[5, 6, 7, 3]]), torch.tensor([[2, 8, 9]])
        >>> model(source, target).shape  # a score for every next word, at every target position
        torch.Size([1, 3, 10])

    Source: Cho et al. 2014; Sutskever et al. 2014; Bahdanau et al. 2015; Luong et al. 2015, whose
    order (first the new state, then its look at the source) is used here.
    """

    def __init__(self, config: Seq2SeqConfig) -> None:
        super().__init__()
        self.config = config
        c = config
        self.embedding = TokenEmbedding(c.vocabulary, c.d_model)
        self.source_embedding = (
            TokenEmbedding(c.source_vocabulary, c.d_model) if c.source_vocabulary else None
        )
        self.forwards, self.backwards = GRU(c.d_model, c.hidden // 2), GRU(c.d_model, c.hidden // 2)
        self.bridge = nn.Linear(c.hidden, c.hidden)
        self.decoder = GRU(c.d_model, c.hidden)
        kinds = {"none": FixedContext, "dot": DotAttention}
        self.attention = (
            AdditiveAttention(c.hidden, c.d_model)
            if c.attention == "additive"
            else kinds[c.attention]()
        )
        self.combine = nn.Linear(2 * c.hidden, c.d_model)
        self.dropout = nn.Dropout(c.dropout)

    def encode(
        self,
        source: Int[Tensor, "batch source"],
        keep: Bool[Tensor, "batch 1 1 source"] | None = None,
    ) -> Float[Tensor, "batch memory hidden"]:
        """Read the source both ways: one vector per word, or one for all if there is no attention.

        Args:
            source: ids, padded on the right, at least one word a row.
            keep: True at real words; everywhere but at padding if None.

        Raises:
            ValueError: padding comes before a word, or a row is all padding.
        """
        keep = padding_keep(source, self.config.pad_id) if keep is None else keep
        lengths = _lengths(keep.flatten(start_dim=1))
        embedding = self.embedding if self.source_embedding is None else self.source_embedding
        x = self.dropout(embedding(source))  # (B, S, D)
        onwards, _ = self.forwards(x)
        back, _ = self.backwards(reverse_real(x, lengths))
        memory = torch.cat([onwards, reverse_real(back, lengths)], dim=-1)  # (B, S, H)
        if self.config.attention == "none":
            return _summary(memory, lengths).unsqueeze(1)  # (B, 1, H)
        return memory

    def decode(
        self,
        target: Int[Tensor, "batch target"],
        memory: Float[Tensor, "batch memory hidden"] | None = None,
        keep: Bool[Tensor, "..."] | None = None,
        memory_keep: Bool[Tensor, "batch 1 1 source"] | None = None,
        cache: StateCache | None = None,
    ) -> Float[Tensor, "batch target d_model"]:
        """Turn what is written so far into vectors from which the next words are scored.

        Args:
            target: ids, <bos> first; with a cache only those not yet given to it.
            memory: what encode returned.
            keep: unused, here so that all models are called alike: a recurrent network reads in
                order and cannot look ahead.
            memory_keep: True at the source's real words; everywhere if None.
            cache: from new_cache, to write word by word without reading anything twice.

        Raises:
            ValueError: memory is missing.
        """
        if memory is None:
            raise ValueError(say("decode needs memory, which encode(source) returns"))
        if memory_keep is None or self.config.attention == "none":
            memory_keep = memory.new_ones(len(memory), 1, 1, memory.size(1), dtype=torch.bool)
        if cache is not None and cache.state is not None:
            state = cache.state
        else:
            lengths = _lengths(memory_keep.flatten(start_dim=1))
            state = torch.tanh(self.bridge(_summary(memory, lengths)))  # (B, H)
        states, last = self.decoder(self.dropout(self.embedding(target)), state)  # (B, T, H)
        if cache is not None:
            cache.state = last
        context, _ = self.attention(states, memory, memory_keep.squeeze(1))  # (B, T, H)
        combined = torch.tanh(self.combine(torch.cat([context, states], dim=-1)))  # (B, T, D)
        return self.dropout(combined)

    def logits(self, states: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch vocabulary"]:
        """Score every word of the vocabulary as the next one."""
        return self.embedding.logits(states)

    def forward(
        self, source: Int[Tensor, "batch source"], target: Int[Tensor, "batch target"]
    ) -> Float[Tensor, "batch target vocabulary"]:
        """Score every next word of the target, given the words before it and the source."""
        keep = padding_keep(source, self.config.pad_id)  # (B, 1, 1, S)
        return self.logits(self.decode(target, self.encode(source, keep), memory_keep=keep))

    def new_cache(self) -> StateCache:
        """Make an empty cache for one batch of sentences to be written with decode."""
        return StateCache()


def reverse_real(
    x: Float[Tensor, "batch time features"], lengths: Int[Tensor, " batch"]
) -> Float[Tensor, "batch time features"]:
    """Turn the real part of each sentence round and leave its padding where it is, at the end.

    Example:
        >>> x = torch.tensor([[[1.0], [2.0], [0.0]], [[3.0], [4.0], [5.0]]])
        >>> reverse_real(x, torch.tensor([2, 3])).squeeze(-1)
        tensor([[2., 1., 0.],
                [5., 4., 3.]])
    """
    positions = torch.arange(x.size(1), device=x.device)  # (T,)
    ends = lengths.unsqueeze(-1)  # (B, 1)
    from_end = ends - 1 - positions
    source = torch.where(
        positions < ends, from_end, positions
    )  # (B, T): where each step comes from
    return x.gather(1, source.unsqueeze(-1).expand_as(x))


def _summary(
    memory: Float[Tensor, "batch source hidden"], lengths: Int[Tensor, " batch"]
) -> Float[Tensor, "batch hidden"]:
    """Put together what each direction knows when it has read everything."""
    half = memory.size(-1) // 2
    onwards = last_real_state(memory[..., :half], lengths)  # forwards it ends at the last word,
    return torch.cat([onwards, memory[:, 0, half:]], dim=-1)  # backwards at the first


def _lengths(real: Bool[Tensor, "batch time"]) -> Int[Tensor, " batch"]:
    """Count the real words of each row, which must come first and be at least one."""
    lengths = real.sum(-1)
    expected = torch.arange(real.size(1), device=real.device) < lengths.unsqueeze(-1)
    if not torch.equal(real, expected) or not lengths.all():
        raise ValueError(
            say(
                "a recurrent encoder needs at least one word in each row, and padding only after it"
            )
        )
    return lengths
