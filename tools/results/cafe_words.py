"""Sweep what a table learns of words from their context alone, for lesson 2.

Run it as `python tools/results/cafe_words.py`; it writes tutor/data/results/cafe_words.json.
"""

import torch
from sweep import Sweep  # first: it makes the package importable

from tutor.training.cafe_words import (
    GROUPS,
    fresh_table,
    in_own_group,
    nearest_words,
    sentences,
    train,
)

STEPS = 300
NEW = ("mina drinks zib", "on friday tom drinks cold zib", "three cups of zib")


def grouped(width: int, count: int, shuffled: bool, told: int, seed: int) -> dict[str, float]:
    """Train a table; how many words lie beside their like, and where a new word comes to lie."""
    generator = torch.Generator().manual_seed(seed)
    text = sentences(count, generator, shuffled) + [line.split() for line in NEW[:told]]
    table = fresh_table(text, width, generator)
    train(table, STEPS)
    near = nearest_words(table, "zib", k=5) if told else []
    return {
        "own group": in_own_group(table, table.rows),
        "by counts": in_own_group(table, table.counts),
        "drinks": sum(word in GROUPS["drinks"] for word in near),
    }


SWEEP = Sweep(
    "cafe_words",
    "a table is trained by skip-gram (window 2, 300 steps of Adam) on made-up sentences of a café: "
    "the share of words of six groups whose nearest other word is of their group, by the rows and "
    "by the raw counts of context, and how many of a new word's five nearest are drinks after "
    "sentences in which it is drunk",
    grouped,
    grids=[
        {"width": [2, 8, 32], "count": [30, 300, 1000], "shuffled": [False, True], "told": [0]},
        {"width": [8], "count": [300], "shuffled": [False], "told": [1, 2, 3]},
    ],
    labels={
        "width": "width of a row",
        "count": "sentences",
        "shuffled": "words dealt out at random",
        "told": "sentences with the new word",
        "own group": "nearest word of the own group, by rows",
        "by counts": "nearest word of the own group, by counts",
        "drinks": "drinks among the new word's five nearest",
    },
    margins={"own group": 0.1, "by counts": 0.05, "drinks": 1},
    sample={"width": [8], "count": [300], "shuffled": [False], "told": [0, 3]},
    unvaried={"initialisation": "a table has no layers; its rows are drawn anew with each seed"},
    seeds=(0, 1, 2, 3, 4, 5),
)

if __name__ == "__main__":
    SWEEP.main()
