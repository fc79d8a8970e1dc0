"""Sweep which rows of a table get a gradient, for lesson 2.

Run it as `python tools/results/tied_rows.py`; it writes tutor/data/results/tied_rows.json.
"""

import math

import torch
import torch.nn.functional as F
from sweep import Sweep  # first: it makes the package importable

TEXT = 20  # words of a text; the vocabulary has more
SPREADS = {"1": lambda d: 1.0, "1/√d": lambda d: 1 / math.sqrt(d), "0.02": lambda d: 0.02}


def gradients(words: int, width: int, spread: str, tied: bool, seed: int) -> dict[str, float]:
    """Look a text up, score each next word, and go back to the rows of the table."""
    table = torch.randn(words, width, dtype=torch.float64) * SPREADS[spread](width)
    table.requires_grad_()
    output = table if tied else table.detach() + 0.0  # the same numbers, of its own
    ids = torch.randint(words, (TEXT,))
    F.cross_entropy(table[ids[:-1]] @ output.T, ids[1:]).backward()
    assert table.grad is not None
    sizes = table.grad.norm(dim=1)  # (V,)
    used = torch.zeros(words, dtype=torch.bool).scatter(0, ids, True)
    return {
        "rows": (sizes > 0).double().mean().item(),
        "unused": (sizes[~used].median() / sizes[ids[:-1]].median()).item(),
    }


SWEEP = Sweep(
    "tied_rows",
    "a table of fresh rows looks up a text of 20 words, and dot products with a table's rows score "
    "each next word: the share of rows of the first table that get a gradient, and the gradient of "
    "a word that is not in the text against that of one that is (medians)",
    gradients,
    grids=[
        {
            "words": [50, 1000],
            "width": [8, 64, 512],
            "spread": list(SPREADS),
            "tied": [False, True],
        }
    ],
    labels={
        "words": "words in the vocabulary",
        "width": "width of a row",
        "spread": "standard deviation of fresh rows",
        "tied": "the output uses the same table",
        "rows": "rows with a gradient",
        "unused": "gradient of unused rows against used ones",
    },
    margins={"rows": 0.001, "unused": 0.001},
    sample={"width": [8]},
    unvaried={"initialisation": "there is a table alone; its spread is varied"},
)

if __name__ == "__main__":
    SWEEP.main()
