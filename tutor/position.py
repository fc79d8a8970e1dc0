"""Telling attention where a word stands (lesson 3).

Self-attention alone does not see order: shuffle the words and the outputs are shuffled alike. So
each position gets a vector of its own, added to the word's.
"""

from functools import lru_cache

import torch
from jaxtyping import Float, Real
from torch import Tensor, nn

from tutor.embedding import fresh_rows
from tutor.say import say
from tutor.shapes import fitting


def sinusoidal_encoding(
    length: int, d_model: int, base: float = 10_000.0, dtype: torch.dtype = torch.float32
) -> Float[Tensor, "{length} {d_model}"]:
    """Write each position as the hands of d_model/2 clocks, from fast to slow.

    Column 2i holds sin(pos / base^(2i/d_model)), column 2i+1 the cosine of the same angle; the
    wavelengths grow from 2π towards base·2π. An odd d_model ends in a sine.

    Example:
        >>> sinusoidal_encoding(length=2, d_model=4)
        tensor([[0.0000, 1.0000, 0.0000, 1.0000],
                [0.8415, 0.5403, 0.0100, 0.9999]])

    Source: "Attention Is All You Need", section 3.5.
    """
    if torch.get_default_device().type == "meta":  # shapes without numbers are asked for
        return torch.empty(length, d_model, dtype=dtype)
    angles = _angles(torch.arange(length, device="cpu"), d_model, base)  # (length, pairs)
    pairs = torch.stack([angles.sin(), angles.cos()], dim=-1)  # (length, pairs, 2)
    encoding = pairs.flatten(start_dim=1)[:, :d_model]  # (length, d_model): sin cos sin cos …
    return encoding.to(torch.get_default_device(), dtype)


def _angles(positions: Tensor, d_model: int, base: float) -> Tensor:
    """The angle of each clock's hand at each position, (T, ceil(d_model / 2)), float64 on the CPU.

    In float32 the power and the product err by 5e-4 at position 5000, and MPS has no float64.
    """
    exponents = -torch.arange(0, d_model, 2, dtype=torch.float64, device="cpu") / d_model
    return positions.to("cpu", torch.float64)[:, None] * base**exponents


def shift_matrix(
    offset: int, d_model: int, base: float = 10_000.0
) -> Float[Tensor, "{d_model} {d_model}"]:
    """Give the matrix M that moves an encoding: M PE(pos) = PE(pos + offset) for every pos.

    It turns each clock's hand by the same angle wherever it stands, in 2×2 blocks on the diagonal.

    Example:
        >>> moved = shift_matrix(3, d_model=4) @ sinusoidal_encoding(2, 4)[1]
        >>> torch.allclose(moved, sinusoidal_encoding(5, 4)[4])
        True

    Raises:
        ValueError: d_model is odd, so that the last sine has no cosine to turn with.

    Source: "Attention Is All You Need", section 3.5 ("linear function of PE_pos").
    """
    if d_model % 2:
        raise ValueError(
            say(
                "d_model must be even for sines and cosines to pair up; it is {d_model}",
                d_model=d_model,
            )
        )
    angles = _angles(torch.tensor([offset], device="cpu"), d_model, base)[0]  # (d_model / 2,)
    sin, cos = angles.sin(), angles.cos()
    turns = torch.stack([torch.stack([cos, sin], -1), torch.stack([-sin, cos], -1)], dim=-2)
    # turns: (d_model / 2, 2, 2)
    return torch.block_diag(*turns).to(torch.get_default_device(), torch.float32)


def one_hot_positions(length: int, size: int) -> Float[Tensor, "{length} {size}"]:
    """Write each position as a single 1 at its own place; size is the longest sentence possible.

    Example:
        >>> one_hot_positions(length=2, size=3)
        tensor([[1., 0., 0.],
                [0., 1., 0.]])

    Raises:
        ValueError: the sentence has more positions than size.
    """
    if length > size:
        raise ValueError(
            say(
                "{length} positions do not fit into one-hot vectors of size {size}",
                length=length,
                size=size,
            )
        )
    return torch.eye(length, size)


@fitting
def add_positions(
    x: Float[Tensor, "batch time d_model"], encoding: Float[Tensor, "positions d_model"]
) -> Float[Tensor, "batch time d_model"]:
    """Add to each token the vector of the place where it stands, the same in every sentence.

    Example:
        >>> add_positions(torch.ones(1, 2, 1), torch.tensor([[0.0], [0.5], [0.7]]))
        tensor([[[1.0000],
                 [1.5000]]])

    Raises:
        ValueError: the sentence is longer than the encoding, or not as wide.

    Source: "Attention Is All You Need", section 3.5.
    """
    return x + _rows(encoding, x.size(1))


@fitting
def concatenate_positions(
    x: Float[Tensor, "batch time d_model"], encoding: Float[Tensor, "positions d_position"]
) -> Float[Tensor, "batch time d_model+d_position"]:
    """Put the vector of its place beside each token: wider, where adding costs nothing.

    Example:
        >>> concatenate_positions(torch.ones(1, 2, 1), torch.tensor([[0.0], [0.5]]))
        tensor([[[1.0000, 0.0000],
                 [1.0000, 0.5000]]])

    Raises:
        ValueError: the sentence is longer than the encoding.
    """
    rows = _rows(encoding, x.size(1)).expand(x.size(0), -1, -1)  # (B, T, d_position)
    return torch.cat([x, rows], dim=-1)  # (B, T, d_model + d_position)


def _rows(encoding: Tensor, length: int, start: int = 0) -> Tensor:
    """The encoding's rows start … start + length - 1, or an error that says how many there are."""
    if start + length > encoding.size(0):
        raise ValueError(
            say(
                "positions {start} … {last} are asked for, but the encoding has shape "
                "{encoding_shape}: {rows} positions, counted from 0",
                start=start,
                last=start + length - 1,
                encoding_shape=tuple(encoding.shape),
                rows=encoding.size(0),
            )
        )
    return encoding[start : start + length]


class SinusoidalPositions(nn.Module):
    """Adds the sinusoidal encoding, computed once and never trained.

    Example:
        >>> SinusoidalPositions(max_length=10, d_model=2)(torch.zeros(1, 2, 2))
        tensor([[[0.0000, 1.0000],
                 [0.8415, 0.5403]]])

    Raises:
        ValueError: (when called) a position beyond max_length.

    Source: "Attention Is All You Need", section 3.5.
    """

    encoding: Tensor

    def __init__(self, max_length: int, d_model: int) -> None:
        super().__init__()
        # A buffer moves with the model but is no parameter; it can be recomputed: not stored.
        self.register_buffer("encoding", sinusoidal_encoding(max_length, d_model), persistent=False)

    @fitting
    def forward(
        self, x: Float[Tensor, "batch time d_model"], start: int = 0
    ) -> Float[Tensor, "batch time d_model"]:
        """Add positions start, start + 1, … to the tokens."""
        return add_positions(x, _rows(self.encoding, x.size(1), start))


class LearnedPositions(nn.Module):
    """Adds one trained vector per position; knows nothing about positions it was not trained on.

    Example:
        >>> LearnedPositions(max_length=10, d_model=4)(torch.zeros(1, 3, 4)).shape
        torch.Size([1, 3, 4])

    Raises:
        ValueError: (when called) a position beyond max_length.

    Source: "Attention Is All You Need", Table 3 row (E); Devlin et al. 2019 (BERT).
    """

    def __init__(self, max_length: int, d_model: int) -> None:
        super().__init__()
        self.encoding = nn.Parameter(fresh_rows(max_length, d_model))

    @fitting
    def forward(
        self, x: Float[Tensor, "batch time d_model"], start: int = 0
    ) -> Float[Tensor, "batch time d_model"]:
        """Add positions start, start + 1, … to the tokens."""
        return add_positions(x, _rows(self.encoding, x.size(1), start))


@fitting
def rotate_by_position(
    x: Float[Tensor, "*batch time d_k"],
    positions: Real[Tensor, " time"] | range | None = None,
    base: float = 10_000.0,
) -> Float[Tensor, "*batch time d_k"]:
    """Turn queries or keys by their position, so that their dot product sees only the distance.

    Features 2i and 2i+1 are the plane that turns with the i-th clock of the sinusoidal encoding.

    Args:
        x: queries or keys, one head or many; d_k even.
        positions: where the tokens stand, between whole numbers too; 0, 1, 2, … if not given. The
            angles of a range are computed once, as all layers ask for the same.
        base: as in the sinusoidal encoding.

    Example:
        >>> q = torch.ones(8, 4)  # the same query and key everywhere
        >>> scores = rotate_by_position(q) @ rotate_by_position(q).T
        >>> torch.allclose(scores[2, 1], scores[7, 6]), torch.allclose(scores[2, 1], scores[2, 2])
        (True, False)

    Raises:
        ValueError: d_k is odd.

    Source: Su et al. 2021 ("RoFormer"), equation 34.
    """
    if x.size(-1) % 2:
        raise ValueError(
            say("d_k must be even to turn in pairs; x has shape {x_shape}", x_shape=tuple(x.shape))
        )
    hands = _hands(range(x.size(-2)) if positions is None else positions, x.size(-1), base)
    wide = x if x.dtype == torch.float64 else x.float()  # half as precise, sums would be rough
    pairs = torch.complex(wide[..., 0::2], wide[..., 1::2])  # (*batch, T, d_k / 2)
    # (a + bi) · (cos + i·sin) = (a·cos - b·sin) + i·(a·sin + b·cos): it turns the pair (a, b).
    turned = torch.view_as_real(pairs * hands.to(pairs))  # (*batch, T, d_k / 2, 2)
    return turned.flatten(start_dim=-2).to(x.dtype)  # (*batch, T, d_k)


def _hands(positions: Tensor | range, d_model: int, base: float) -> Tensor:
    """Each clock's hand at each position as a complex number of length 1: cosine and sine."""
    if isinstance(positions, range):
        return _hands_in_a_row(positions, d_model, base)
    angles = _angles(positions, d_model, base)  # (T, pairs)
    return torch.complex(angles.cos(), angles.sin())


@lru_cache(maxsize=8)
@torch.inference_mode(False)  # else what is written first could not be trained on later
def _hands_in_a_row(positions: range, d_model: int, base: float) -> Tensor:
    return _hands(torch.tensor(positions, device="cpu"), d_model, base)


def alibi_bias(heads: int, length: int) -> Float[Tensor, "{heads} {length} {length}"]:
    """Give what ALiBi adds to the scores: a penalty that grows with distance, steeper head by head.

    Head j (from 1) has slope 2^(-8j/heads). No position vectors are needed then.

    Example:
        >>> alibi_bias(heads=8, length=3)[0]
        tensor([[ 0.0000, -0.5000, -1.0000],
                [-0.5000,  0.0000, -0.5000],
                [-1.0000, -0.5000,  0.0000]])

    Raises:
        ValueError: heads is not a power of two, for which alone this rule is meant.

    Source: Press et al. 2022, section 3; symmetric, so that it serves without a causal mask too.
    """
    if heads < 1 or heads & (heads - 1):
        raise ValueError(say("heads must be a power of two; it is {heads}", heads=heads))
    slopes = 2.0 ** (-8.0 * torch.arange(1, heads + 1) / heads)  # (h,)
    positions = torch.arange(length)
    nearness = -(
        positions[:, None] - positions[None, :]
    ).abs()  # (T, T): 0 at home, less further away
    return slopes[:, None, None] * nearness  # (h, T, T)
