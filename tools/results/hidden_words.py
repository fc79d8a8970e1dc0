"""Sweep how far a word goes back when a word of its sentence is hidden, for lesson 4.

Run it as `python tools/results/hidden_words.py`; it writes tutor/data/results/hidden_words.json. It
needs the optional package of MiniLM's trained weights.
"""

from collections.abc import Iterator
from statistics import median

import torch
from sweep import Sweep  # first: it makes the package importable
from two_senses import read_senses

from tools.data.word_senses import word_senses
from tutor.models.sense_axis import LAST, MASK, SenseAxis, fit_axis, one_hidden, word_states

HOW = {"hidden": MASK, "left out": ""}


def shares_left(word: str, how: str, seed: int) -> dict[str, float]:
    """Hide each word of each sentence in turn; count the sentences that lie right to begin with."""
    found = []
    for sign, sentence, place, axis in placed(word):
        if sign * place > 0:
            without = list(one_hidden(word, sentence, HOW[how]).values())
            after = axis.places(word_states(word, without))[:, LAST, 0]
            found.append(sorted((after / place).tolist()))  # first: the most telling word's
    return {
        "left": median(shares[0] for shares in found),
        "left by others": median(median(shares[1:]) for shares in found),
        "second": median(shares[1] for shares in found),
        "crosses": sum(shares[0] < 0 for shares in found) / len(found),
        "sentences": len(found),
    }


def placed(word: str) -> Iterator[tuple[int, str, float, SenseAxis]]:
    """Place each sentence by the axis of the half that it is not in: every other sentence."""
    pair = read_senses(word)
    for half in (0, 1):
        seen = [states[1 - half :: 2] for states in pair]
        axis = fit_axis(torch.cat(seen), torch.arange(sum(map(len, seen))) < len(seen[0]))
        senses = zip((1, -1), word_senses()[word], pair, strict=True)
        for sign, sentences, states in senses:
            places = axis.places(states[half::2])[:, LAST, 0].tolist()
            for sentence, place in zip(sentences[half::2], places, strict=True):
                yield sign, sentence, place, axis


SWEEP = Sweep(
    "hidden_words",
    "MiniLM reads 30 or 40 sentences with each of ten words of two senses, each word around it in "
    "turn replaced by [MASK] or left out: the share that is left of the word's place on the first "
    "principal component (fitted on the other half of the sentences), for the sentences that lie "
    "on the side of their sense",
    shares_left,
    grids=[{"word": [*word_senses()], "how": [*HOW]}],
    labels={
        "word": "word",
        "how": "a word is",
        "left": "share of the place left without the most telling word, median",
        "second": "share left without the second most telling word, median",
        "left by others": "share left without any other word, median",
        "crosses": "share of sentences that cross to the other side without one word",
        "sentences": "sentences",
    },
    margins={
        "left": 0.04,
        "left by others": 0.03,
        "second": 0.04,
        "crosses": 0.05,
        "sentences": 1,
    },
    sample={"word": ["spring"], "how": ["hidden"]},
    unvaried={
        "seed": "the model is trained and nothing is drawn",
        "initialisation": "the model is trained",
    },
    seeds=(0,),
)

if __name__ == "__main__":
    SWEEP.main()
