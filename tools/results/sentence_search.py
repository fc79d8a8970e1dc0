"""Search ten sentences by meaning, for lesson 2.

Run it as `python tools/results/sentence_search.py`; it writes
tutor/data/results/sentence_search.json. It needs the optional package of MiniLM's trained weights.
"""

from typing import Any

import stored  # first: it makes the package importable
import torch
import torch.nn.functional as F
from torch import Tensor

from tutor.models.minilm import load_minilm

SENTENCES = (
    "How to repair a laptop that will not start",
    "Opening a savings account with your bank",
    "A walk along the bank of the river",
    "Five recipes for chicken stock",
    "Nvidia stock rises again",
    "The best tea for cold evenings",
    "Trains from Seoul to Busan",
    "Feeding your cat in summer",
    "Learning the piano at sixty",
    "Why leaves turn red in autumn",
)
QUERIES = (
    "My computer is broken",
    "My computer is not broken",
    "Something hot to drink",
    "Where should I put my money?",
    "What can I cook from bones?",
    "Shares of a chip maker",
)


def embedded(sentence: str) -> Tensor:
    """Give a sentence's embedding: the mean of its tokens' last vectors, of length 1."""
    return F.normalize(load_minilm().hidden_states(sentence)[-1].mean(0), dim=0)


def measure(reduced: bool) -> dict[str, Any]:
    """Compare each query with every sentence, or the first query alone."""
    rows = torch.stack([embedded(sentence) for sentence in SENTENCES])
    asked = QUERIES[: 1 if reduced else None]
    cosines = {query: (rows @ embedded(query)).tolist() for query in asked}
    return {
        "sentences": SENTENCES,
        "cosines": {query: [round(c, 2) + 0.0 for c in found] for query, found in cosines.items()},
    }


if __name__ == "__main__":
    stored.main(
        "sentence_search",
        "cosines of queries with sentences, each the mean of MiniLM's last vectors",
        0,
        measure,
    )
