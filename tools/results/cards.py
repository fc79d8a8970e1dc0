"""Sweep which memory can say who ordered what, for lesson 1.

Run it as `python tools/results/cards.py`; it writes tutor/data/results/cards.json. Every network
is trained on hands of different sizes and then asked, for every guest of new hands, for the drink.
"""

import math
from collections.abc import Sequence
from functools import lru_cache

import torch
import torch.nn.functional as F
from sweep import SEEDS, Sweep  # first: it makes the package importable
from torch import nn

from tutor.data.cards import commonest, deal
from tutor.training.card_readers import MEMORIES, CardReader
from tutor.training.initialisation import INITIALISATIONS, Initialisation, initialise

HANDS = 32  # in a batch
SIZES = [2, 4, 8, 16, 32]  # cards in a hand
STEPS = 600


@lru_cache(maxsize=len(SEEDS))
def trained(
    memory: str,
    width: int,
    rate: float,
    initialisation: Initialisation,
    seed: int,
) -> CardReader:
    """Train a network; the hands of one batch have one size."""
    torch.manual_seed(seed)
    dealer = torch.Generator().manual_seed(seed)
    reader = initialise(CardReader(memory, width), initialisation)
    optimiser = torch.optim.Adam(reader.parameters(), lr=rate)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: _falling(step / STEPS))
    for _ in range(STEPS):
        size = SIZES[int(torch.randint(len(SIZES), (), generator=dealer))]
        hands, answers = deal(HANDS, size, dealer)
        loss = F.cross_entropy(reader(hands).flatten(0, 1), answers.flatten())
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        optimiser.step()
        schedule.step()
    return reader


def _falling(share: float) -> float:
    """Let the learning rate rise for the first twentieth, then fall along a cosine."""
    return min(1.0, (share + 0.002) / 0.05) * (1 + math.cos(math.pi * share)) / 2


def told(
    memory: str,
    width: int,
    rate: float,
    initialisation: Initialisation,
    cards: int,
    seed: int,
) -> dict[str, float]:
    """Train once for all sizes; ask for every guest of 256 new hands of one size."""
    reader = trained(memory, width, rate, initialisation, seed)
    hands, answers = deal(256, cards, torch.Generator().manual_seed(1000 + seed))
    with torch.inference_mode():
        right = reader(hands).argmax(-1) == answers
    return {"right": right.double().mean().item(), "commonest": commonest(answers)}


def grid(**axes: Sequence[object]) -> dict[str, Sequence[object]]:
    """Give a grid with the lesson's own setting for every axis that is not named."""
    usual = {
        "memory": list(MEMORIES),
        "width": [32],
        "rate": [1e-2],
        "initialisation": ["default"],
        "cards": SIZES,
    }
    return usual | axes


SWEEP = Sweep(
    "cards",
    "each network reads hands of 2 to 32 cards, with a guest and a drink on each (32 guests, 16 "
    "drinks), and then a question for every guest (Adam, batches of 32 hands, a falling rate): the "
    "share of questions of 256 new hands that it answers with the right drink",
    told,
    grids=[
        grid(),
        grid(memory=["GRU", "LSTM", "attention"], initialisation=INITIALISATIONS),
        grid(memory=["GRU"], rate=[4e-3]),
        grid(memory=["GRU"], width=[64]),
    ],
    labels={
        "memory": "memory",
        "width": "width",
        "rate": "learning rate",
        "initialisation": "initialisation",
        "cards": "cards in the hand",
        "right": "share of right answers",
        "commonest": "right if one always says the hand's commonest drink",
    },
    margins={"right": 0.05, "commonest": 0.001},
    sample={
        "memory": ["attention"],
        "width": [32],
        "rate": [1e-2],
        "initialisation": ["default"],
        "cards": [2, 32],
    },
)

if __name__ == "__main__":
    SWEEP.main()
