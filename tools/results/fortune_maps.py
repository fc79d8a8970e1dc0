"""Look where fortune tellers look, for lesson 7's picture of the culprit.

Run it as `python tools/results/fortune_maps.py`; it writes tutor/data/results/fortune_maps.json.
"""

from typing import Any

import stored  # first: it makes the package importable
import torch

from tutor.training.fortune_teller import (
    FortuneTeller,
    draw_rows,
    foretell,
    train_fortune_teller,
    weights_of,
    without_attention,
)

SEED = 7  # of the decoder that begins the lesson, and of its row of digits


def trained(*, mask: bool, shift: bool, steps: int) -> tuple[FortuneTeller, list[int]]:
    """Train a decoder, and draw the row of digits that it is shown with."""
    torch.manual_seed(SEED)
    model = FortuneTeller()
    train_fortune_teller(model, mask=mask, shift=shift, steps=steps)
    return model, draw_rows(1000, shift)[0][0].tolist()


@torch.inference_mode()
def shown(model: FortuneTeller, digits: list[int], *, mask: bool, shift: bool) -> dict[str, Any]:
    """Show where a decoder looks in a row of digits, what it says, and its loss on new rows."""
    read = torch.tensor([digits])
    weights = weights_of(model, read, mask=mask)[0]
    torch.manual_seed(SEED)
    return {
        "weights": [[round(weight, 2) for weight in row] for row in weights.tolist()],
        "says": model(read, mask)[0].argmax(-1).tolist(),
        "loss": round(foretell(model, mask=mask, shift=shift).loss, 1),
    }


def measure(reduced: bool) -> dict[str, Any]:
    """Train the three decoders; the one without a mask is shown once more with it."""
    steps = 50 if reduced else 150
    cheat, digits = trained(mask=False, shift=True, steps=steps)
    honest, _ = trained(mask=True, shift=True, steps=steps)
    copies, _ = trained(mask=True, shift=False, steps=steps)
    return {
        "digits": digits,
        "decoders": {
            "no mask": shown(cheat, digits, mask=False, shift=True),
            "no mask, then the triangle": shown(cheat, digits, mask=True, shift=True),
            "mask and shift": shown(honest, digits, mask=True, shift=True),
            "no shift": shown(copies, digits, mask=True, shift=False),
            "no shift, no attention": shown(
                without_attention(copies), digits, mask=True, shift=False
            ),
        },
    }


if __name__ == "__main__":
    stored.main(
        "fortune_maps",
        "where decoders of random digits look in one row, what they say, and their loss",
        SEED,
        measure,
    )
