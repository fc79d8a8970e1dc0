"""The Transformer of "Attention Is All You Need" (arXiv:1706.03762), whole, on one page.

No options, nothing hidden: every formula stands where it is used, on torch alone. B sentences of
L words, S in a source, T in a target; V words; D = d_model; h heads of d = D / h; `keep` is True
where a word may look. Numbers in brackets are the paper's sections. `tutor.transformer` has the
same model with options, and the two load each other's weights.

Example:
    >>> model = PaperTransformer(V=10, N=2, D=16, d_ff=32, h=4)
    >>> source, target = torch.tensor([[5, 6, 7, 3]]), torch.tensor([[2, 8, 9]])
    >>> model(source, target).shape  # a score for every next word, at every target position
    torch.Size([1, 3, 10])
"""

import math

import torch
from torch import Tensor, nn

PAD = 0  # the id that fills up short sentences
DROPOUT = 0.1  # how much of each sub-layer's output, and of the input, is dropped [5.4]


class MultiHeadAttention(nn.Module):
    """Several attentions side by side, each on its own projections [3.2.2]."""

    def __init__(self, D: int, h: int) -> None:
        super().__init__()
        self.h = h
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(D, D) for _ in range(4))

    def forward(self, x: Tensor, y: Tensor, keep: Tensor) -> Tensor:
        """Let each word of x, (B, Lx, D), look at the words of y, (B, Ly, D)."""
        q = self.W_q(x).unflatten(-1, (self.h, -1)).transpose(1, 2)  # (B, h, Lx, d)
        k = self.W_k(y).unflatten(-1, (self.h, -1)).transpose(1, 2)  # (B, h, Ly, d)
        v = self.W_v(y).unflatten(-1, (self.h, -1)).transpose(1, 2)  # (B, h, Ly, d)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))  # (B, h, Lx, Ly), equation 1
        weights = scores.masked_fill(~keep, -math.inf).softmax(-1)  # (B, h, Lx, Ly)
        weights = weights.masked_fill(~keep, 0.0)  # where nothing may be seen softmax gave NaN
        heads = weights @ v  # (B, h, Lx, d)
        return self.W_o(heads.transpose(1, 2).flatten(2))  # (B, Lx, h, d), then (B, Lx, D)


class FeedForward(nn.Module):
    """Think about each word alone [3.3]."""

    def __init__(self, D: int, d_ff: int) -> None:
        super().__init__()
        self.W_1, self.W_2 = nn.Linear(D, d_ff), nn.Linear(d_ff, D)

    def forward(self, x: Tensor) -> Tensor:
        """Widen, cut off what is negative, narrow again."""
        return self.W_2(torch.relu(self.W_1(x)))  # (B, L, d_ff), then (B, L, D), equation 2


class LayerNorm(nn.Module):
    """Give every word mean 0 and variance 1 over its features, then scale and shift [3.1]."""

    def __init__(self, D: int) -> None:
        super().__init__()
        self.gamma, self.beta = nn.Parameter(torch.ones(D)), nn.Parameter(torch.zeros(D))

    def forward(self, x: Tensor) -> Tensor:
        """Take each word's own mean away and divide by its own spread; no other word counts."""
        mean = x.mean(-1, keepdim=True)  # (B, L, 1)
        variance = x.var(-1, correction=0, keepdim=True)  # (B, L, 1)
        return (x - mean) / torch.sqrt(variance + 1e-5) * self.gamma + self.beta


class EncoderLayer(nn.Module):
    """Let the source's words look at each other, then think about each alone [3.1]."""

    def __init__(self, D: int, d_ff: int, h: int) -> None:
        super().__init__()
        self.self_attention, self.feed_forward = MultiHeadAttention(D, h), FeedForward(D, d_ff)
        self.norm_self, self.norm_feed = LayerNorm(D), LayerNorm(D)
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, x: Tensor, keep: Tensor) -> Tensor:
        """Transform the source, (B, S, D)."""
        x = self.norm_self(x + self.dropout(self.self_attention(x, x, keep)))
        return self.norm_feed(x + self.dropout(self.feed_forward(x)))


class DecoderLayer(nn.Module):
    """Look back at what is written, then over at the source, then think [3.1, 3.2.3]."""

    def __init__(self, D: int, d_ff: int, h: int) -> None:
        super().__init__()
        self.self_attention, self.feed_forward = MultiHeadAttention(D, h), FeedForward(D, d_ff)
        self.cross_attention = MultiHeadAttention(D, h)
        self.norm_self, self.norm_cross, self.norm_feed = (LayerNorm(D) for _ in range(3))
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, x: Tensor, memory: Tensor, keep: Tensor, memory_keep: Tensor) -> Tensor:
        """Transform the target, (B, T, D), with a view of the encoded source, (B, S, D)."""
        x = self.norm_self(x + self.dropout(self.self_attention(x, x, keep)))
        x = self.norm_cross(x + self.dropout(self.cross_attention(x, memory, memory_keep)))
        return self.norm_feed(x + self.dropout(self.feed_forward(x)))


class Encoder(nn.Module):
    """N layers, one after another [3.1]."""

    def __init__(self, N: int, D: int, d_ff: int, h: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList(EncoderLayer(D, d_ff, h) for _ in range(N))

    def forward(self, x: Tensor, keep: Tensor) -> Tensor:
        """Pass the source, (B, S, D), through all layers."""
        for layer in self.layers:
            x = layer(x, keep)
        return x


class Decoder(nn.Module):
    """N layers, each of which sees the same memory: what came out of the whole encoder [3.1]."""

    def __init__(self, N: int, D: int, d_ff: int, h: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList(DecoderLayer(D, d_ff, h) for _ in range(N))

    def forward(self, x: Tensor, memory: Tensor, keep: Tensor, memory_keep: Tensor) -> Tensor:
        """Pass the target, (B, T, D), through all layers."""
        for layer in self.layers:
            x = layer(x, memory, keep, memory_keep)
        return x


class Embedding(nn.Module):
    """One table of words for source, target, output [3.4], and where each word stands [3.5]."""

    def __init__(self, V: int, D: int) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.randn(V, D) / math.sqrt(D))

    def forward(self, ids: Tensor) -> Tensor:
        """Look up the words, (B, L), and add the sines and cosines of their positions."""
        L, D = ids.size(-1), self.table.size(-1)
        frequencies = 10_000 ** (-torch.arange(0, D, 2, dtype=torch.float64) / D)  # (D / 2,)
        angles = torch.arange(L)[:, None] * frequencies  # (L, D / 2)
        positions = torch.stack([angles.sin(), angles.cos()], -1).flatten(1)  # (L, D)
        return self.table[ids] * math.sqrt(D) + positions.to(self.table)  # (B, L, D)


class PaperTransformer(nn.Module):
    """Read the source, and score every next word of the target [Figure 1]."""

    def __init__(self, V: int, N: int = 6, D: int = 512, d_ff: int = 2048, h: int = 8) -> None:
        super().__init__()
        self.embedding = Embedding(V, D)
        self.encoder, self.decoder = Encoder(N, D, d_ff, h), Decoder(N, D, d_ff, h)
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Turn ids, (B, S) and (B, T) with <bos> first, into scores of words, (B, T, V)."""
        source_keep = (source != PAD)[:, None, None, :]  # (B, 1, 1, S)
        past = target.new_ones(target.size(1), target.size(1)).tril().bool()  # (T, T)
        target_keep = (target != PAD)[:, None, None, :] & past  # (B, 1, T, T)
        memory = self.encoder(self.dropout(self.embedding(source)), source_keep)  # (B, S, D)
        x = self.dropout(self.embedding(target))  # (B, T, D)
        x = self.decoder(x, memory, target_keep, source_keep)  # (B, T, D)
        return x @ self.embedding.table.T  # (B, T, V)
