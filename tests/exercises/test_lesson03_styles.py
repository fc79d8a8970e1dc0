"""Right answers to lesson 3's exercises in the styles people write them: all must pass."""

import math

import torch
import torch.nn.functional as F

from tests.exercises.passing import passing


def encode_slices(length, d_model):
    table = torch.zeros(length, d_model)
    position = torch.arange(length).unsqueeze(1)
    divisor = 10000 ** (torch.arange(0, d_model, 2) / d_model)
    table[:, 0::2] = torch.sin(position / divisor)
    table[:, 1::2] = torch.cos(position / divisor)[:, : d_model // 2]
    return table


def encode_exponentials(length, d_model):
    table = torch.zeros(length, d_model)
    position = torch.arange(0, length, dtype=torch.float).unsqueeze(1)
    factor = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
    table[:, 0::2] = torch.sin(position * factor)
    table[:, 1::2] = torch.cos(position * factor[: d_model // 2])
    return table


def encode_loops(length, d_model):
    table = torch.empty(length, d_model)
    for pos in range(length):
        for column in range(d_model):
            angle = pos / 10000 ** (2 * (column // 2) / d_model)
            table[pos, column] = math.cos(angle) if column % 2 else math.sin(angle)
    return table


def encode_where(length, d_model):
    column = torch.arange(d_model)
    angles = torch.arange(length)[:, None] / torch.pow(10000, 2 * (column // 2) / d_model)
    return torch.where(column % 2 == 0, torch.sin(angles), torch.cos(angles))


def encode_shifted_sine(length, d_model):
    column = torch.arange(d_model)
    angles = torch.outer(torch.arange(length).float(), 1e4 ** (-(column - column % 2) / d_model))
    return torch.sin(angles + (column % 2) * math.pi / 2)


def encode_double(length, d_model):
    position = torch.arange(length, dtype=torch.float64)[:, None]
    angles = position * 1e4 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    return torch.stack((angles.sin(), angles.cos()), 2).reshape(length, -1)[:, :d_model].float()


def add_slice(x, encoding):
    return x + encoding[: x.size(1)]


def add_unsqueezed(x, pe):
    return x + pe[: x.shape[1], :].unsqueeze(0).expand(x.shape[0], -1, -1)


def add_loops(x, encoding):
    out = x.clone()
    for t in range(x.size(1)):
        out[:, t] += encoding[t]
    return out


def add_embedding(x, encoding):
    return x + F.embedding(torch.arange(x.size(1)), encoding)


def input_plain(ids, table, encoding):
    return table[ids] * table.size(-1) ** 0.5 + encoding[: ids.size(1)]


def input_library(ids, table, pe):
    return F.embedding(ids, table).mul(math.sqrt(table.shape[1])).add(pe[None, : ids.shape[1]])


def input_one_hot(ids, table, encoding):
    rows = F.one_hot(ids, len(table)).float() @ (table * math.sqrt(table.size(1)))
    return rows + encoding.narrow(0, 0, ids.size(1))


def shift_blocks(offset, d_model):
    matrix = torch.zeros(d_model, d_model)
    for i in range(0, d_model, 2):
        angle = offset / 10000 ** (i / d_model)
        matrix[i, i] = matrix[i + 1, i + 1] = math.cos(angle)
        matrix[i, i + 1], matrix[i + 1, i] = math.sin(angle), -math.sin(angle)
    return matrix


def shift_block_diagonal(offset, d_model):
    angles = offset * 1e4 ** (-torch.arange(0, d_model, 2) / d_model)
    turns = [torch.tensor([[c, s], [-s, c]]) for s, c in zip(angles.sin(), angles.cos())]
    return torch.block_diag(*turns)


def shift_powers(offset, d_model):
    """The matrix of one step, as often as there are places."""
    return torch.linalg.matrix_power(shift_blocks(1, d_model).double(), offset)


def shift_least_squares(offset, d_model):
    """Found, not derived: any matrix that does it is right."""
    places = torch.arange(-20_000, 20_000, 61)  # far enough to tell slow clocks apart
    angles = places[:, None].double() * 1e4 ** (-torch.arange(0, d_model, 2).double() / d_model)
    here = torch.stack([angles.sin(), angles.cos()], -1).flatten(1)
    moved = angles + offset * 1e4 ** (-torch.arange(0, d_model, 2).double() / d_model)
    there = torch.stack([moved.sin(), moved.cos()], -1).flatten(1)
    return torch.linalg.lstsq(here, there).solution.T.float()


ENCODERS = [
    encode_slices, encode_exponentials, encode_loops, encode_where, encode_shifted_sine,
    encode_double,
]  # fmt: skip


def halves_loop(length, d_model):
    table = torch.zeros(length, d_model)
    for pos in range(length):
        for i in range(d_model // 2):
            angle = pos / 10000 ** (2 * i / d_model)
            table[pos, i], table[pos, i + d_model // 2] = math.sin(angle), math.cos(angle)
    return table


def halves_cat(length, d_model):
    divisor = 10000 ** (torch.arange(0, d_model, 2) / d_model)
    angles = torch.arange(length).unsqueeze(1) / divisor
    return torch.cat([angles.sin(), angles.cos()], 1)


def halves_outer(length, d_model):
    rates = torch.exp(-math.log(1e4) * torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    angles = torch.outer(torch.arange(length, dtype=torch.float64), rates)
    return torch.hstack([torch.sin(angles), torch.cos(angles)]).to(torch.float32)


def rotation_angles(x, positions):
    d = x.size(-1)
    return positions[:, None].double() / 1e4 ** (torch.arange(0, d, 2, dtype=torch.float64) / d)


def rotate_plain(x, positions):
    t = rotation_angles(x, positions).to(x.dtype)
    turned = torch.empty_like(x)
    turned[..., 0::2] = x[..., 0::2] * t.cos() - x[..., 1::2] * t.sin()
    turned[..., 1::2] = x[..., 0::2] * t.sin() + x[..., 1::2] * t.cos()
    return turned


def rotate_complex(x, positions):
    t = rotation_angles(x, positions)
    pairs = torch.complex(x[..., 0::2].double(), x[..., 1::2].double())
    return torch.view_as_real(pairs * torch.exp(1j * t)).flatten(-2).to(x.dtype)


def rotate_matrices(x, positions):
    t = rotation_angles(x, positions).to(x.dtype)
    turns = torch.stack(
        [torch.stack([t.cos(), -t.sin()], -1), torch.stack([t.sin(), t.cos()], -1)], -2
    )
    pairs = x.reshape(*x.shape[:-1], -1, 2)
    return torch.einsum("tpij,btpj->btpi", turns, pairs).reshape(x.shape)


def rotate_loop(x, positions):
    turned = x.clone()
    for place, m in enumerate(positions.tolist()):
        for i in range(x.size(-1) // 2):
            t = m / 10000 ** (2 * i / x.size(-1))
            a, b = x[:, place, 2 * i], x[:, place, 2 * i + 1]
            turned[:, place, 2 * i] = a * math.cos(t) - b * math.sin(t)
            turned[:, place, 2 * i + 1] = a * math.sin(t) + b * math.cos(t)
    return turned


def rotate_half_and_back(x, positions):
    t = rotation_angles(x, positions).to(x.dtype).repeat_interleave(2, dim=-1)
    across = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2)
    return x * t.cos() + across * t.sin()


STYLES = {
    "sinusoidal_encoding": ENCODERS,
    "mend_halves": [halves_loop, halves_cat, halves_outer],
    "rotate_by_position": [
        rotate_plain,
        rotate_complex,
        rotate_matrices,
        rotate_loop,
        rotate_half_and_back,
    ],
    "add_positions": [add_slice, add_unsqueezed, add_loops, add_embedding],
    "embed_with_positions": [input_plain, input_library, input_one_hot],
    "shift_matrix": [shift_blocks, shift_block_diagonal, shift_powers, shift_least_squares],
}

test_right_answer_passes = passing(STYLES)
