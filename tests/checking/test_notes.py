"""Notes on right answers: they cost nothing, and say what may surprise later."""

import pytest
import torch

from tutor.attention import scaled_dot_product_attention as attend
from tutor.checking.calls import FunctionAnswer
from tutor.checking.examine import examine
from tutor.exercises import find


def notes(function, name="scaled_dot_product_attention"):
    verdict = examine(find(name), FunctionAnswer(function))
    assert verdict.passed
    return verdict.notes


def without_gradients(q, k, v):
    with torch.no_grad():
        return attend(q, k, v)


def made_anew(q, k, v):
    return [torch.tensor(part.tolist(), dtype=q.dtype) for part in attend(q, k, v)]


@pytest.mark.parametrize(
    "function",
    [without_gradients, made_anew, lambda q, k, v: [part.detach() for part in attend(q, k, v)]],
)
def test_a_result_cut_off_from_its_arguments_is_noted(function):
    (note,) = notes(function)
    assert note.startswith("No gradient comes back through your result")


def test_another_dtype_is_noted():
    (note,) = notes(lambda q, k, v: [part.double() for part in attend(q, k, v)])
    assert note.startswith("It gives float64 where float32 went in")


def test_an_ordinary_answer_has_no_notes():
    assert notes(attend) == ()
    assert notes(lambda length: torch.ones(length, length).tril().bool(), "causal_mask") == ()


def one_pass(x, gamma, beta, eps):
    mean = x.mean(-1, keepdim=True)
    variance = (x * x).mean(-1, keepdim=True) - mean**2
    return (x - mean) / (variance + eps) ** 0.5 * gamma + beta


def one_pass_over_tokens(x, keep, eps):
    mean = x[keep].mean(0)
    variance = (x[keep] ** 2).mean(0) - mean**2
    return torch.where(keep[..., None], (x - mean) / (variance + eps) ** 0.5, 0.0)


@pytest.mark.parametrize(
    ("name", "function"),
    [("layer_norm", one_pass), ("masked_batch_norm", one_pass_over_tokens)],
)
def test_a_variance_in_one_pass_counts_and_hears_of_its_digits(name, function):
    (note,) = notes(function, name)
    assert note.startswith("At a mean of 3,000 and a spread of 2 it loses its digits")


@pytest.mark.parametrize("name", ["layer_norm", "masked_batch_norm"])
def test_a_variance_of_differences_hears_nothing_of_digits(name):
    assert notes(find(name).reference, name) == ()
