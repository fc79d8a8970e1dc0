"""Follow words with two senses through MiniLM's layers, and hide words around *bank*, for lesson 4.

Run it as `python tools/results/meaning_moves.py`; it writes tutor/data/results/meaning_moves.json.
It needs the optional package of MiniLM's trained weights.
"""

from typing import Any

import stored  # first: it makes the package importable
import torch
from torch import Tensor
from two_senses import read_senses

from tools.data.word_senses import word_senses
from tutor.models.sense_axis import LAST, SenseAxis, fit_axis, one_hidden, word_states

HIDDEN = "bank"  # the word around which words are hidden
NAMES = {  # of the two senses
    "bank": ("river", "money"),
    "bat": ("animal", "sport"),
    "spring": ("season", "coil"),
    "mouse": ("animal", "computer"),
    "match": ("game", "fire"),
    "seal": ("animal", "stamp"),
    "crane": ("bird", "machine"),
    "bark": ("tree", "dog"),
    "plant": ("green", "factory"),
    "palm": ("tree", "hand"),
}


def typical_first(last: Tensor) -> list[int]:
    """Order sentences of one sense by how near their place is to the median of all."""
    order: list[int] = (last - last.median()).abs().argsort(stable=True).tolist()
    return order


def followed(word: str) -> tuple[dict[str, Any], SenseAxis]:
    """Give a word's sentences, typical ones first, and its places in all, depth by depth."""
    pair = read_senses(word)
    first = torch.arange(sum(map(len, pair))) < len(pair[0])
    axis = fit_axis(torch.cat(pair), first)
    senses = {}
    for sense, sentences, states in zip(NAMES[word], word_senses()[word], pair, strict=True):
        places = axis.places(states)  # (sentences, depths, 2)
        order = typical_first(places[:, LAST, 0])
        shown = order if word == HIDDEN else order[:1]  # the pictures name no others
        senses[sense] = {
            "sentences": [sentences[number] for number in shown],
            "places": [rounded(places[number].flatten()) for number in order],
        }
    return senses, axis


def hidden(axis: SenseAxis, sentence: str) -> dict[str, float]:
    """Say where the word ends up with each word of a sentence hidden, by that word's place."""
    without = one_hidden(HIDDEN, sentence)
    places = axis.places(word_states(HIDDEN, list(without.values())))[:, LAST, 0]
    return dict(zip(map(str, without), rounded(places), strict=True))


def rounded(numbers: Tensor) -> list[float]:
    """Round, and write -0 as 0."""
    return [round(number, 2) + 0.0 for number in numbers.tolist()]


def measure(reduced: bool) -> dict[str, Any]:
    """Follow all ten words, or bank alone, and hide a word of one of its sentences only."""
    senses, axis = followed(HIDDEN)
    words = {HIDDEN: senses}
    if not reduced:
        words |= {word: followed(word)[0] for word in NAMES if word != HIDDEN}
    sentences = [each for sense in senses.values() for each in sense["sentences"]]
    return {
        "words": words,
        "hidden": {each: hidden(axis, each) for each in sentences[: 1 if reduced else None]},
    }


if __name__ == "__main__":
    stored.main(
        "meaning_moves",
        "ten words with two senses in 310 sentences, in MiniLM: their places on the first two "
        "principal components after the last layer, before the first layer and after each; and "
        "where bank ends up when one word of its sentence is replaced by [MASK]",
        0,
        measure,
    )
