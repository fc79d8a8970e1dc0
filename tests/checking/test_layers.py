"""What is said of a result of another form, and of an error."""

import pytest
import torch

from tutor import check


def said(answer, name):
    return str(check(answer, name=name))


def test_a_list_of_another_length_is_told_without_the_right_one():
    report = said([1, 2, 3], "predict_weighted_average")
    assert "Your list has length 3; that is not right." in report
    assert "A list of numbers is asked for." in said(3, "predict_weighted_average")
    assert "One number is asked for." in said([3, 2], "predict_score")
    assert "A list of whole numbers is asked for." in said(
        _floats_for_keys(), "predict_visible_keys"
    )


def _floats_for_keys():
    """As many numbers as are asked, but no whole ones."""
    for length in range(1, 9):
        numbers = [0.5] * length
        if "has length" not in said(numbers, "predict_visible_keys"):
            return numbers
    raise AssertionError


def test_lists_where_a_tensor_is_asked():
    report = said(lambda length: [[j <= i for j in range(length)] for i in range(length)],
                  "causal_mask")  # fmt: skip
    assert "It returned [" in report
    assert "What is asked for is bool (" in report
    assert "torch.tensor makes one tensor" in report


def test_arguments_that_are_lists_are_shown_as_lists():
    report = said(lambda *given: 0, "encode_batch")
    assert "sentences = [[" in report
    assert "sentences (" not in report


def test_and_on_tensors_is_explained():
    report = said(lambda ids, pad_id: (ids != pad_id) and (ids == ids), "decoder_mask")
    assert "ambiguous" in report
    assert "Which of & | ~" in report


def test_t_of_three_axes_is_explained():
    def attention(q, k, v):
        weights = torch.softmax(q @ k.T, -1)
        return weights @ v, weights

    report = said(attention, "scaled_dot_product_attention")
    assert "`.T` turns all axes" in report
    assert "permut" not in report


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (torch.ones(2).numpy(), "NumPy's ndarray; a torch tensor is asked for"),
        ("text", "an object of type str; a tensor"),
    ],
)
def test_a_result_of_another_type_is_the_headline(result, words):
    verdict = check(lambda x, W: result, name="project_by_hand").verdict
    assert verdict.headline.startswith(f"It returned {words}")
    assert not any("returned" in line for line in verdict.details)
