"""Sweep whether a neuron that knows a word knows its sense, for lesson 6.

Run it as `python tools/results/neuron_senses.py`; it writes tutor/data/results/neuron_senses.json.
It needs the optional package of MiniLM's trained weights.
"""

import torch
from sweep import Sweep  # first: it makes the package importable

from tools.data.word_senses import word_senses
from tutor.models.minilm import load_minilm
from tutor.models.minilm_stream import neuron_values

MONTHS = ("They met in …", "The shop opens in …", "He was born in …", "… was cold this year")
VERBS = {
    "may": ("She may stay", "You may go now", "It may rain tomorrow", "They may sell the house"),
    "march": (
        "They march through the town",
        "The soldiers march all night",
        "We will march to the palace",
        "They march in step",
    ),
}
# What the neuron answers to -> the word, layer and number, and the sense it should not answer to.
CASES = {
    "months: may": ("may", 0, 1152),
    "months: march": ("march", 0, 1152),
    "money: bank": ("bank", 4, 359),
    "the body: palm": ("palm", 0, 113),
}


def _sentences(word: str) -> tuple[list[str], list[str]]:
    """Give sentences with the sense that fits the neuron, and with the other."""
    if word in VERBS:
        return [frame.replace("…", word) for frame in MONTHS], list(VERBS[word])
    other, fitting = word_senses()[word]
    return fitting, other


def compared(case: str, seed: int) -> dict[str, float]:
    """Compare a neuron's value at a word in sentences of its sense, and of the other."""
    word, layer, neuron = CASES[case]
    minilm, means = load_minilm(), []
    for sentences in _sentences(word):
        encoded = [minilm.tokenizer.encode(sentence) for sentence in sentences]
        means.append(
            torch.stack(
                [
                    neuron_values(minilm, [one.ids])[layer, 0, one.tokens.index(word), neuron]
                    for one in encoded
                ]
            ).mean()
        )
    fits, other = means
    return {"fits": fits.item(), "other": other.item(), "share": (other / fits).item()}


SWEEP = Sweep(
    "neuron_senses",
    "three neurons of MiniLM read a word in sentences with the sense that fits the neuron and with "
    "the other: eight sentences each of may and of march, forty of bank, thirty of palm",
    compared,
    grids=[{"case": list(CASES)}],
    labels={
        "case": "neuron and word",
        "fits": "mean value where the sense fits",
        "other": "mean value where it does not",
        "share": "the second as a share of the first",
    },
    margins={"fits": 0.02, "other": 0.02, "share": 0.01},
    sample={"case": ["months: may"]},
    unvaried={
        "seed": "the model is trained and nothing is drawn",
        "initialisation": "the model is trained",
    },
    seeds=(0,),
)

if __name__ == "__main__":
    SWEEP.main()
