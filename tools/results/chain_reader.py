"""Train the network whose two look-ups lesson 8 shows, and put it into tutor/data/checkpoints.

Run it as `python tools/results/chain_reader.py`; it writes the network as float16, and
tutor/data/results/chain_reader.json: how often the rounded one is right.
"""

from typing import Any

import stored  # first: it makes the package importable
import torch
from chains import ASKED, right, trained
from safetensors.torch import save_file

from tutor.data.chains import deal
from tutor.training.chain_readers import CHAIN_READER, load_chain_reader

SEED = 2  # one of those with which two layers follow the chain; see chains.json for the others


def ship() -> None:
    """Train and write it."""
    reader = trained("2 layers", 32, 4e-3, 1000, "default", SEED)
    save_file({name: tensor.half() for name, tensor in reader.state_dict().items()}, CHAIN_READER)


def measure(reduced: bool) -> dict[str, Any]:
    """Ship it, and count right answers with all look-ups and without each; reduced, count alone."""
    if not reduced:
        ship()
    reader = load_chain_reader()
    hand = deal(512, ASKED, torch.Generator().manual_seed(1000))
    found = {}
    with torch.inference_mode():
        for off, words in enumerate(("both look-ups", "without layer 1's", "without layer 2's")):
            one, two = right(reader(hand.steps, off), hand)
            found[words] = {"one step": round(one, 3), "two steps": round(two, 3)}
    return {"bytes": CHAIN_READER.stat().st_size, "right": found}


if __name__ == "__main__":
    stored.main(
        "chain_reader",
        "the shipped network that follows chains of cards by two look-ups, rounded to float16: how "
        "often it is right on 512 hands, and with one look-up switched off",
        SEED,
        measure,
    )
