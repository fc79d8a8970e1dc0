"""Sweep what a decoder learns without mask or without shift, for lesson 7.

Run it as `python tools/results/fortune_teller.py`; it writes
tutor/data/results/fortune_teller.json.
"""

from sweep import Sweep  # first: it makes the package importable

from tutor.training.fortune_teller import (
    FortuneTeller,
    draw_rows,
    foretell,
    train_fortune_teller,
    weights_of,
    without_attention,
)
from tutor.training.initialisation import INITIALISATIONS, Initialisation, initialise


def foretold(
    mask: bool, shift: bool, initialisation: Initialisation, rate: float, steps: int, seed: int
) -> dict[str, float]:
    """Train a fortune teller; how well it foretells, as trained and in use, and where it looks."""
    model = FortuneTeller()
    initialise(model, initialisation)
    train_fortune_teller(model, mask=mask, shift=shift, rate=rate, steps=steps)
    trained = foretell(model, mask=mask, shift=shift)
    used = foretell(model, mask=True, shift=True)
    looks = weights_of(model, draw_rows(1000, shift)[0], mask=mask).mean(0)  # (said, T)
    cut = foretell(without_attention(model), mask=mask, shift=shift)
    return {
        "loss as trained": trained.loss,
        "right as trained": trained.right,
        "loss in use": used.loss,
        "right in use": used.right,
        "weight ahead": looks.diagonal(1).min().item(),
        "right without attention": cut.right,
    }


SWEEP = Sweep(
    "fortune_teller",
    "one attention (d_model 32) is trained with Adam to say random digits, with and without mask "
    "and shift; then it foretells 1,000 fresh rows as it was trained, and with mask and shift, as "
    "when it writes; and where it looks, and what it says without its attention",
    foretold,
    grids=[
        {
            "mask": [True, False],
            "shift": [True, False],
            "initialisation": INITIALISATIONS,
            "rate": [0.003, 0.01, 0.03],
            "steps": [50, 200],
        }
    ],
    labels={
        "mask": "mask",
        "shift": "shift",
        "initialisation": "initialisation",
        "rate": "learning rate",
        "steps": "steps of training",
        "loss as trained": "loss as trained",
        "right as trained": "share right as trained",
        "loss in use": "loss in use",
        "right in use": "share right in use",
        "weight ahead": "lowest weight of a query on the next key, mean of 1,000 rows",
        "right without attention": "share right with the attention's output set to 0",
    },
    margins={
        "loss as trained": 0.1,
        "right as trained": 0.05,
        "loss in use": 1.0,
        "right in use": 0.05,
        "weight ahead": 0.05,
        "right without attention": 0.05,
    },
    sample={"initialisation": ["xavier"], "rate": [0.01], "steps": [50]},
)

if __name__ == "__main__":
    SWEEP.main()
