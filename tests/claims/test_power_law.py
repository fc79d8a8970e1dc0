"""The fitted law is numpy's, and the letter models are as large as counted by hand."""

from importlib import import_module
from pathlib import Path
from statistics import mean

import numpy as np
import pytest
import torch

from tutor.claims.letter_models import losses_by_size
from tutor.claims.power_law import PowerLaw, fitted
from tutor.claims.runs import load_sweep

SCRIPTS = Path(__file__).parents[2] / "tools" / "results"
SIZES = [500.0, 2000.0, 7000.0, 30_000.0]


def test_a_law_with_a_floor_is_found_again():
    made = PowerLaw(floor=2.1, factor=5.0, exponent=0.35)
    found = fitted(SIZES, [made.at(size) for size in SIZES])
    assert found.floor == pytest.approx(2.1, abs=1e-3)
    assert found.exponent == pytest.approx(0.35, abs=2e-3)
    assert found.at(1e6) == pytest.approx(made.at(1e6), abs=1e-3)


def test_without_a_floor_it_is_the_straight_line_of_numpy():
    losses = [4.0, 3.1, 2.9, 2.2]
    slope, start = np.polyfit(np.log(SIZES), np.log(losses), 1)
    found = fitted(SIZES, losses, floor=False)
    assert (found.floor, found.exponent) == (0.0, pytest.approx(-slope))
    assert found.factor == pytest.approx(np.exp(start))


def test_our_runs_have_the_floor_that_leaves_the_least_error():
    ours = losses_by_size(load_sweep("letter_models").runs)
    x, y = np.log([*ours]), np.array([mean(losses) for losses in ours.values()])

    def error(floor: float) -> float:
        line = np.polyfit(x, np.log(y - floor), 1)
        return float(((floor + np.exp(np.polyval(line, x)) - y) ** 2).sum())

    found = fitted([*ours], y.tolist())
    slope, _ = np.polyfit(x, np.log(y - found.floor), 1)
    assert found.exponent == pytest.approx(-slope)
    assert error(found.floor) < min(error(found.floor - 0.01), error(found.floor + 0.01))
    assert error(found.floor) < error(0) / 10


def test_parameters_are_counted_as_by_hand(monkeypatch):
    monkeypatch.syspath_prepend(SCRIPTS)
    script = import_module("letter_models")
    d, inside = 8, 32
    attention, norm = 4 * (d * d + d), 2 * d
    layer = attention + (d * inside + inside) + (inside * d + d) + 2 * norm
    by_hand = 2 * layer + norm
    assert script.LetterModel(d, vocabulary=30).size() == by_hand
    stored = load_sweep("letter_models").runs.at(width=d)
    assert {*stored.numbers("size")} == {by_hand}


def test_a_model_never_sees_the_letter_it_predicts(monkeypatch):
    monkeypatch.syspath_prepend(SCRIPTS)
    model = import_module("letter_models").LetterModel(16, vocabulary=9).eval()
    text = torch.tensor([[2, 4, 5, 6]])
    other = torch.tensor([[2, 4, 7, 8]])
    source = torch.tensor([[3]])
    same, changed = model(source, text), model(source, other)
    torch.testing.assert_close(same[:, :2], changed[:, :2])
    assert not torch.allclose(same[:, 2:], changed[:, 2:])


def test_the_largest_model_had_fewer_than_ten_letters_per_parameter(monkeypatch):
    monkeypatch.syspath_prepend(SCRIPTS)
    script = import_module("letter_models")
    letters = sum(len(word.target) - 1 for word in script.words("train"))  # its start is given
    largest = max(losses_by_size(load_sweep("letter_models").runs))
    assert 9 < letters / largest < 10
