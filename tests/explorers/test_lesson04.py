"""Lesson 4's explorers show the worked numbers and what their alt texts claim."""

import math
import re
import sys

import pytest
import torch
import torch.nn.functional as F

from tests.needs import missing
from tutor.claims.runs import load_sweep
from tutor.explorers import lesson04_self_attention as lesson
from tutor.explorers.lesson04_self_attention.all_or_nothing import (
    _LOWEST,
    _TICKS,
    SIZES,
    untrained_queries,
)
from tutor.explorers.lesson04_self_attention.edit_the_tokens import _attention_of
from tutor.explorers.lesson04_self_attention.hide_one_word import asked
from tutor.explorers.lesson04_self_attention.meaning_moves import on_their_side
from tutor.explorers.lesson04_self_attention.output_among_values import worked
from tutor.explorers.lesson04_self_attention.stored_senses import stored_hidden, stored_senses
from tutor.explorers.lesson04_self_attention.turning_space import WAYS, WORDS, part_of
from tutor.explorers.worked_example import SAVINGS, W_K, W_Q, W_V, X, phrase, short, worked_steps
from tutor.models.minilm import INSTALL, is_installed

WORKED = {
    "Q": [[1, 0, 2], [2, 2, 2], [2, 1, 3]],
    "K": [[0, 1, 1], [4, 4, 0], [2, 3, 1]],
    "V": [[1, 2, 3], [2, 8, 0], [2, 6, 3]],
    "scores": [[2, 4, 4], [4, 16, 12], [4, 12, 10]],
    "weights": [[0.136, 0.432, 0.432], [8.9e-4, 0.909, 0.090], [0.007, 0.755, 0.238]],
    "output": [[1.8639, 6.3194, 1.7042], [1.9991, 7.8141, 0.2735], [1.9926, 7.4796, 0.7359]],
}


def close(actual: torch.Tensor, expected: torch.Tensor, atol: float) -> None:
    torch.testing.assert_close(actual, expected, rtol=0, atol=atol)


@pytest.mark.parametrize("name", WORKED)
def test_every_step_has_the_numbers_worked_by_hand(name):
    (result,) = [step.result.numbers for step in worked_steps() if step.result.name == name]
    expected = torch.tensor(WORKED[name], dtype=torch.float32)
    close(result, expected, atol=5e-4 if name == "weights" else 5e-5)


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


@pytest.mark.long
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


# --- the output among the values ---


def test_savings_leaves_all_of_bank_but_its_output():
    """By hand: the value of savings is 3·[0, 2, 0] + 3·[1, 0, 3] = [3, 6, 9], its key [0, 3, 3]."""
    assert (SAVINGS @ W_V).tolist() == [3, 6, 9]
    assert (SAVINGS @ W_K).tolist() == [0, 3, 3]  # asked by bank: 3 + 9 = 12, as river's
    (_, _, river, at_river), (_, _, savings, at_savings) = (
        worked(middle, asks=2, times=1.0) for middle in ("river", "savings")
    )
    close(river, savings, atol=1e-6)
    close(at_savings - at_river, river[1] * torch.tensor([6.0 - 8, 9.0 - 0]), atol=1e-5)


@pytest.mark.parametrize("middle", ["river", "savings"])
@pytest.mark.parametrize("asks", [0, 1, 2])
def test_output_is_that_of_pytorch_and_stays_in_the_triangle(middle, asks):
    x = phrase(middle)[1]
    q, k, v = x @ W_Q, x @ W_K, x @ W_V
    _, values, weights, output = worked(middle, asks, times=1.0)
    close(output, F.scaled_dot_product_attention(q, k, v)[asks, 1:], atol=1e-5)
    for times in (0.0, 0.5, 4.0):
        _, _, weights, output = worked(middle, asks, times)
        assert weights.min() >= 0
        close(output, weights @ values, atol=1e-5)
        assert weights.sum().item() == pytest.approx(1.0)
    _, _, even, centre = worked(middle, asks, times=0.0)
    close(even, torch.full((3,), 1 / 3), atol=1e-6)
    close(centre, values.mean(dim=0), atol=1e-5)


# --- a matrix takes hold ---


def test_a_turn_keeps_distances_on_its_way_and_flattening_joins_two_words():
    rows = torch.tensor(list(WORDS.values()))
    for share in (0.0, 0.3, 1.0):
        turned = rows @ part_of(WAYS["turn"], share, turns=True)
        close(torch.cdist(turned, turned), torch.cdist(rows, rows), atol=1e-5)
    close(part_of(WAYS["turn"], 1.0, turns=True), WAYS["turn"], atol=1e-6)
    flat = rows @ part_of(WAYS["flatten"], 1.0, turns=False)
    assert torch.equal(flat[0], flat[1])  # river and bank
    assert not torch.equal(flat[0], flat[2])
    assert lesson.turning_space().frame(matrix="flatten", share=1.0).caption.count("→ (2, 2)") == 2


# --- all or nothing ---


def test_gradient_is_the_one_of_the_formula():
    """By hand: d output / d score_j = p_j (v_j - output), times the gradient at the output."""
    rng = torch.Generator().manual_seed(4)
    q, k, v, g = (
        torch.randn(25, rows, width, generator=rng, dtype=torch.float64)
        for rows, width in ((8, 64), (8, 64), (8, 8), (8, 8))
    )
    p = F.softmax(q @ k.mT / math.sqrt(64), -1)  # (sets, queries, keys)
    by_hand = p * (g @ v.mT - (g * (p @ v)).sum(-1, keepdim=True))
    largest, gradients = untrained_queries(8, 64, divide=True)
    close(gradients, by_hand.norm(dim=-1).flatten(), atol=1e-12)
    close(largest, p.amax(-1).flatten(), atol=1e-12)


@pytest.mark.parametrize("d_k", SIZES)
@pytest.mark.parametrize("keys", SIZES)
def test_the_picture_agrees_with_the_sweep_behind_the_lesson_s_claims(keys, d_k):
    """Xavier's initialisation gives queries and keys the deviation 1 of the picture's."""
    runs = load_sweep("attention_scale").runs.at(keys=keys, d_k=d_k, initialisation="xavier")
    for divide in (True, False):
        largest, gradients = untrained_queries(keys, d_k, divide)
        hard = (largest > 0.9).double().mean().item()
        assert hard == pytest.approx(runs.at(scale=divide).median("hard"), abs=0.12)
        if divide:
            measured = runs.at(scale=True).median("median gradient")
            assert gradients.median().item() == pytest.approx(measured, rel=0.15)


# --- two senses ---


def test_a_word_s_tracks_begin_together_and_end_on_the_sides_of_its_senses():
    for word, (first, second) in stored_senses().items():
        assert first.places[:, 0, 0].mean() == pytest.approx(
            second.places[:, 0, 0].mean(), abs=0.15
        )
        assert first.places[:, 6, 0].mean() > 1 > -1 > second.places[:, 6, 0].mean()
        counts = [on_their_side((first, second), layers)[0] for layers in (0, 1, 6)]
        assert counts[0] < 0.85 * counts[1] <= counts[2] + 1, word
    assert "35 of 40" in lesson.meaning_moves().frame(layers=1).caption
    assert "39 of 40" in lesson.meaning_moves().caption


def test_without_the_telling_word_bank_lies_between_its_senses():
    explorer = lesson.hide_one_word()
    ends = {n: explorer.frame(hidden=n).caption for n in range(8)}
    assert ends[0] == ends[7] == "Nothing hidden: bank is at -2.7"  # the seventh is bank itself
    assert ends[4].endswith("Without “account”: at 0.1")
    for number in (1, 2, 3, 5, 6):
        assert float(ends[number].split()[-1]) < -1


def test_a_sentence_s_bars_are_of_its_own_words():
    for sentence, ends in stored_hidden().items():
        words = sentence.split()
        assert sorted([*ends, words.index("bank")]) == list(range(len(words)))


def test_a_typed_sentence_without_the_model_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(sys.modules[lesson.hide_one_word.__module__], "is_installed", lambda: False)
    explorer = lesson.hide_one_word()
    assert "pip install" in explorer.frame(typed="He sat on the bank").caption
    assert "-2.7" in explorer.frame(typed="").caption


@pytest.mark.long
def test_the_model_says_what_is_stored():
    if not is_installed():
        missing("MiniLM", INSTALL)
    sentence = "An old heron stood motionless near the bank"
    whole, ends = asked(sentence)
    river = stored_senses()["bank"][0]
    assert whole == pytest.approx(
        river.places[river.sentences.index(sentence), 6, 0].item(), abs=0.02
    )
    assert ends == pytest.approx(stored_hidden()[sentence], abs=0.02)
    typed = lesson.hide_one_word().frame(typed="He sat at home").caption
    assert typed == "The word bank is not in this sentence."


# --- edited tokens ---


def test_editing_a_token_changes_its_row_and_its_column_alone():
    changed = X.clone()
    changed[1] += torch.tensor([1.0, 1.0, 0.5, -1.0])
    before, after = _attention_of(X)[0], _attention_of(changed)[0]
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
    q, k = x @ W_Q, x @ W_K
    weights = F.softmax(q @ k.T / math.sqrt(3), -1)
    printed = [float(number) for number in re.findall(r"(?<= )\d\.\d+", explorer.caption)]
    close(torch.tensor(printed).view(3, 3), weights, atol=0.0051)


def test_the_table_has_a_score_for_each_pair():
    explorer = lesson.growing_table()
    assert [explorer.frame(n=n).caption.split()[-1] for n in (4, 64)] == ["16", "4,096"]


def test_the_lowest_mark_of_the_gradients_stands_for_all_below_it():
    assert "leq" in _TICKS[_LOWEST]
    _, gradients = untrained_queries(8, 512, divide=False)
    assert (gradients < _LOWEST).any()
