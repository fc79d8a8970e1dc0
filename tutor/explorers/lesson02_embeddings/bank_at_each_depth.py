"""*bank* compared with itself in four sentences, layer by layer."""

from typing import Any

import torch
import torch.nn.functional as F
from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.explorers.bank_sentences import LESSON_2
from tutor.models.minilm import stored_bank
from tutor.say import data, say


def bank_at_each_depth() -> Explorer:
    """Compare *bank* with itself in four sentences, layer by layer.

    Example:
        >>> bank_at_each_depth().frame(depth=0).caption
        'Depth 0: within a sense 1.00 and 1.00, across from 1.00 to 1.00'
    """
    states = torch.stack([stored_bank()[sentence] for sentence in LESSON_2])
    unit = F.normalize(states.double(), dim=-1)  # (4, depths, D)
    names = ("river", "stream", "money", "loan")

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        for row, sentence in enumerate(LESSON_2):
            d.words(data(sentence), (3.7, 3.83 - 0.85 * row))
        table = d.matrix(
            torch.eye(4),
            at=(11.9, 2.55),
            name=say("cosine of\nbank and bank"),
            rows=names,
            columns=names,
            cell=(1.4, 0.85),
            decimals=2,
            lowest=0.75,  # so that .84 and 1 are two greys
            limit=1.1,
        )

        def update(depth: int) -> str:
            cosines = unit[:, depth] @ unit[:, depth].T
            table.set(cosines)
            across = cosines[:2, 2:]
            return say(
                "Depth {depth}: within a sense {first:.2f} and {second:.2f}, across from {low:.2f} "
                "to {high:.2f}",
                depth=depth,
                first=cosines[0, 1].item(),
                second=cosines[2, 3].item(),
                low=across.min().item(),
                high=across.max().item(),
            )

        return update

    return live(
        draw,
        alt=say(
            "Four sentences with the word bank, and a square of sixteen numbers: how alike the "
            "vectors of bank are in each two of them, after so many layers."
        ),
        size=(8.0, 2.9),
        play="depth",
        depth=(0, unit.size(1) - 1, 1, unit.size(1) - 1),
    )
