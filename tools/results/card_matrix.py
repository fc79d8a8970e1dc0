"""Sweep how far the matrix state's answers hang on its seed, for lesson 1.

Run it as `python tools/results/card_matrix.py`; it writes tutor/data/results/card_matrix.json.
"""

from cards import SIZES, told
from sweep import Sweep

SWEEP = Sweep(
    "card_matrix",
    "matrix states of width 32, whose table has 1,024 numbers, and of width 16, whose 256 are as "
    "many as an LSTM of width 128 carries in its two states; those of a width differ in their seed "
    "alone, and read hands of 2 to 32 cards as in the sweep `cards`, after 600 steps of training: "
    "the share of questions of 256 new hands that each answers with the right drink",
    told,
    grids=[
        {
            "memory": ["matrix"],
            "width": [32, 16],
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
    sample={"width": [32], "cards": [8]},
    unvaried={"initialisation": "it is about the seed: eight of them, all else being the same"},
    seeds=tuple(range(8)),
)

if __name__ == "__main__":
    SWEEP.main()
