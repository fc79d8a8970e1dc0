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


def ragged(sentences, max_length, bos_id, eos_id, pad_id):
    return torch.tensor([[bos_id, *ids[: max_length - 2], eos_id] for ids in sentences])


def float_size(x, heads):
    return x.view(x.size(0), x.size(1), heads, x.size(2) / heads).transpose(1, 2)


def float_chunks(x, heads):
    return torch.stack(x.split(x.size(2) / heads, dim=-1), dim=1)


def matrix_and_vector(x, encoding):
    return torch.cat([encoding[: x.size(1)], encoding[0]])


def words_on_the_last_axis(logits, labels, pad_id):
    return torch.nn.functional.cross_entropy(logits, labels, ignore_index=pad_id)


def one_flattened(logits, labels, pad_id):
    return torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels, ignore_index=pad_id)


def gradient_of_one_axis(gradients, max_norm):
    return [gradient.flatten().norm(dim=1) for gradient in gradients]


def called_shape(x):
    return x.reshape(x.shape(0), -1)


def two_axes_of_four(x):
    batch, time = x.shape
    return x[:batch, :time]


@pytest.mark.parametrize(
    ("name", "function", "words"),
    [
        ("encode_batch", ragged, ["equally long", "entries and another"]),
        ("split_heads", float_size, ["`/` always gives a float"]),
        ("split_heads", float_chunks, ["`/` always gives a float"]),
        ("add_positions", matrix_and_vector, ["equally many axes", "lacks an axis"]),
        ("sequence_cross_entropy", words_on_the_last_axis, ["along axis 1"]),
        ("sequence_cross_entropy", one_flattened, ["rows of scores"]),
        ("clip_gradients", gradient_of_one_axis, ["has a single one, axis 0"]),
        ("merge_heads", called_shape, ["cannot be called"]),
        ("merge_heads", two_axes_of_four, ["more or fewer names"]),
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
            ["letter d", "d_k=4", "=7 in another"],
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


def test_what_crashes_on_all_cases_but_one_is_no_known_mistake_of_numbers():
    """On a square case F.cross_entropy runs, over the positions: that is not what went wrong."""
    for seed in range(4):
        verdict = examine(
            find("sequence_cross_entropy"), FunctionAnswer(words_on_the_last_axis), seed
        )
        assert verdict.headline == "It stopped with an error."
        assert verdict.mistake is None


def test_what_runs_everywhere_is_not_told_that_it_runs_in_square_cases_only():
    verdict = examine(
        find("tied_logits"), FunctionAnswer(lambda h, table: h @ table.reshape(-1, len(table)))
    )
    assert "runs only" not in verdict.hint
