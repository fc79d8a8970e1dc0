"""Cards that lead on to other cards: what one look-up cannot answer (lesson 8).

A hand has two kinds of cards. On a first card a capital letter leads to a small one, on a last
card a small letter leads to a capital: "B: n" and "n: J". Then come the questions: what does B
lead to, in one step (n) or in two (J)?
"""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from tutor.say import say

LETTERS = 8
NAMES = "ABCDEFGHabcdefgh"  # the symbols' ids are their places
SYMBOLS = len(NAMES)
ONE_STEP, TWO_STEPS = SYMBOLS, SYMBOLS + 1  # stand on a question where a card has its second letter
SECONDS = SYMBOLS + 2


class Hand(NamedTuple):
    """Hands of one size.

    Attributes:
        steps: the two symbols of every card, then of every question.
        answers: the symbol that answers each question.
        two_steps: which questions ask for two steps.
    """

    steps: Int[Tensor, "hands steps two"]
    answers: Int[Tensor, "hands questions"]
    two_steps: Bool[Tensor, "hands questions"]


def deal(hands: int, chains: int, generator: torch.Generator) -> Hand:
    """Deal hands at random: for each chain two cards, and three questions.

    Args:
        hands: how many.
        chains: in each hand, at most `LETTERS`; they have twice as many cards.
        generator: of the random numbers.

    Example:
        >>> hand = deal(1, 2, torch.Generator().manual_seed(1))
        >>> [NAMES[a] + ":" + NAMES[b] for a, b in hand.steps[0, :4].tolist()]
        ['b:B', 'f:G', 'B:b', 'E:f']
        >>> two = hand.two_steps[0]
        >>> [NAMES[a] for a in hand.steps[0, 4:, 0][two]], [NAMES[a] for a in hand.answers[0][two]]
        (['B', 'E'], ['B', 'G'])

    Raises:
        ValueError: if there are more chains than letters, or none.
    """
    if not 1 <= chains <= LETTERS:
        raise ValueError(
            say(
                "chains={chains}; expected 1 to {letters}, as many as there are letters",
                chains=chains,
                letters=LETTERS,
            )
        )

    def different() -> Tensor:
        return torch.rand(hands, LETTERS, generator=generator).argsort(1)[:, :chains]

    def shuffled(*parts: Tensor) -> list[Tensor]:
        length = parts[0].size(1)
        order = torch.rand(hands, length, generator=generator).argsort(1)
        return [part.gather(1, order) for part in parts]

    first, middle = different(), different() + LETTERS
    last = torch.randint(LETTERS, (hands, chains), generator=generator)
    cards = shuffled(torch.cat([first, middle], 1), torch.cat([middle, last], 1))
    kinds = torch.tensor([ONE_STEP] * 2 * chains + [TWO_STEPS] * chains).expand(hands, -1)
    asked, asking, answers = shuffled(
        torch.cat([first, middle, first], 1), kinds, torch.cat([middle, last, last], 1)
    )
    told = torch.stack(cards, dim=-1)  # (hands, 2 chains, 2)
    questions = torch.stack([asked, asking], dim=-1)  # (hands, 3 chains, 2)
    return Hand(torch.cat([told, questions], dim=1), answers, asking == TWO_STEPS)
