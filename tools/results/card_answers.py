"""Store what two networks say while they learn: the picture of lesson 1.

Run it as `python tools/results/card_answers.py`; it writes tutor/data/results/card_answers.json:
for each network and each number of training steps its eight answers to some hands, a letter a
drink. The first hand is the one that readers serve themselves on the lesson's first slide.
"""

from typing import Any

import stored  # first: it makes the package importable
import torch
from card_steps import Training, trained

from tutor.data.cards import EIGHT_ORDERS, deal, hand_of, letters

DEALT = [0, 1, 2, 3, 4]  # of 512 hands
SEED = 0
WAITERS = (
    Training("LSTM", 128, 3e-3, 10_000, SEED),
    Training("attention", 32, 1e-2, 300, SEED),
)
ASKED = [0, 30, 50, 100, 200, 300, 600, 800, 1000, 1500, 2000, 3000, 4500, 6000, 8000, 10_000]


def measure(reduced: bool) -> dict[str, Any]:
    """Train the waiters and keep what they say; reduced, one of them."""
    dealt, _ = deal(512, 8, torch.Generator().manual_seed(77))
    own, _ = hand_of(EIGHT_ORDERS)
    hands = torch.cat([own, dealt[DEALT]])
    said = {}
    for waiter in WAITERS[-1:] if reduced else WAITERS:
        answers = trained(waiter, [hands], ASKED)
        said[waiter.memory] = {
            "width": waiter.width,
            "rate": waiter.rate,
            "steps": waiter.steps,
            "said": {str(step): list(map(letters, rows)) for step, (rows,) in answers.items()},
        }
    return {"hands": hands[:, :8].tolist(), "asked": hands[:, 8:, 0].tolist(), "waiters": said}


if __name__ == "__main__":
    stored.main(
        "card_answers",
        "two networks that learn to read the café's cards: what each says to the eight guests of "
        "some hands after more and more steps of training, a letter for each drink",
        SEED,
        measure,
    )
