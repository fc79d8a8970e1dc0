"""Say where each word of two sentences looks in MiniLM, layer by layer, for the site's first page.

Run it as `python tools/results/words_looking.py`; it writes tutor/data/results/words_looking.json.
It needs the optional package of MiniLM's trained weights.
"""

from typing import Any

import stored  # first: it makes the package importable

from tutor.models.minilm import load_minilm

FILLERS = ("river", "savings")


def looks(filler: str) -> dict[str, Any]:
    """Give the words, and for each layer how each word's attention to words is shared out.

    It is the mean over the layer's heads, without [CLS] and [SEP], divided by its sum.
    """
    found = load_minilm().attention(f"He stood by the {filler} bank")
    weights = found.weights.mean(dim=1)[:, 1:-1, 1:-1]  # (layers, words, words)
    shares = weights / weights.sum(dim=-1, keepdim=True)
    return {
        "words": found.tokens[1:-1],
        "shares": [[[round(s, 3) for s in row] for row in layer] for layer in shares.tolist()],
    }


def measure(reduced: bool) -> dict[str, Any]:
    """Ask for each sentence, or for the first alone."""
    return {filler: looks(filler) for filler in FILLERS[: 1 if reduced else None]}


if __name__ == "__main__":
    stored.main(
        "words_looking",
        "how each word of 'He stood by the … bank' shares its attention among the words, in each "
        "of MiniLM's layers: mean over the heads, without [CLS] and [SEP]",
        0,
        measure,
    )
