"""Where a word lies between its two senses in a real model (lessons 4 and 6).

A word's vectors from some dozens of sentences differ most along one direction, their first
principal component. Nobody tells it which sentence has which sense, and yet that is what it finds.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from tutor.models.minilm import load_minilm
from tutor.say import say

LAST = 6  # layers that MiniLM has
MASK = "[MASK]"  # the token that MiniLM was taught with as "a word is missing here"


@dataclass(frozen=True)
class SenseAxis:
    """Two directions along which a word's vectors differ most.

    Attributes:
        means: the mean vector of the word at each depth: what all its sentences share.
        directions: the first and the second principal component after the last layer.
    """

    means: Float[Tensor, "depths d_model"]
    directions: Float[Tensor, "2 d_model"]

    def places(
        self, states: Float[Tensor, "*sentences depths d_model"]
    ) -> Float[Tensor, "*sentences depths 2"]:
        """Say where vectors of the word lie, depth by depth."""
        return (states - self.means) @ self.directions.T


def fit_axis(
    states: Float[Tensor, "sentences depths d_model"], first: Bool[Tensor, " sentences"]
) -> SenseAxis:
    """Find the directions in which a word's vectors differ most after the last layer.

    Args:
        states: the word's vectors, before the first layer and after each.
        first: the sentences of the first sense. They turn the axis round, so that this sense is
            at the positive end, and have no other part in it.

    Example:
        >>> rows = torch.tensor([[3.0, 1.0], [-3.0, 1.0], [2.0, 1.0], [-2.0, 1.0]])[:, None]
        >>> axis = fit_axis(rows.expand(4, 7, 2), torch.tensor([True, False, True, False]))
        >>> axis.places(rows)[:, 0, 0]
        tensor([ 3., -3.,  2., -2.])
    """
    means = states.mean(dim=0)
    centred = states[:, LAST] - means[LAST]
    directions = torch.linalg.svd(centred, full_matrices=False).Vh[:2]
    signs = torch.tensor([(centred[first] @ directions[0]).mean().sign(), 1.0])
    return SenseAxis(means, directions * signs[:, None])


def word_states(word: str, sentences: Sequence[str]) -> Float[Tensor, "sentences depths d_model"]:
    """Give a word's vectors in each sentence, before the first layer and after each.

    Raises:
        MissingModelError: the model is not installed.
        ValueError: a sentence has no such word.
    """
    minilm = load_minilm()
    states = []
    for sentence in sentences:
        tokens = minilm.tokenizer.encode(sentence).tokens
        if word not in tokens:
            raise ValueError(
                say(
                    "{word!r} is not among the tokens {tokens} of this sentence",
                    word=word,
                    tokens=tokens,
                )
            )
        states.append(minilm.hidden_states(sentence)[:, tokens.index(word)])
    return torch.stack(states)


def one_hidden(word: str, sentence: str, by: str = MASK) -> dict[int, str]:
    """Hide each word of a sentence in turn: its place -> the sentence without it.

    Args:
        word: the word that is watched, and so never hidden.
        sentence: words with spaces between them.
        by: what stands in the hidden word's place; an empty text leaves it out.

    Example:
        >>> one_hidden("bank", "The old bank")
        {0: '[MASK] old bank', 1: 'The [MASK] bank'}
    """
    words = sentence.split()
    return {
        place: " ".join(filter(None, [*words[:place], by, *words[place + 1 :]]))
        for place, hidden in enumerate(words)
        if word not in hidden.lower()
    }
