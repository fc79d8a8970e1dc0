"""*bank* compared with itself in four sentences, layer by layer."""

from typing import Any

import torch
import torch.nn.functional as F
from matplotlib.figure import Figure

from tutor.claims.runs import load_sweep
from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.explorers.bank_sentences import LESSON_2
from tutor.models.minilm import stored_bank
from tutor.say import data, say

_BEGINNINGS = "He sat by|He ran to"  # of ten sentences in the sweep, as of these four


def bank_at_each_depth() -> Explorer:
    """Compare *bank* with itself in four sentences, layer by layer.

    Example:
        >>> bank_at_each_depth().frame(depth=6).caption.split(", ")[-1]
        'bank and any other word 0.26'
    """
    states = torch.stack([stored_bank()[sentence] for sentence in LESSON_2])
    unit = F.normalize(states.double(), dim=-1)  # (4, depths, D)
    names = ("river", "stream", "money", "loan")
    measured = load_sweep("bank_sentences").runs.at(frame=_BEGINNINGS)

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        for row, sentence in enumerate(LESSON_2):
            d.words(data(sentence), (3.7, 3.83 - 0.85 * row))
        beside = d.words("", (3.7, 0.45))
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
            usual = measured.at(depth=depth).lowest("other words")
            beside.write(say("bank and any other word: {usual:.2f}", usual=usual))
            return say(
                "Depth {depth}: within a sense {first:.2f} and {second:.2f}, across from {low:.2f} "
                "to {high:.2f}, bank and any other word {usual:.2f}",
                depth=depth,
                first=cosines[0, 1].item(),
                second=cosines[2, 3].item(),
                low=across.min().item(),
                high=across.max().item(),
                usual=usual,
            )

        return update

    return live(
        draw,
        alt=say(
            "Four sentences with the word bank, and a square of sixteen numbers: how alike the "
            "vectors of bank are in each two of them, after so many layers. Below the sentences: "
            "the mean cosine of bank and any other word."
        ),
        size=(8.0, 2.9),
        play="depth",
        depth=(0, unit.size(1) - 1, 1, unit.size(1) - 1),
    )
