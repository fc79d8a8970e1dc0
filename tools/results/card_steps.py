"""Sweep how many orders each memory gets right after more and more training, for lesson 1.

Run it as `python tools/results/card_steps.py`; it writes tutor/data/results/card_steps.json. The
networks, the cards and the questions are those of `cards.py`, which stops after 600 steps.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import torch
import torch.nn.functional as F
from sweep import Sweep  # first: it makes the package importable
from torch import Tensor, nn

from tutor.data.cards import commonest, deal
from tutor.training.card_readers import CardReader

HANDS = 32  # in a batch
SIZES = [2, 4, 8, 16]  # cards in a hand
ASKED = [0, 30, 100, 200, 300, 600, 1000, 1500, 2000, 3000, 4500, 6000, 8000, 10_000]


@dataclass(frozen=True)
class Training:
    """What a training is told; `steps` are those of the whole of it."""

    memory: str
    width: int
    rate: float
    steps: int
    seed: int


def trained(
    told: Training, hands: Sequence[Tensor], ask: Sequence[int] = ASKED
) -> dict[int, list[Tensor]]:
    """Train a network; give its answers to some hands after some numbers of steps.

    The hands of one batch have one size. The learning rate rises for a hundred steps, falls like
    one over a root, and over the last tenth to nothing.
    """
    torch.manual_seed(told.seed)
    dealer = torch.Generator().manual_seed(told.seed)
    reader = CardReader(told.memory, told.width)
    optimiser = torch.optim.Adam(reader.parameters(), lr=told.rate)
    factor = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: _falling(step, told.steps))
    said: dict[int, list[Tensor]] = {}
    for step in range(told.steps + 1):
        if step in ask:
            with torch.inference_mode():
                said[step] = [reader(steps).argmax(-1) for steps in hands]
        size = SIZES[int(torch.randint(len(SIZES), (), generator=dealer))]
        steps, answers = deal(HANDS, size, dealer)
        loss = F.cross_entropy(reader(steps).flatten(0, 1), answers.flatten())
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        optimiser.step()
        factor.step()
    return said


def _falling(step: int, steps: int) -> float:
    rising, last = min(1.0, (step + 1) / 100), min(1.0, 10 * (steps - step) / steps)
    return rising * max(0.0, last) / math.sqrt(1 + step / 1000)


def new_hands() -> list[tuple[Tensor, Tensor]]:
    """Deal 128 hands of each size on which all networks are asked."""
    return [deal(128, size, torch.Generator().manual_seed(5000 + size)) for size in SIZES]


@lru_cache(maxsize=2)
def shares(training: Training) -> dict[int, dict[int, float]]:
    """Give for each number of steps and each size the share of guests that is right."""
    hands = new_hands()
    said = trained(training, [steps for steps, _ in hands])
    return {
        step: {
            size: (answer == drinks).double().mean().item()
            for size, answer, (_, drinks) in zip(SIZES, answers, hands, strict=True)
        }
        for step, answers in said.items()
    }


def told(
    memory: str, width: int, rate: float, of: int, steps: int, cards: int, seed: int
) -> dict[str, float]:
    """Train once for all sizes and all numbers of steps; give the share at one of each."""
    _, answers = new_hands()[SIZES.index(cards)]
    right = shares(Training(memory, width, rate, of, seed))[steps][cards]
    return {"right": right, "commonest": commonest(answers)}


def grid(memory: str, width: int, rate: float, of: int, last: int) -> dict[str, Sequence[object]]:
    """Give the grid of one network, asked up to a last step of a training of so many steps."""
    asked = [step for step in ASKED if 0 < step <= last]
    one = {"memory": [memory], "width": [width], "rate": [rate], "of": [of]}
    return {**one, "steps": asked, "cards": SIZES}


SWEEP = Sweep(
    "card_steps",
    "each network reads hands of 2 to 16 cards, with a guest and a drink on each (32 guests, 16 "
    "drinks), and then a question for every guest (Adam, batches of 32 hands, a falling rate): the "
    "share of questions of 128 new hands of a size that it answers with the right drink, after "
    "more and more steps of training",
    told,
    grids=[
        grid("LSTM", 128, 3e-3, of=10_000, last=10_000),
        grid("LSTM", 64, 4e-3, of=10_000, last=10_000),
        grid("LSTM", 32, 1e-2, of=10_000, last=10_000),
        grid("GRU", 64, 4e-3, of=10_000, last=10_000),
        grid("attention", 32, 1e-2, of=1000, last=600),
        grid("attention", 64, 4e-3, of=1000, last=300),
    ],
    labels={
        "memory": "memory",
        "width": "width",
        "rate": "learning rate",
        "of": "steps of the whole training",
        "steps": "training steps",
        "cards": "cards in the hand",
        "right": "share of right answers",
        "commonest": "right if one always says the hand's most common drink",
    },
    margins={"right": 0.05, "commonest": 0.001},
    sample={"memory": ["attention"], "width": [32], "steps": [300], "cards": [2, 16]},
    unvaried={
        "seed": "two seeds, as a long training takes a minute of a processor and more",
        "initialisation": "only PyTorch's own was trained so long; the sweep `cards` has three, "
        "after 600 steps",
    },
    seeds=(0, 1),
)

if __name__ == "__main__":
    SWEEP.main()
