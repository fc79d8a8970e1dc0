"""When results count as equal: how far each number may be off."""

import math

import pytest
import torch

from tutor.checking.tolerance import distance, equal, first_difference


@pytest.mark.parametrize(
    ("dtype", "near", "far"), [(torch.float32, 0.9e-4, 1.1e-4), (torch.float64, 0.9e-8, 1.1e-8)]
)
def test_tolerance_is_relative_to_the_largest_number(dtype, near, far):
    expected = torch.tensor([100.0, 1.0], dtype=dtype)
    step = torch.tensor([0.0, 100.0], dtype=dtype)
    assert equal(expected, expected + near * step)
    assert not equal(expected, expected + far * step)


def test_tolerance_stops_shrinking_for_small_numbers():
    zero = torch.zeros(2)
    assert equal(zero, zero + 0.9e-7)
    assert not equal(zero, zero + 1.1e-7)


def test_the_less_exact_dtype_sets_the_tolerance():
    exact = torch.tensor([1.0], dtype=torch.float64)
    assert equal(exact, torch.tensor([1.00001]))
    assert not equal(exact, torch.tensor([1.00001], dtype=torch.float64))


def test_integers_and_booleans_are_exact():
    assert not equal(torch.tensor([10**9]), torch.tensor([10**9 + 1]))
    assert not equal(torch.tensor([True]), torch.tensor([False]))


@pytest.mark.parametrize(
    ("expected", "given"),
    [
        (torch.zeros(2), torch.zeros(2, 1)),
        (torch.zeros(2), torch.zeros(2, dtype=torch.int64)),
        (torch.zeros(2, dtype=torch.bool), torch.zeros(2, dtype=torch.int64)),
        ((torch.zeros(2), torch.zeros(3)), torch.zeros(2)),
        ({"a": torch.zeros(1)}, {"b": torch.zeros(1)}),
    ],
)
def test_structure_shape_and_kind_must_agree(expected, given):
    assert not equal(expected, given)
    assert distance(expected, given) == math.inf


def test_nan_equals_only_nan_and_infinities_keep_their_sign():
    nan, inf = torch.tensor([float("nan")]), torch.tensor([float("inf")])
    assert equal(nan, nan)
    assert not equal(torch.zeros(1), nan)
    assert not equal(nan, torch.zeros(1))
    assert equal(inf, inf)
    assert not equal(inf, -inf)
    assert not equal(torch.zeros(1), inf)


def test_the_first_differing_cell_is_found():
    expected, given = torch.zeros(2, 3), torch.zeros(2, 3)
    given[1, 2] = 1
    assert first_difference((expected, expected), (expected, given)).index == (1, 2)
    assert first_difference((expected, expected), (expected, given)).path == "[1]"
