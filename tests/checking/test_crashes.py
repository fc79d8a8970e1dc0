"""Frequent errors of torch, told with both shapes."""

import math

import pytest
import torch

from tutor.checking.calls import FunctionAnswer
from tutor.checking.examine import examine
from tutor.exercises import find


def said(name, function):
    return " ".join(examine(find(name), FunctionAnswer(function)).details)


def keys_not_turned(q, k, v):
    weights = torch.softmax(q @ k, -1)
    return weights @ v, weights


def mask_without_its_axis(q, k, v, keep):
    scores = (q @ k.transpose(-2, -1)).masked_fill(~keep, -math.inf)
    return torch.softmax(scores, -1) @ v


def view_after_transpose(x):
    return x.transpose(1, 2).view(x.size(0), x.size(2), -1)


def wrong_layout(x, heads):
    return x.view(x.size(0), x.size(1), heads, heads).transpose(1, 2)


def axis_too_far(x, gamma, beta, eps):
    return x.mean(3)


def joined_along_features(x, h0, W_ih, W_hh, b_ih, b_hh):
    return torch.cat([x, h0.unsqueeze(1)], dim=1), h0


def stacked_unequal(gradients, max_norm):
    return torch.stack(gradients)


def one_place_too_far(outputs, lengths):
    return outputs[torch.arange(len(outputs)), lengths]


def float_mask(q, k, v, real):
    scores = q @ k.transpose(-2, -1)
    return scores.masked_fill(real.float()[:, None], 0.0) @ v, scores


def inverted_float(q, k, v, real):
    return q, ~real.float()


def not_imported(x):
    return x.reshape(maths.prod(x.shape))  # noqa: F821


def product_with_a_number(x, W):
    return x @ W[0, 0]


def four_axes(q, k, v, keep):
    return torch.bmm(q, k)


def one_letter_for_two_sizes(q, k, v):
    return torch.einsum("bqd,bkd->bqk", q, v), q


def summed_product(x, W1, b1, W2, b2):
    return torch.addmm(b1, x[0], W1)


@pytest.mark.parametrize(
    ("name", "function", "words"),
    [
        ("scaled_dot_product_attention", keys_not_turned, ["d_k=4", "Tk=5", "change places"]),
        ("folded_attention", mask_without_its_axis, ["matched from the right", "length 1"]),
        ("merge_heads", view_after_transpose, ["`view` moves no number"]),
        ("split_heads", wrong_layout, ["cannot be laid out", "multiply to 120"]),
        ("layer_norm", axis_too_far, ["There is no axis 3", "has 3 axes"]),
        ("rnn_forward", joined_along_features, ["torch.cat joins along axis 1"]),
        ("clip_gradients", stacked_unequal, ["tensors of one shape"]),
        ("last_real_state", one_place_too_far, ["does not exist", "T=6 places"]),
        ("cross_attention", float_mask, ["yes or no for each cell"]),
        ("cross_attention", inverted_float, ["turns True and False round"]),
        ("project_by_hand", product_with_a_number, ["a single number", "(2, 5, n=4)"]),
        ("folded_attention", four_axes, ["exactly 3 axes"]),
        (
            "scaled_dot_product_attention",
            one_letter_for_two_sizes,
            ["letter d", "d_k=4", "d_v=6"],
        ),
        ("feed_forward", summed_product, ["has D=4 numbers, and a column", "has d_ff=7"]),
        ("merge_heads", not_imported, ["does not know this name"]),
    ],
)
def test_an_error_is_told_with_its_shapes(name, function, words):
    sentence = said(name, function)
    assert all(word in sentence for word in words), sentence


def test_an_unknown_error_stays_as_it_is():
    failing = examine(find("merge_heads"), FunctionAnswer(lambda x: x.no_such_thing))
    assert failing.details[0].startswith("AttributeError")
    assert failing.details[1].startswith("In your line")
