"""The café's orders: cards with a guest and a drink, and then the question who had what.

A hand is read from left to right. First come its cards, each with the name of a guest and a drink;
then every guest is asked for once, in another order, on a card that has no drink.
"""

from collections.abc import Mapping

import torch
from jaxtyping import Int
from torch import Tensor

from tutor.say import say

_GUEST_LIST = """
    Ada Amir Anna Ben Chloe Dan Ela Eva Finn Gabi Hana Ivo Joon Kai Lea Leo
    Luca Maja Mina Nils Noah Olga Omar Paul Rosa Sam Sora Tara Tom Uma Yuna Zoe
"""
_DRINK_LIST = """
    tea milk coffee juice cocoa water cola soda chai mate lemonade cider mocha latte punch syrup
"""
GUEST_NAMES = _GUEST_LIST.split()
DRINK_NAMES = _DRINK_LIST.split()
GUESTS, DRINKS = len(GUEST_NAMES), len(DRINK_NAMES)
NOTHING = DRINKS  # stands where a question has no drink
EIGHT_ORDERS = {  # what the reader serves in lesson 1, and its networks after them
    "Mina": "tea",
    "Joon": "milk",
    "Sora": "coffee",
    "Tom": "tea",
    "Ada": "juice",
    "Noah": "tea",
    "Yuna": "cocoa",
    "Ben": "milk",
}


def deal(
    hands: int, cards: int, generator: torch.Generator
) -> tuple[Int[Tensor, "hands steps two"], Int[Tensor, "hands cards"]]:
    """Deal hands at random: different guests, any drinks.

    Args:
        hands: how many.
        cards: in each hand, at most `GUESTS`.
        generator: of the random numbers.

    Returns:
        The guest and the drink of every step, cards first and then as many questions; and the drink
        that answers each question.

    Example:
        >>> steps, answers = deal(1, 3, torch.Generator().manual_seed(0))
        >>> steps[0].tolist()
        [[12, 3], [27, 0], [2, 3], [12, 16], [27, 16], [2, 16]]
        >>> answers.tolist()
        [[3, 0, 3]]

    Raises:
        ValueError: if there are more cards than guests, or none.
    """
    if not 1 <= cards <= GUESTS:
        raise ValueError(
            say(
                "cards={cards}; expected 1 to {guests}, as many as there are guests",
                cards=cards,
                guests=GUESTS,
            )
        )
    guests = torch.rand(hands, GUESTS, generator=generator).argsort(1)[:, :cards]
    drinks = torch.randint(DRINKS, (hands, cards), generator=generator)
    order = torch.rand(hands, cards, generator=generator).argsort(1)
    told = torch.stack([guests, drinks], dim=-1)  # (hands, cards, 2)
    asked = torch.stack([guests.gather(1, order), torch.full_like(drinks, NOTHING)], dim=-1)
    return torch.cat([told, asked], dim=1), drinks.gather(1, order)


def commonest(answers: Int[Tensor, "hands cards"]) -> float:
    """Return how often it is right to answer every question with the hand's commonest drink.

    Example:
        >>> steps, answers = deal(1000, 2, torch.Generator().manual_seed(0))
        >>> round(commonest(answers), 2)  # one of two, or both where they drink the same
        0.53
    """
    shown = torch.nn.functional.one_hot(answers, DRINKS).sum(1)  # (hands, drinks)
    return (shown.amax(1).double() / answers.size(1)).mean().item()


def hand_of(
    orders: Mapping[str, str],
) -> tuple[Int[Tensor, "1 steps two"], Int[Tensor, "1 cards"]]:
    """Write orders as a hand like those that `deal` gives; the guests are asked in their order.

    Example:
        >>> steps, answers = hand_of({"Ada": "milk", "Ben": "tea"})
        >>> steps[0].tolist(), answers[0].tolist()
        ([[0, 1], [3, 0], [0, 16], [3, 16]], [1, 0])
    """
    guests = torch.tensor([GUEST_NAMES.index(guest) for guest in orders])
    drinks = torch.tensor([DRINK_NAMES.index(drink) for drink in orders.values()])
    told = torch.stack([guests, drinks], dim=-1)  # (cards, 2)
    asked = torch.stack([guests, torch.full_like(drinks, NOTHING)], dim=-1)
    return torch.cat([told, asked])[None], drinks[None]


def letters(drinks: Int[Tensor, "any"]) -> str:
    """Write drinks in short, a letter of sixteen for each, as stored answers have them.

    Example:
        >>> letters(torch.tensor([0, 1, 15]))
        'abp'
    """
    return "".join(chr(ord("a") + drink) for drink in drinks.tolist())
