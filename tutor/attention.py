"""Attention: look-up by likeness (lesson 4).

Attention is always the same three steps: score every query against every key, turn each row of
scores into weights by softmax, average the values with them. Only the score differs.
"""

import math
from functools import partial

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor

from tutor.say import say
from tutor.shapes import fitting


@fitting
def dot_product_scores(
    q: Float[Tensor, "*batch queries d_k"], k: Float[Tensor, "*batch keys d_k"]
) -> Float[Tensor, "*batch queries keys"]:
    """Score each key by its dot product with each query: large when both point the same way.

    Example:
        >>> dot_product_scores(torch.tensor([[1.0, 0.0, 2.0]]), torch.tensor([[0.0, 1.0, 1.0]]))
        tensor([[2.]])

    Raises:
        ValueError: queries and keys are not equally long.

    Source: Luong et al. 2015, section 3.1 ("dot").
    """
    return q @ k.transpose(-2, -1)  # (*batch, queries, keys)


@fitting
def additive_scores(
    q: Float[Tensor, "*batch queries d_q"],
    k: Float[Tensor, "*batch keys d_k"],
    W_q: Float[Tensor, "d_a d_q"],
    W_k: Float[Tensor, "d_a d_k"],
    w: Float[Tensor, " d_a"],
) -> Float[Tensor, "*batch queries keys"]:
    """Score each key for each query by a network of one hidden layer, w · tanh(W_q q + W_k k).

    Queries and keys may differ in length; d_a is the width of the hidden layer.

    Example:
        >>> one = torch.ones(1, 1)
        >>> additive_scores(one, one, W_q=one, W_k=one, w=torch.ones(1))  # tanh(2)
        tensor([[0.9640]])

    Raises:
        ValueError: shapes do not fit.

    Source: Bahdanau et al. 2015, appendix A.1.2.
    """
    from_queries = (q @ W_q.T).unsqueeze(-2)  # (*batch, queries, 1, d_a)
    from_keys = (k @ W_k.T).unsqueeze(-3)  # (*batch, 1, keys, d_a)
    return torch.tanh(from_queries + from_keys) @ w  # (*batch, queries, keys)


@fitting
def attend(
    scores: Float[Tensor, "*batch queries keys"],
    v: Float[Tensor, "*batch keys d_v"],
    keep: Bool[Tensor, "*#batch #queries keys"] | None = None,
) -> tuple[Float[Tensor, "*batch queries d_v"], Float[Tensor, "*batch queries keys"]]:
    """Turn scores into weights and average the values with them.

    Args:
        scores: one number per query and key, of any size and sign.
        v: values; one per key.
        keep: True where a query may look. A query that may look nowhere gets zeros.

    Returns:
        The averages and the weights; each row of weights sums to 1 (or 0 for such a query).

    Example:
        >>> output, weights = attend(torch.zeros(1, 2), v=torch.tensor([[2.0], [4.0]]))
        >>> output, weights
        (tensor([[3.]]), tensor([[0.5000, 0.5000]]))

    Raises:
        ValueError: there is not one value per key, or keep is not boolean, does not fit, or can be
            read in two ways.
    """
    if keep is not None:
        _check_keep(keep, scores)
        scores = scores.masked_fill(~keep, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    if keep is not None:
        weights = weights.masked_fill(~keep.any(-1, keepdim=True), 0.0)  # softmax of nothing is NaN
    return weights @ v, weights


@fitting
def scaled_dot_product_attention(
    q: Float[Tensor, "*batch queries d_k"],
    k: Float[Tensor, "*batch keys d_k"],
    v: Float[Tensor, "*batch keys d_v"],
    keep: Bool[Tensor, "*#batch #queries keys"] | None = None,
) -> tuple[Float[Tensor, "*batch queries d_v"], Float[Tensor, "*batch queries keys"]]:
    """Average the values, each query weighting them by how well their keys match it.

    Args:
        q: queries, one per position that asks.
        k: keys, one per position looked at.
        v: values, one per key.
        keep: True where a query may look. A query that may look nowhere gets zeros.

    Returns:
        The averages and the weights; each row of weights sums to 1 (or 0 for such a query).

    Example:
        >>> q = torch.tensor([[1.0, 0.0, 2.0]])
        >>> k = torch.tensor([[0.0, 1.0, 1.0], [4.0, 4.0, 0.0], [2.0, 3.0, 1.0]])
        >>> v = torch.tensor([[1.0, 2.0, 3.0], [2.0, 8.0, 0.0], [2.0, 6.0, 3.0]])
        >>> output, weights = scaled_dot_product_attention(q, k, v)
        >>> weights.round(decimals=3)
        tensor([[0.1360, 0.4320, 0.4320]])

    Raises:
        ValueError: shapes do not fit, or keep is not boolean or can be read in two ways.

    Source: "Attention Is All You Need", section 3.2.1, equation 1.
    """
    return attend(dot_product_scores(q, k) / math.sqrt(q.size(-1)), v, keep)


@fitting
def fused_scaled_dot_product_attention(
    q: Float[Tensor, "*batch queries d_k"],
    k: Float[Tensor, "*batch keys d_k"],
    v: Float[Tensor, "*batch keys d_v"],
    keep: Bool[Tensor, "*#batch #queries keys"] | None = None,
) -> Float[Tensor, "*batch queries d_v"]:
    """Do the same as scaled_dot_product_attention in one fused kernel, without showing the weights.

    Faster and lighter, because the table of weights is never stored. Outputs and gradients are
    equal, those of a query that may look nowhere included.

    Example:
        >>> q = k = v = torch.eye(3)
        >>> explicit, _ = scaled_dot_product_attention(q, k, v)
        >>> torch.allclose(explicit, fused_scaled_dot_product_attention(q, k, v))
        True

    Raises:
        ValueError: shapes do not fit, or keep is not boolean or can be read in two ways.

    Source: "Attention Is All You Need", equation 1; Dao et al. 2022 ("FlashAttention").
    """
    if keep is not None:
        _check_keep(keep, q)  # as long as q has its own axes
    more = (None,) * (4 - q.dim())  # the kernel takes (B, h, T, d): fewer axes would miss it
    found = fused_grouped_attention(q[more], k[more], v[more], keep)
    return found.view(*q.shape[:-1], v.size(-1))  # (1, …, T, d_v), then (…, T, d_v)


@fitting
def fused_grouped_attention(
    q: Float[Tensor, "*batch heads queries d_k"],
    k: Float[Tensor, "*batch key_value_heads keys d_k"],
    v: Float[Tensor, "*batch key_value_heads keys d_v"],
    keep: Bool[Tensor, "*#batch_heads #queries keys"] | None = None,
) -> Float[Tensor, "*batch heads queries d_v"]:
    """Do the same where neighbouring heads of queries share keys and values, which stay as few.

    Example:
        >>> q, k, v = torch.zeros(1, 4, 1, 1), torch.zeros(1, 2, 1, 1), torch.ones(1, 2, 1, 1)
        >>> fused_grouped_attention(q, k, v).shape
        torch.Size([1, 4, 1, 1])

    Raises:
        ValueError: shapes do not fit.

    Source: Ainslie et al. 2023.
    """
    attend = partial(F.scaled_dot_product_attention, enable_gqa=q.size(-3) != k.size(-3))
    if keep is None:
        return attend(q, k, v)
    _check_keep(keep, q)
    sees_something = keep.any(-1, keepdim=True)
    # PyTorch's attn_mask is True where a query may look, as keep is.
    if keep.device.type == "cpu" and sees_something.all():  # to ask a GPU would make it wait
        return attend(q, k, v, attn_mask=keep)
    # Kernels disagree on rows with nothing to see (some give NaN): let those look everywhere, and
    # then take zeros.
    output = attend(q, k, v, attn_mask=keep | ~sees_something)
    return output.masked_fill(~sees_something, 0.0)


@fitting
def additive_attention(
    q: Float[Tensor, "*batch queries d_q"],
    k: Float[Tensor, "*batch keys d_k"],
    v: Float[Tensor, "*batch keys d_v"],
    W_q: Float[Tensor, "d_a d_q"],
    W_k: Float[Tensor, "d_a d_k"],
    w: Float[Tensor, " d_a"],
    keep: Bool[Tensor, "*#batch #queries keys"] | None = None,
) -> tuple[Float[Tensor, "*batch queries d_v"], Float[Tensor, "*batch queries keys"]]:
    """Average the values as attention does, with a small network as the judge of likeness.

    No scale: tanh keeps the scores small. Shapes as in additive_scores and attend.

    Example:
        >>> one = torch.ones(1, 1)
        >>> keys, values = torch.tensor([[1.0], [-1.0]]), torch.tensor([[1.0], [0.0]])
        >>> output, weights = additive_attention(one, keys, values, one, one, torch.ones(1))
        >>> weights  # softmax of tanh(2) and tanh(0)
        tensor([[0.7239, 0.2761]])

    Raises:
        ValueError: shapes do not fit, or keep is not boolean.

    Source: Bahdanau et al. 2015, section 3.1 and appendix A.1.2.
    """
    return attend(additive_scores(q, k, W_q, W_k, w), v, keep)


def _check_keep(keep: Tensor, asking: Tensor) -> None:
    """Refuse a keep of another kind, and one of which nobody can say what its rows are.

    Numbers, 0.0 and -inf or 0 and 1, would mean something else. Two axes are (queries, keys), the
    same for all sentences; a table of padding, (sentences, keys), looks alike where there are as
    many sentences as queries.

    Args:
        keep: True where a query may look.
        asking: the queries or their scores, (*batch, queries, any).
    """
    if keep.dtype != torch.bool:
        raise ValueError(
            say(
                "keep must be boolean, True where a query may look; it is {dtype}", dtype=keep.dtype
            )
        )
    queries = asking.size(-2)
    if keep.dim() == 2 and asking.dim() == 3 and len(keep) == len(asking) == queries > 1:
        raise ValueError(
            say(
                "keep {keep_shape} can be read in two ways, as {queries} sentences have "
                "{queries} queries. Write keep[None] if its axes are (queries, keys), "
                "keep[:, None] if they are (sentences, keys)",
                keep_shape=tuple(keep.shape),
                queries=queries,
            )
        )
