"""Multi-head attention: several attentions side by side (lesson 5).

Heads are cut out of the features, look around each for itself, and are put side by side again.
"""

from jaxtyping import Bool, Float
from torch import Tensor, nn

from tutor.attention import fused_grouped_attention, scaled_dot_product_attention
from tutor.cache import KeyValueCache
from tutor.position import rotate_by_position
from tutor.say import say
from tutor.shapes import fitting, heads_fit, positive


@fitting
def split_heads(
    x: Float[Tensor, "batch time features"], heads: int
) -> Float[Tensor, "batch {heads} time features//{heads}"]:
    """Cut the features of every token into one block per head.

    Head j gets the j-th block of neighbouring features, of all tokens.

    Example:
        >>> import torch
        >>> split_heads(torch.tensor([[[1.0, 2.0, 3.0, 4.0]]]), heads=2)  # one token
        tensor([[[[1., 2.]],
        <BLANKLINE>
                 [[3., 4.]]]])

    Raises:
        ValueError: there is no head, or the features cannot be cut into that many equal blocks.

    Source: "Attention Is All You Need", section 3.2.2.
    """
    positive(heads=heads)
    batch, time, features = x.shape
    if features % heads:
        raise ValueError(
            say(
                "{features} features (x has shape {x_shape}) cannot be cut into {heads} "
                "equal heads",
                features=features,
                x_shape=tuple(x.shape),
                heads=heads,
            )
        )
    blocks = x.reshape(batch, time, heads, features // heads)  # (B, T, h, d_k)
    return blocks.transpose(1, 2)  # (B, h, T, d_k): without this, tokens and heads would mix


@fitting
def merge_heads(
    x: Float[Tensor, "batch heads time d_v"],
) -> Float[Tensor, "batch time heads*d_v"]:
    """Put the heads' blocks of every token side by side again; the inverse of split_heads.

    Example:
        >>> import torch
        >>> x = torch.arange(24.0).view(1, 3, 8)
        >>> torch.equal(merge_heads(split_heads(x, heads=4)), x)
        True

    Raises:
        ValueError: shapes do not fit.

    Source: "Attention Is All You Need", section 3.2.2 ("Concat").
    """
    return x.transpose(1, 2).flatten(start_dim=2)  # (B, T, h, d_v), then (B, T, h·d_v)


class MultiHeadAttention(nn.Module):
    """Several attentions side by side, each looking at its own projection of every token.

    Args:
        d_model: width of a token on the way in and out.
        heads: how many attentions, h.
        d_k: width of a query and of a key in one head; d_model / heads if not given.
        d_v: width of a value in one head; d_model / heads if not given.
        key_value_heads: how many heads of keys and values; fewer than heads lets neighbouring
            heads share them (grouped-query attention), 1 all of them (multi-query attention).
        bias: whether the four projections add a bias.
        rotary_base: turn queries and keys by their positions before they meet, with this base
            (`rotate_by_position`); not at all if None. For self-attention alone.

    Example:
        >>> import torch
        >>> attention = MultiHeadAttention(d_model=16, heads=4)
        >>> output, weights = attention(torch.randn(2, 5, 16), need_weights=True)
        >>> output.shape, weights.shape
        (torch.Size([2, 5, 16]), torch.Size([2, 4, 5, 5]))

    Raises:
        ValueError: a size is below 1, d_model or heads cannot be divided as asked, or (when
            called) shapes do not fit, or two sentences are given to rotary attention, between
            whose positions there is no distance.

    Source: "Attention Is All You Need", section 3.2.2; Ainslie et al. 2023 for shared keys; Su et
    al. 2021 for rotary positions.
    """

    def __init__(
        self,
        d_model: int,
        heads: int,
        d_k: int | None = None,
        d_v: int | None = None,
        key_value_heads: int | None = None,
        bias: bool = True,
        rotary_base: float | None = None,
    ) -> None:
        super().__init__()
        positive(d_model=d_model, heads=heads, d_k=d_k, d_v=d_v, key_value_heads=key_value_heads)
        heads_fit(d_model, heads, d_k, d_v, key_value_heads)
        self.heads = heads
        self.key_value_heads = heads if key_value_heads is None else key_value_heads
        self.rotary_base = rotary_base
        d_k, d_v = d_k or d_model // heads, d_v or d_model // heads
        self.W_q = nn.Linear(d_model, heads * d_k, bias)
        self.W_k = nn.Linear(d_model, self.key_value_heads * d_k, bias)
        self.W_v = nn.Linear(d_model, self.key_value_heads * d_v, bias)
        self.W_o = nn.Linear(heads * d_v, d_model, bias)

    @fitting
    def forward(
        self,
        x_q: Float[Tensor, "batch queries d_model"],
        x_kv: Float[Tensor, "batch keys d_model"] | None = None,
        keep: Bool[Tensor, "*#batch_heads #queries all_keys"] | None = None,
        cache: KeyValueCache | None = None,
        need_weights: bool = False,
    ) -> tuple[
        Float[Tensor, "batch queries d_model"],
        Float[Tensor, "batch heads queries all_keys"] | None,
    ]:
        """Let every token of x_q look at the tokens of x_kv, or of x_q itself if x_kv is None.

        Args:
            x_q: the tokens that ask.
            x_kv: the tokens looked at (cross-attention); None for self-attention.
            keep: True where a query may look; broadcasts to (B, h, queries, all keys).
            cache: in self-attention, x_q holds only the new tokens: their keys and values are
                added to the cache and the queries see all of it. In cross-attention the first
                call fills the cache from x_kv and later calls reuse it unread.
            need_weights: return the weights too, at the price of the slower explicit path.

        Returns:
            The new tokens, and the weights of every head or None.
        """
        if keep is not None and keep.dim() not in (2, 4):
            raise ValueError(
                say(
                    "keep must have the axes (queries, keys) or (batch, heads, queries, keys), "
                    "of which all but the last may be 1; it has shape {keep_shape}",
                    keep_shape=tuple(keep.shape),
                )
            )
        past = 0 if cache is None else cache.length
        q = self._placed(split_heads(self.W_q(x_q), self.heads), past)  # (B, h, Tq, d_k)
        k, v = self._keys_and_values(x_q, x_kv, cache)  # (B, h_kv, Tk, d_k), (B, h_kv, Tk, d_v)
        if need_weights:
            if (sharing := self.heads // self.key_value_heads) > 1:
                # heads 0 … sharing-1 use the first set, and so on
                k, v = k.repeat_interleave(sharing, dim=1), v.repeat_interleave(sharing, dim=1)
            heads, weights = scaled_dot_product_attention(q, k, v, keep)  # (B, h, Tq, d_v)
            return self.W_o(merge_heads(heads)), weights
        heads = fused_grouped_attention(q, k, v, keep)  # (B, h, Tq, d_v)
        return self.W_o(merge_heads(heads)), None

    def _keys_and_values(
        self, x_q: Tensor, x_kv: Tensor | None, cache: KeyValueCache | None
    ) -> tuple[Tensor, Tensor]:
        """Project what is looked at, or take it from the cache."""
        if x_kv is not None and self.rotary_base is not None:
            raise ValueError(say("rotary positions are for self-attention: x_kv must be None"))
        stored = None if cache is None or x_kv is None else cache.stored
        if stored is not None:
            k, v = stored
        else:
            source = x_q if x_kv is None else x_kv
            past = 0 if cache is None else cache.length
            k = self._placed(split_heads(self.W_k(source), self.key_value_heads), past)
            # k: (B, h_kv, Tk, d_k)
            v = split_heads(self.W_v(source), self.key_value_heads)  # (B, h_kv, Tk, d_v)
            if cache is not None:
                k, v = cache.extend(k, v)
        return k, v  # (B, h_kv, Tk, d_k), (B, h_kv, Tk, d_v)

    def _placed(self, x: Tensor, past: int) -> Tensor:
        """Turn queries or keys by their positions, past and on, where positions are rotary."""
        if self.rotary_base is None:
            return x
        return rotate_by_position(x, range(past, past + x.size(2)), self.rotary_base)
