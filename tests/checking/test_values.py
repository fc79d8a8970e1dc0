"""What counts as a result, and what is none at all."""

import pytest
import torch

from tutor.checking.tolerance import equal, first_difference
from tutor.checking.values import NotAValueError, canonical, describe


def test_styles_of_the_same_result_become_one():
    assert equal(canonical([1, 2, 3]), canonical(torch.tensor([1, 2, 3])))
    assert equal(canonical((torch.tensor(1.0), 2.0)), canonical(torch.tensor([1.0, 2.0])))
    assert equal(canonical([]), canonical(torch.empty(0)))
    assert equal(canonical(2.5), canonical(torch.tensor(2.5)))
    assert equal(canonical([torch.zeros(2), 1]), canonical((torch.zeros(2), 1)))
    assert not equal(canonical([1, 2, 3]), canonical([1, 2, 4]))


def test_the_order_of_a_dict_says_nothing():
    one, other = {"best": [1, 2], "scores": [3, 4]}, {"scores": [3, 4], "best": [1, 2]}
    assert equal(canonical(one), canonical(other))
    assert first_difference(canonical(one), canonical(other | {"best": [1, 9]})).path == "['best']"
    assert list(canonical({"b": {2: 0, 1: 0}, "a": 0})) == ["a", "b"]
    assert list(canonical({"b": {2: 0, 1: 0}})["b"]) == ["1", "2"]


def test_mixed_numbers_lose_no_digits():
    assert canonical([1, 2.5]).tolist() == [1.0, 2.5]


def test_gradients_are_cut():
    x = torch.ones(2, requires_grad=True)
    assert not canonical(x * 2).requires_grad


class Sub(torch.Tensor):
    """A subclass that could lie about its values."""


@pytest.mark.parametrize(
    ("result", "reason", "gaps"),
    [
        (None, "None", {}),
        ((number for number in [1]), "generator", {}),
        (lambda: 1, "function", {}),
        (torch.zeros(2).as_subclass(Sub), "subclass", {"type": "Sub"}),
        ("text", "type", {"type": "str"}),
        (torch.zeros(2, 2).to_sparse(), "sparse", {}),
        (2**80, "huge number", {}),
        (1j, "type", {"type": "complex"}),
        ([torch.zeros(1), None], "None", {}),
    ],
)
def test_what_is_no_value_has_a_reason(result, reason, gaps):
    with pytest.raises(NotAValueError) as raised:
        canonical(result)
    assert (raised.value.reason, raised.value.gaps) == (reason, gaps)


def test_description_names_structure_and_shapes():
    value = canonical({"best": [1, 2], "pair": (torch.zeros(2, 3), True)})
    assert describe(value) == "{best: int64 (2,), pair: (float32 (2, 3), bool)}"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([[True] * 3] * 3, "[3 × bool (3,)]"),
        ([[1, 2], [3]], "(int64 (2,), int64 (1,))"),
        ([[[1.0], [2.0]]] * 4, "[4 × [2 × float32 (1,)]]"),
        ((torch.ones(2, 3), torch.ones(2, 3)), "(float32 (2, 3), float32 (2, 3))"),
        ([[1, 2], [0.5, 1]], "(int64 (2,), float32 (2,))"),
        ([], "[]"),
        ([[], []], "[2 × []]"),
        (
            [[0] * n for n in range(1, 9)],
            "(" + "".join(f"int64 ({n},), " for n in range(1, 7)) + "…)",
        ),
    ],
)
def test_lists_are_told_from_tensors(value, words):
    assert describe(canonical(value)) == words
