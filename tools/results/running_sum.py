"""Follow two *bank*s up through MiniLM: what each sub-layer adds, and the two without it.

Run it as `python tools/results/running_sum.py`; it writes tutor/data/results/running_sum.json. It
needs the optional package of MiniLM's trained weights.
"""

from typing import Any

import stored  # first: it makes the package importable
import torch
from sub_layers_off import SUB_LAYERS, apart, axis, ends_without, senses
from torch import Tensor

WORD = "bank"
# Each pair stands in one half of the sentences, and the direction comes from the other half.
PAIRS = {
    "heron, government": (7, 11),
    "swam, accountant": (13, 19),
    "raft, account": (18, 14),
    "otter, interest": (11, 5),
}


def followed(pair: tuple[int, int]) -> dict[str, Any]:
    """Place the two on one axis: -1 where the money's *bank* lies on average, 1 where the river's.

    Both averages are those of the sentences from which the direction does not come.
    """
    both, unseen = senses(WORD), pair[0] % 2
    along = axis(WORD, unseen)
    unit = apart(*(sense.stream.end[unseen::2] for sense in both), along) / 2
    middle = torch.stack([s.parts[:, unseen::2].mean(1) for s in both]).mean(0) @ along  # (parts,)

    def placed(row: Tensor) -> float:
        return round((row @ along - middle.sum()).item() / unit, 3)

    found = [
        {
            "sentence": sense.sentences[number],
            "end": placed(sense.stream.end[number]),
            "bars": [
                round(bar, 3) for bar in ((sense.parts[:, number] @ along - middle) / unit).tolist()
            ],
            "without": [placed(ends_without(WORD, off)[side][number]) for off in range(SUB_LAYERS)],
        }
        for side, (sense, number) in enumerate(zip(both, pair, strict=True))
    ]
    return {"river": found[0], "money": found[1]}


def measure(reduced: bool) -> dict[str, Any]:
    """Follow each pair, or the first alone."""
    names = list(PAIRS)[: 1 if reduced else None]
    return {"pairs": {name: followed(PAIRS[name]) for name in names}}


if __name__ == "__main__":
    stored.main(
        "running_sum",
        "bank's last row in MiniLM, for pairs of sentences: each sub-layer's part of it, and the "
        "row without the sub-layer, along the direction between the means of the two senses",
        0,
        measure,
    )
