"""Sweep which heads of a small model of letters carry its skill, for lesson 5.

Run it as `python tools/results/letter_heads.py`; it writes tutor/data/results/letter_heads.json.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import torch
from sweep import Sweep  # first: it makes the package importable

from tutor.training.initialisation import (
    INITIALISATIONS,
    Initialisation,
    as_torch_starts,
    initialise,
)
from tutor.training.letters import (
    HEADS,
    RATE,
    build_letters,
    looks_of,
    mean_outputs,
    scores_of,
    share_right,
    switched_off,
    train_letters,
)

BACK = 0.3  # of its weight on the letter before: then a head counts as looking back


def measured(
    layers: int, steps: int, initialisation: Initialisation, rate: float, seed: int
) -> dict[str, float]:
    """Train a model; then switch off the first layer's heads that look back, or its others."""
    model = initialise(as_torch_starts(build_letters(layers)), initialisation)
    scores = partial(scores_of, model)
    train_letters(model, scores, torch.Generator().manual_seed(seed), steps, rate)
    weights_back = looks_of(model).back[0].tolist()
    back = [(0, head) for head in range(HEADS) if weights_back[head] > BACK]
    rest = [(0, head) for head in range(HEADS) if weights_back[head] <= BACK]
    means = mean_outputs(model)
    found = {"heads": float(len(back)), "right": share_right(scores, stretch=12)}
    for name, off in (("without", back), ("others", rest)):
        with switched_off(model, off, means):
            found[name] = share_right(scores, stretch=12)
    return found


def grid(**axes: Sequence[Any]) -> dict[str, Sequence[Any]]:
    """Give a grid round the training that the course's model had."""
    usual = {"layers": [2], "steps": [600], "initialisation": ["default"], "rate": [RATE]}
    return usual | axes


SWEEP = Sweep(
    "letter_heads",
    "a Transformer of 103 thousand weights with rotary positions learns to go on with stretches of "
    "6 to 20 different letters that repeat: the share of letters it foretells from the second "
    "round on, for stretches of 12; again with the heads of its first layer off that put more "
    "than .3 of their weight on the letter before; and with the first layer's other heads off",
    measured,
    grids=[
        grid(layers=[1, 2]),
        grid(initialisation=INITIALISATIONS),
        grid(rate=[RATE / 2]),
        grid(layers=[1], initialisation=["xavier"]),
        grid(steps=[20]),
    ],
    labels={
        "layers": "layers",
        "steps": "steps of training",
        "initialisation": "initialisation",
        "rate": "learning rate",
        "heads": "heads that look back",
        "right": "right, all heads on",
        "without": "right, heads that look back off",
        "others": "right, the layer's other heads off",
    },
    margins={"heads": 1.0, "right": 0.05, "without": 0.05, "others": 0.05},
    sample={"steps": [20]},
)

if __name__ == "__main__":
    SWEEP.main()
