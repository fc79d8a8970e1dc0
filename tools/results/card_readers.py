"""Train the networks that answer in lesson 1's café, and put them into tutor/data/checkpoints.

Run it as `python tools/results/card_readers.py`; it writes the networks as float16, and
tutor/data/results/card_readers.json: how often the rounded ones are right.
"""

from typing import Any

import stored  # first: it makes the package importable
import torch
from cards import SIZES, trained
from safetensors.torch import save_file

from tutor.data.cards import deal
from tutor.training.card_readers import CARD_READERS, load_card_readers

SEED = 0
SHIPPED = ("GRU", "LSTM", "matrix", "attention")


def ship() -> None:
    """Train and write all of them into one file."""
    tensors = {
        f"{memory}.{name}": tensor.half()
        for memory in SHIPPED
        for name, tensor in trained(memory, 32, 1e-2, "default", SEED).state_dict().items()
    }
    save_file(tensors, CARD_READERS)


def measure(reduced: bool) -> dict[str, Any]:
    """Ship them, and count right answers on 256 hands of each size; reduced, count alone."""
    if not reduced:
        ship()
    right: dict[str, dict[str, float]] = {}
    for memory, reader in load_card_readers().items():
        for size in SIZES:
            hands, answers = deal(256, size, torch.Generator().manual_seed(1000))
            with torch.inference_mode():
                share = (reader(hands).argmax(-1) == answers).double().mean().item()
            right.setdefault(memory, {})[str(size)] = round(share, 3)
    return {"bytes": CARD_READERS.stat().st_size, "right": right}


if __name__ == "__main__":
    stored.main(
        "card_readers",
        "the shipped networks that read the café's cards, rounded to float16: how often they are "
        "right on 256 hands of each size",
        SEED,
        measure,
    )
