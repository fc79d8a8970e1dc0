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
    places = torch.arange(-60, 120)
    angles = places[:, None].double() * 1e4 ** (-torch.arange(0, d_model, 2).double() / d_model)
    here = torch.stack([angles.sin(), angles.cos()], -1).flatten(1)
    moved = angles + offset * 1e4 ** (-torch.arange(0, d_model, 2).double() / d_model)
    there = torch.stack([moved.sin(), moved.cos()], -1).flatten(1)
    return torch.linalg.lstsq(here, there).solution.T.float()


ENCODERS = [
    encode_slices, encode_exponentials, encode_loops, encode_where, encode_shifted_sine,
    encode_double,
]  # fmt: skip
STYLES = {
    "sinusoidal_encoding": ENCODERS,
    "mend_encoding": ENCODERS[:2],
    "add_positions": [add_slice, add_unsqueezed, add_loops, add_embedding],
    "embed_with_positions": [input_plain, input_library, input_one_hot],
    "shift_matrix": [shift_blocks, shift_block_diagonal, shift_powers, shift_least_squares],
}

test_right_answer_passes = passing(STYLES)
