"""`show_maps`: a formula becomes a picture, its words and its colours without being told."""

import pytest
import torch

from tutor.display.canvas import size_on_page
from tutor.display.maps import show_maps

Q = torch.tensor([[1.0, 0, 2], [2, 2, 2], [2, 1, 3]])
K = torch.tensor([[0.0, 1, 1], [4, 4, 0], [2, 3, 1]])
WORDS = ["the", "river", "bank"]


def test_alt_text_holds_formula_names_and_numbers():
    shown = show_maps("Q · Kᵀ = scores", tokens=WORDS, Q=Q, K=K, scores=Q @ K.T)
    assert shown.alt == (
        "Matrices: Q · Kᵀ = scores. "
        "Q: the: 1 0 2 / river: 2 2 2 / bank: 2 1 3. "
        "Kᵀ (columns the, river, bank): 0 4 2 / 1 4 3 / 1 0 1. "
        "scores (columns the, river, bank): the: 2 4 4 / river: 4 16 12 / bank: 4 12 10."
    )


def test_small_weights_are_not_zero():
    weights = (Q @ K.T / 3**0.5).softmax(-1)
    assert "0.0009" in show_maps(weights=weights).alt


def test_other_words_are_looked_at_than_ask():
    shown = show_maps(tokens=["나는", "안다"], looked_at=WORDS, weights=torch.eye(2, 3), V=K)
    assert "weights (columns the, river, bank): 나는: 1 0 0 / 안다: 0 1 0" in shown.alt
    assert "V: the: 0 1 1 / river" in shown.alt


@pytest.mark.parametrize(
    "formula",
    ["Q · Kᵀ = scores", "Q @ K.T = scores", "Q  ·   Kᵀ = scores", "Q Kᵀ softmax → scores"],
)
def test_formulas_may_be_typed(formula):
    assert "Kᵀ: 0 4 2" in show_maps(formula, Q=Q, K=K, scores=Q @ K.T).alt


@pytest.mark.parametrize("formula", ["Q · Kᵀ", "Q · Kᵀ = score", "Q · Kᵀ = scores times"])
def test_a_formula_that_does_not_fit_is_refused(formula):
    with pytest.raises(ValueError, match="the formula is"):
        show_maps(formula, Q=Q, K=K, scores=Q @ K.T)


def test_pictures_fit_a_page_however_much_they_hold():
    widths = [size_on_page(show_maps(**{f"x_{n}": Q for n in range(m)}).png)[0] for m in (1, 3, 6)]
    assert widths[0] < widths[1] < widths[2] <= 900
    assert size_on_page(show_maps(PE=torch.randn(4, 64)).png)[0] <= 900
