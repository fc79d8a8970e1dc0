"""Sentences with a word of two senses, and where MiniLM puts the word in them (lesson 4)."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from tutor.data.files import load_results
from tutor.display.palette import SERIES
from tutor.say import later, say_as

COLOURS = (SERIES[0], SERIES[2])  # of a word's first sense, at the right, and of its second

NAMES = (
    *(later("river", "sense"), later("money", "sense"), later("sport", "sense")),
    *(later("animal", "sense"), later("bird", "sense"), later("dog", "sense")),
    *(later("tree", "sense"), later("green", "sense"), later("season", "sense")),
    *(later("coil", "sense"), later("computer", "sense"), later("machine", "sense")),
    *(later("game", "sense"), later("fire", "sense"), later("stamp", "sense")),
    *(later("factory", "sense"), later("hand", "sense")),
)  # of all senses in the stored results


@dataclass(frozen=True)
class Sense:
    """One of two senses of a word.

    Attributes:
        name: what it is called, such as river.
        sentences: typical ones first; all of *bank*'s, of other words the most typical alone.
        places: in all sentences, in this order, on the two first principal components, before
            the first layer and after each.
    """

    name: str
    sentences: list[str]
    places: Float[Tensor, "sentences depths 2"]


@cache
def stored_senses() -> dict[str, tuple[Sense, Sense]]:
    """Give the words that the course carries, each with two senses.

    Example:
        >>> river, money = stored_senses()["bank"]
        >>> river.name, money.name, len(river.sentences), money.places.shape
        ('river', 'money', 20, torch.Size([20, 7, 2]))
    """
    return {word: _pair(senses) for word, senses in _values()["words"].items()}


@cache
def stored_hidden() -> dict[str, dict[int, float]]:
    """Say where *bank* ends up with one word hidden: sentence -> place of that word -> place.

    Example:
        >>> round(stored_hidden()["We opened an account at the bank"][3], 1)  # without account
        0.1
    """
    return {
        sentence: {int(place): end for place, end in ends.items()}
        for sentence, ends in _values()["hidden"].items()
    }


def sense_name(sense: Sense) -> str:
    """Say what a sense is called.

    Example:
        >>> sense_name(stored_senses()["bat"][1])
        'sport'
    """
    return say_as("sense", sense.name)


def _values() -> dict[str, Any]:
    values: dict[str, Any] = load_results("meaning_moves")["values"]
    return values


def _pair(senses: dict[str, Any]) -> tuple[Sense, Sense]:
    first, second = (
        Sense(name, found["sentences"], torch.tensor(found["places"]).unflatten(-1, (-1, 2)))
        for name, found in senses.items()
    )
    return first, second
