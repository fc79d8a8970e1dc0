"""Sweep what each of MiniLM's sub-layers adds to a word with two senses, for lesson 6.

Run it as `python tools/results/sub_layers_off.py`; it writes
tutor/data/results/sub_layers_off.json. It needs the optional package of MiniLM's trained weights.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import torch
from sweep import Sweep  # first: it makes the package importable
from torch import Tensor

from tools.data.word_senses import word_senses
from tutor.models.minilm import load_minilm
from tutor.models.minilm_stream import (
    SUB_LAYERS,
    Stream,
    end_without,
    parts_of_the_end,
    stream_of,
)

HALVES = ("first, third, …", "second, fourth, …")
NAMES = tuple(
    f"{kind} {layer}" for layer in range(SUB_LAYERS // 2) for kind in ("attention", "feed-forward")
)


class Sense(NamedTuple):
    """A word's sentences of one sense and what became of the word in each."""

    sentences: list[str]
    stream: Stream
    parts: Tensor  # (parts, sentences, D)


@cache
def senses(word: str) -> list[Sense]:
    """Read all sentences of a word, with every sub-layer on."""
    minilm, found = load_minilm(), []
    for sentences in word_senses()[word]:
        stream = stream_of(minilm, sentences, word)
        found.append(Sense(sentences, stream, parts_of_the_end(minilm, stream)))
    return found


@cache
def ends_without(word: str, number: int, to_mean: bool = False) -> list[Tensor]:
    """Give both senses' last rows without a sub-layer, or with its mean in its place."""
    both = senses(word)
    mean = torch.cat([sense.stream.added[number] for sense in both]).mean(0) if to_mean else None
    return [end_without(load_minilm(), sense.stream, number, mean) for sense in both]


def axis(word: str, unseen: int) -> Tensor:
    """Give the direction from the second sense's mean to the first's, from the other half."""
    first, second = (sense.stream.end[1 - unseen :: 2].mean(0) for sense in senses(word))
    return (first - second) / (first - second).norm()


def apart(first: Tensor, second: Tensor, along: Tensor) -> float:
    """Say how far the means of the two senses lie apart along a direction."""
    return float((first.mean(0) - second.mean(0)) @ along)


def measured(word: str, sub_layer: str, unseen: str, instead: str, seed: int) -> dict[str, float]:
    """Compare a sub-layer's own bar with what is lost without it, in sentences of one half."""
    number, half = NAMES.index(sub_layer), HALVES.index(unseen)
    along, both = axis(word, half), senses(word)
    whole = apart(*(sense.stream.end[half::2] for sense in both), along)
    first, second = (sense.parts[number + 1, half::2] for sense in both)  # part 0 is the start
    middle = torch.cat([first, second]).mean(0)
    right = torch.cat([(first - middle) @ along > 0, (second - middle) @ along < 0])
    ends = (end[half::2] for end in ends_without(word, number, instead == "its mean"))
    return {
        "bar": apart(first, second, along) / whole,
        "agree": right.double().mean().item(),
        "lost": 1 - apart(*ends, along) / whole,
    }


def grid(sub_layer: Sequence[str], instead: Sequence[str]) -> dict[str, Sequence[Any]]:
    """Give a grid over all words and both halves."""
    return {
        "word": list(word_senses()),
        "sub_layer": sub_layer,
        "unseen": HALVES,
        "instead": instead,
    }


SWEEP = Sweep(
    "sub_layers_off",
    "MiniLM reads 310 sentences with ten words of two senses; a word's last row is taken apart "
    "into what each of twelve sub-layers added (every norm's deviation held), and measured along "
    "the direction between the means of the two senses, which half of the sentences gave: for the "
    "other half, each sub-layer's share of the distance between the senses, and the share that is "
    "lost when it adds nothing to this word, or its mean over all sentences",
    measured,
    grids=[
        grid(sub_layer=NAMES, instead=["nothing"]),
        grid(sub_layer=NAMES[:1], instead=["nothing", "its mean"]),
    ],
    labels={
        "word": "word",
        "sub_layer": "sub-layer",
        "instead": "adds",
        "unseen": "measured on each sense's sentences",
        "bar": "its own share of the distance",
        "agree": "share of sentences in which it pushes towards the right sense",
        "lost": "share of the distance lost then",
    },
    margins={"bar": 0.005, "agree": 0.11, "lost": 0.01},
    sample={"word": ["spring"], "sub_layer": ["attention 0"]},
    unvaried={
        "seed": "the model is trained and nothing is drawn",
        "initialisation": "the model is trained",
    },
    seeds=(0,),
)

if __name__ == "__main__":
    SWEEP.main()
