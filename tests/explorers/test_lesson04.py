"""Lesson 4's explorers show the worked numbers and what their alt texts claim."""

import math
import re

import pytest
import torch
import torch.nn.functional as F

from tutor.explorers import lesson04_self_attention as lesson
from tutor.explorers.worked_example import X, short, worked_steps

WORKED = {
    "Q": [[1, 0, 2], [2, 2, 2], [2, 1, 3]],
    "K": [[0, 1, 1], [4, 4, 0], [2, 3, 1]],
    "V": [[1, 2, 3], [2, 8, 0], [2, 6, 3]],
    "scores": [[2, 4, 4], [4, 16, 12], [4, 12, 10]],
    "weights": [[0.136, 0.432, 0.432], [8.9e-4, 0.909, 0.090], [0.007, 0.755, 0.238]],
    "output": [[1.8639, 6.3194, 1.7042], [1.9991, 7.8141, 0.2735], [1.9926, 7.4796, 0.7359]],
}


@pytest.mark.parametrize("name", WORKED)
def test_every_step_has_the_numbers_worked_by_hand(name):
    (result,) = [step.result.numbers for step in worked_steps() if step.result.name == name]
    expected = torch.tensor(WORKED[name], dtype=torch.float32)
    tolerance = 5e-4 if name == "weights" else 5e-5
    torch.testing.assert_close(result, expected, rtol=0, atol=tolerance)


def value_of(work: str) -> float:
    """Work out the sum as it is printed."""
    left, right = work.split(" = ")
    for shown, code in (("·", "*"), ("√3", "math.sqrt(3)")):
        left = left.replace(shown, code)
    left = re.sub(r"e\^([\d.]+)", r"math.exp(\1)", left)
    return eval(left, {"math": math}) - float(right)


@pytest.mark.parametrize("step", worked_steps(), ids=lambda step: step.result.name)
def test_every_printed_sum_comes_out(step):
    for row in range(3):
        for column in range(3):
            # operands are printed with three decimals
            assert abs(value_of(step.work(row, column))) < 0.006, step.work(row, column)


def test_scrubber_prints_the_cell_it_marks():
    explorer = lesson.step_by_step()
    assert explorer.frame(step=4, cell=5).caption.endswith("2·4 + 2·4 + 2·0 = 16")
    assert explorer.frame(step=7, cell=9).caption.endswith("= .736")
    captions = {explorer.frame(step=s, cell=c).caption for s in range(1, 8) for c in range(1, 10)}
    assert len(captions) == 63


@pytest.mark.parametrize(
    ("number", "text"), [(4.0, "4"), (0.4319, ".432"), (-0.25, "-.250"), (10.5, "10.500")]
)
def test_short_numbers(number, text):
    assert short(number) == text


def test_scale_alt_text_is_true():
    on = [lesson._middle_case(d_k, True) for d_k in lesson._SIZES]
    off = [lesson._middle_case(d_k, False) for d_k in lesson._SIZES]
    assert off[-1][0][0] > 0.99
    assert max(weights[0] for weights, _ in on) < 0.5
    gradients_on = [gradient for _, gradient in on]
    assert max(gradients_on) / min(gradients_on) < 1.5
    assert off[0][1] / off[-1][1] > 100


def test_gradient_is_the_one_of_the_formula():
    """By hand: d output / d q = sum over keys of p_j (v_j - output) k_j / sqrt(d_k)."""
    d_k = 8
    generator = torch.Generator().manual_seed(4)
    q, k, v, g = (
        torch.randn(200, rows, width, generator=generator, dtype=torch.float64)
        for rows, width in ((1, d_k), (8, d_k), (8, 8), (1, 8))
    )
    p = F.softmax(q @ k.transpose(1, 2) / math.sqrt(d_k), -1)  # (draws, 1, keys)
    pull = ((v - p @ v) * g).sum(-1)  # (draws, keys)
    by_hand = torch.einsum("nj,njd->nd", p[:, 0] * pull, k) / math.sqrt(d_k)
    expected = by_hand.norm(dim=-1).median().item()
    assert lesson._middle_case(d_k, True)[1] == pytest.approx(expected, rel=1e-12)


def test_editing_a_token_changes_its_row_and_its_column_alone():
    changed = X.clone()
    changed[1] += torch.tensor([1.0, 1.0, 0.5, -1.0])
    before, after = lesson._attention_of(X)[0], lesson._attention_of(changed)[0]
    same = torch.ones(3, 3, dtype=torch.bool)
    same[1], same[:, 1] = False, False
    assert torch.equal(before[same], after[same])
    assert (before[1] != after[1]).all()
    assert (before[:, 1] != after[:, 1]).all()


def test_edited_numbers_are_those_of_pytorch():
    explorer = lesson.edit_the_tokens()
    explorer.controls["x12"].value = 1.5
    x = X.clone()
    x[0, 1] = 1.5
    q, k = x @ lesson.W_Q, x @ lesson.W_K
    weights = F.softmax(q @ k.T / math.sqrt(3), -1)
    printed = [float(number) for number in re.findall(r"(?<= )\d?\.\d\d", explorer.caption)]
    torch.testing.assert_close(torch.tensor(printed).view(3, 3), weights, rtol=0, atol=0.0051)
