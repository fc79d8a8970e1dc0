"""Sweep which reader follows a chain of cards, for lesson 8.

Run it as `python tools/results/chains.py`; it writes tutor/data/results/chains.json. Every reader
is trained on hands of two, three and four chains and asked about new hands of four.
"""

import math
from collections.abc import Mapping, Sequence

import torch
import torch.nn.functional as F
from sweep import Sweep  # first: it makes the package importable
from torch import Tensor, nn

from tutor.data.chains import Hand, deal
from tutor.training.chain_readers import READERS, ChainReader
from tutor.training.initialisation import INITIALISATIONS, Initialisation, initialise

HANDS = 32  # in a batch
SIZES = [2, 3, 4]  # chains in a hand
ASKED = 4
FIRST, LAST = "without the first look", "without the last look"


def trained(
    reader: str, width: int, rate: float, steps: int, initialisation: Initialisation, seed: int
) -> ChainReader:
    """Train a reader; the hands of one batch have one size."""
    torch.manual_seed(seed)
    dealer = torch.Generator().manual_seed(seed)
    model = initialise(ChainReader(reader, width), initialisation)
    optimiser = torch.optim.Adam(model.parameters(), lr=rate)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: _falling(step / steps))
    for _ in range(steps):
        chains = SIZES[int(torch.randint(len(SIZES), (), generator=dealer))]
        hand = deal(HANDS, chains, dealer)
        loss = F.cross_entropy(model(hand.steps).flatten(0, 1), hand.answers.flatten())
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        schedule.step()
    return model


def _falling(share: float) -> float:
    """Let the learning rate rise for the first twentieth, then fall along a cosine."""
    return min(1.0, (share + 0.002) / 0.05) * (1 + math.cos(math.pi * share)) / 2


def right(scores: Tensor, hand: Hand) -> tuple[float, float]:
    """Give the share of right answers, in one step and in two."""
    hits = (scores.argmax(-1) == hand.answers).double()
    return hits[~hand.two_steps].mean().item(), hits[hand.two_steps].mean().item()


def followed(
    reader: str, width: int, rate: float, steps: int, initialisation: Initialisation, seed: int
) -> dict[str, float]:
    """Train once; ask about 512 new hands, with all look-ups and with one switched off."""
    model = trained(reader, width, rate, steps, initialisation, seed)
    hand = deal(512, ASKED, torch.Generator().manual_seed(1000))
    found = {}
    with torch.inference_mode():
        for off, words in ((0, ""), (1, f" {FIRST}"), (len(model.layers), f" {LAST}")):
            one, two = right(model(hand.steps, off), hand)
            found |= {f"one step{words}": one, f"two steps{words}": two}
    return found


def grid(**axes: Sequence[object]) -> Mapping[str, Sequence[object]]:
    """Give a grid with the lesson's own setting for every axis that is not named."""
    usual: dict[str, Sequence[object]] = {
        "reader": list(READERS),
        "width": [32],
        "rate": [4e-3],
        "steps": [1000],
        "initialisation": ["default"],
    }
    return usual | axes


_SHARES = {
    "one step": "share of one-step questions answered",
    "two steps": "share of two-step questions answered",
}
SWEEP = Sweep(
    "chains",
    "each reader learns from hands of 2 to 4 chains, two cards each (B:n, n:J) and three questions "
    "(B in one step, n in one step, B in two), without positions (Adam, batches of 32 hands, a "
    "rate that rises and falls): the share of questions of 512 new hands of 4 chains it answers, "
    "with all its look-ups and with the first or the last switched off",
    followed,
    grids=[
        grid(),
        grid(reader=["1 layer", "2 layers", "3 layers"], rate=[4e-3, 1e-2]),
        grid(reader=["1 layer", "2 layers", "GRU + 2 layers"], initialisation=INITIALISATIONS),
        grid(reader=["GRU + 2 layers"], rate=[1e-2]),
        grid(reader=["1 layer", "2 layers"], width=[64]),
        grid(reader=["2 layers"], steps=[2000]),
    ],
    labels={
        "reader": "reader",
        "width": "width",
        "rate": "learning rate",
        "steps": "steps of training",
        "initialisation": "initialisation",
        **_SHARES,
        **{f"{n} {off}": f"{says} {off}" for off in (FIRST, LAST) for n, says in _SHARES.items()},
    },
    margins={
        "one step": 0.03,
        "two steps": 0.06,
        **{f"{number} {off}": 0.15 for off in (FIRST, LAST) for number in _SHARES},
    },
    sample={
        "reader": ["1 layer"],
        "width": [32],
        "rate": [1e-2],
        "steps": [1000],
        "initialisation": ["default"],
    },
)

if __name__ == "__main__":
    SWEEP.main()
