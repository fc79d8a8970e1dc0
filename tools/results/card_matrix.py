"""Sweep how far the matrix state's answers hang on its seed, for lesson 1.

Run it as `python tools/results/card_matrix.py`; it writes tutor/data/results/card_matrix.json.
"""

from cards import SIZES, told
from sweep import Sweep

SWEEP = Sweep(
    "card_matrix",
    "matrix states of width 32, which differ in their seed alone, read hands of 2 to 32 cards as "
    "in the sweep `cards`, after 600 steps of training: the share of questions of 256 new hands "
    "that each answers with the right drink",
    told,
    grids=[
        {
            "memory": ["matrix"],
            "width": [32],
            "rate": [1e-2],
            "initialisation": ["default"],
            "cards": SIZES,
        }
    ],
    labels={
        "memory": "memory",
        "width": "width",
        "rate": "learning rate",
        "initialisation": "initialisation",
        "cards": "cards in the hand",
        "right": "share of right answers",
        "commonest": "right if one always says the hand's most common drink",
    },
    margins={"right": 0.05, "commonest": 0.001},
    sample={"cards": [8]},
    unvaried={"initialisation": "it is about the seed: eight of them, all else being the same"},
    seeds=tuple(range(8)),
)

if __name__ == "__main__":
    SWEEP.main()
