"""Positions against Python's own sines, the worked facts of lesson 3, and by property."""

import math

import pytest
import torch

from tests.conftest import seeded
from tutor.attention import scaled_dot_product_attention
from tutor.position import (
    LearnedPositions,
    SinusoidalPositions,
    add_positions,
    alibi_bias,
    concatenate_positions,
    one_hot_positions,
    rotate_by_position,
    shift_matrix,
    sinusoidal_encoding,
)


def randn(*shape: int, seed: int) -> torch.Tensor:
    return torch.randn(*shape, generator=seeded(seed))


def by_formula(position: int, column: int, d_model: int, base: float) -> float:
    angle = position / base ** ((column - column % 2) / d_model)
    return math.cos(angle) if column % 2 else math.sin(angle)


@pytest.mark.parametrize("d_model", [1, 2, 7, 8, 512])
@pytest.mark.parametrize("base", [10_000.0, 100.0])
def test_sinusoids_are_exact_in_float64(d_model, base):
    encoding = sinusoidal_encoding(60, d_model, base, dtype=torch.float64)
    expected = [[by_formula(p, c, d_model, base) for c in range(d_model)] for p in range(60)]
    torch.testing.assert_close(
        encoding, torch.tensor(expected, dtype=torch.float64), rtol=0, atol=1e-12
    )


def test_sinusoids_in_float32_are_the_exact_ones_rounded_even_far_out():
    encoding = sinusoidal_encoding(5001, 512)
    assert encoding.dtype == torch.float32
    for column in (0, 1, 2, 255, 510, 511):
        assert abs(encoding[5000, column].item() - by_formula(5000, column, 512, 1e4)) < 6e-8


def test_facts_of_the_lesson():
    encoding = sinusoidal_encoding(100, 512, dtype=torch.float64)
    assert encoding[0].tolist() == [0.0, 1.0] * 256
    torch.testing.assert_close(encoding.norm(dim=-1), torch.full((100,), 16.0).double())
    likeness = encoding @ encoding[0]
    assert int((likeness.diff() > 0).nonzero()[0]) + 1 == 44  # the first rise
    small = sinusoidal_encoding(10, 8, dtype=torch.float64)
    assert int(((small @ small[0]).diff() > 0).nonzero()[0]) + 1 == 4
    assert torch.cdist(encoding, encoding).fill_diagonal_(9).min() > 1  # no two places alike


@pytest.mark.parametrize("offset", [0, 1, 7, -3])
def test_a_shift_is_one_rotation_for_all_positions(offset):
    encoding = sinusoidal_encoding(40, 16)
    matrix = shift_matrix(offset, 16)
    torch.testing.assert_close(
        encoding[3:30] @ matrix.T, encoding[3 + offset : 30 + offset], rtol=0, atol=1e-6
    )
    torch.testing.assert_close(matrix @ matrix.T, torch.eye(16), rtol=0, atol=1e-6)


def test_adding_gives_each_place_its_row_in_every_sentence():
    x, encoding = randn(2, 3, 4, seed=0), randn(5, 4, seed=1)
    added = add_positions(x, encoding)
    for b in range(2):
        for t in range(3):
            assert torch.equal(added[b, t], x[b, t] + encoding[t])


def test_concatenating_then_projecting_is_adding_two_projections():
    x, encoding = randn(2, 3, 4, seed=0), randn(5, 6, seed=1)
    both = concatenate_positions(x, encoding)
    assert torch.equal(both[..., :4], x)
    assert torch.equal(both[1, 2, 4:], encoding[2])
    w = randn(10, 7, seed=2)
    expected = add_positions(x @ w[:4], encoding @ w[4:])
    torch.testing.assert_close(both @ w, expected, rtol=0, atol=1e-5)


def test_one_hot_positions_are_rows_of_the_identity():
    assert one_hot_positions(2, 4).tolist() == [[1, 0, 0, 0], [0, 1, 0, 0]]


def test_the_sinusoidal_module_has_a_buffer_and_no_parameter():
    module = SinusoidalPositions(10, 8)
    assert list(module.parameters()) == []
    assert module.state_dict() == {}
    assert module.double().encoding.dtype == torch.float64
    x = randn(2, 4, 8, seed=0)
    module = SinusoidalPositions(10, 8)
    assert torch.equal(module(x), x + sinusoidal_encoding(4, 8))
    assert torch.equal(module(x, start=3), x + sinusoidal_encoding(7, 8)[3:])


def test_learned_positions_add_rows_that_train():
    module = LearnedPositions(10, 8)
    x = randn(2, 4, 8, seed=0)
    assert torch.equal(module(x, start=3), x + module.encoding[3:7])
    module(x).sum().backward()
    assert module.encoding.grad[:, 0].tolist() == [2.0] * 4 + [0.0] * 6


def test_self_attention_is_blind_to_order_until_positions_are_added():
    x = randn(1, 5, 8, seed=0)
    x[0, 4] = x[0, 1]  # the same word twice
    plain, _ = scaled_dot_product_attention(x, x, x)
    placed = add_positions(x, sinusoidal_encoding(5, 8))
    knowing, _ = scaled_dot_product_attention(placed, placed, placed)
    assert torch.equal(plain[0, 1], plain[0, 4])
    assert (knowing[0, 1] - knowing[0, 4]).abs().max() > 0.01


def test_rotation_by_hand_and_its_length():
    x = torch.tensor([[1.0, 0.0, 0.0, 1.0]] * 3)  # frequencies 1 and 1/100 at d_k = 4
    turned = rotate_by_position(x)
    expected = [math.cos(2), math.sin(2), -math.sin(0.02), math.cos(0.02)]
    torch.testing.assert_close(turned[2], torch.tensor(expected), rtol=0, atol=1e-6)
    x = randn(2, 3, 9, 8, seed=0)
    torch.testing.assert_close(rotate_by_position(x).norm(dim=-1), x.norm(dim=-1))


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_positions_in_a_row_turn_as_any_others_and_can_be_trained(dtype):
    x = randn(2, 5, 3, 8, seed=0).to(dtype).transpose(1, 2)
    with torch.inference_mode():  # here the angles of these positions are computed
        rotate_by_position(x, range(3, 8), base=100.0)
    x.requires_grad_()
    in_a_row = rotate_by_position(x, range(3, 8), base=100.0)
    assert in_a_row.dtype == dtype
    assert torch.equal(in_a_row, rotate_by_position(x, torch.arange(3, 8), base=100.0))
    (grad,) = torch.autograd.grad(in_a_row.sum(), x)
    assert grad.isfinite().all()


def test_rotated_scores_see_the_distance_alone():
    q, k = randn(8, seed=0), randn(8, seed=1)

    def score(i: int, j: int) -> float:
        places = torch.tensor([i, j])
        turned_q = rotate_by_position(q.expand(2, 8), places)[0]
        turned_k = rotate_by_position(k.expand(2, 8), places)[1]
        return float(turned_q @ turned_k)

    assert score(5, 2) == pytest.approx(score(25, 22), abs=1e-5)
    assert abs(score(5, 2) - score(5, 3)) > 1e-2
    assert abs(score(5, 2) - score(2, 5)) > 1e-2


def test_alibi_slopes_are_those_of_the_paper():
    bias = alibi_bias(8, 5)
    assert bias[:, 3, 2].tolist() == [-(2.0 ** -(n + 1)) for n in range(8)]  # 1/2 … 1/256
    for i in range(5):
        for j in range(5):
            assert bias[1, i, j] == -abs(i - j) / 4


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: add_positions(torch.ones(1, 6, 4), torch.ones(5, 4)), r"0 … 5 .* \(5, 4\)"),
        (lambda: SinusoidalPositions(5, 4)(torch.ones(1, 2, 4), start=4), "4 … 5"),
        (lambda: LearnedPositions(5, 4)(torch.ones(1, 6, 4)), "0 … 5"),
        (lambda: one_hot_positions(6, 5), "6 positions .* size 5"),
        (lambda: shift_matrix(1, 5), "even .* 5"),
        (lambda: rotate_by_position(torch.ones(2, 3)), r"even .* \(2, 3\)"),
        (lambda: alibi_bias(6, 3), "power of two; it is 6"),
        (lambda: alibi_bias(0, 3), "power of two; it is 0"),
    ],
)
@pytest.mark.usefixtures("unchecked_shapes")
def test_errors_say_what_was_expected(call, says):
    with pytest.raises(ValueError, match=says):
        call()


def test_shapes_without_numbers_are_not_computed():
    with torch.device("meta"):  # the numbers would fill four terabytes
        encoding = SinusoidalPositions(max_length=10**9, d_model=1024).encoding
    assert (encoding.shape, encoding.device.type) == ((10**9, 1024), "meta")
