"""Pictures of what lesson 8 trained agree with the paper's tables, torch and the model."""

import sys
from itertools import pairwise

import pytest
import torch
from matplotlib.figure import Figure

from tutor.claims.letter_models import losses_by_size
from tutor.claims.runs import load_sweep
from tutor.explorers.lesson08_full_transformer.accuracy_by_length import accuracy_by_length
from tutor.explorers.lesson08_full_transformer.adams_means import learn_one_weight
from tutor.explorers.lesson08_full_transformer.bleu_and_cost import BIG, TABLE_2
from tutor.explorers.lesson08_full_transformer.eight_names import read_and_written
from tutor.explorers.lesson08_full_transformer.hidden_vocabulary import STATED, words_that_fit
from tutor.explorers.lesson08_full_transformer.letter_losses import letter_losses
from tutor.explorers.lesson08_full_transformer.scaling_law import scaling_law


def test_ten_ranges_of_table_3_share_a_strip_that_leaves_the_stated_vocabulary_out():
    ranges = words_that_fit().values()
    low, high = max(low for low, _ in ranges), min(high for _, high in ranges)
    assert 40_900 < low < 41_000 < 41_150 < high < 41_200
    assert all(low > STATED for low, _ in ranges)


def test_adams_two_means_are_those_of_torch():
    learned = learn_one_weight()
    weight = torch.zeros((), dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.Adam([weight], lr=1.0, betas=(0.9, 0.98), eps=0.0)
    for gradient, step in zip(-learned.gradient, learned.step, strict=True):
        before, weight.grad = weight.item(), gradient.clone()
        optimiser.step()
        assert weight.item() - before == pytest.approx(step.item(), abs=1e-9)


def test_the_large_transformer_is_best_for_both_languages_and_cheaper_than_every_ensemble():
    others = [row for row in TABLE_2 if row != BIG]
    for side in (0, 1):
        assert BIG.bleu[side] > max(row.bleu[side] for row in others)
        ensembles = [row.flops[side] for row in others if row.ensemble]
        assert 3 * BIG.flops[side] < min(ensembles)


def test_no_line_is_drawn_where_nothing_was_measured(monkeypatch):
    drawn = []
    monkeypatch.setattr(
        sys.modules[accuracy_by_length.__module__],
        "Picture",
        lambda draw, **_: drawn.append(Figure()) or draw(drawn[0]),
    )
    accuracy_by_length("phrasebook-fr")
    lines = [line.get_xdata() for line in drawn[0].axes[0].lines if line.get_linestyle() == "-"]
    joined = [ends for ends in lines if len(ends) == 2]
    assert len(joined) == 3 * 4
    assert all(max(ends) <= 6 for ends in joined)


def test_eight_names_are_read_and_six_of_them_written():
    for number in range(1, 7):
        read, right, written = read_and_written(number)
        assert (len(read), len(right), len(written)) == (8, 8, 6)
        assert set(written) < set(right)


def drawn(monkeypatch, picture):
    """Draw a picture and give its figure."""
    figures = []
    monkeypatch.setattr(
        sys.modules[picture.__module__],
        "Picture",
        lambda draw, **_: figures.append(Figure()) or draw(figures[0]),
    )
    picture()
    return figures[0]


def test_the_scaling_law_is_kaplans(monkeypatch):
    (axes,) = drawn(monkeypatch, scaling_law).axes
    sizes, losses = axes.lines[0].get_data()
    tenfold = [after / before for before, after in pairwise(losses)]
    assert tenfold == [pytest.approx(10**-0.076)] * 6
    assert losses[-1] == pytest.approx((8.8e13 / sizes[-1]) ** 0.076)


def test_dots_are_our_stored_runs_and_bend_away_from_the_straight_line(monkeypatch):
    (axes,) = drawn(monkeypatch, letter_losses).axes
    dots = [tuple(dot) for part in axes.collections for dot in part.get_offsets().tolist()]
    assert dots == [
        (size, loss)
        for size, of_size in losses_by_size(load_sweep("letter_models").runs).items()
        for loss in of_size
    ]
    straight, law = (line.get_ydata() for line in axes.lines[:2])
    assert straight[-1] < law[-1] - 0.1
