"""How the cosines of random vectors gather around 0 as they become wider."""

from typing import Any

import torch
import torch.nn.functional as F
from matplotlib.figure import Figure

from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import SERIES
from tutor.say import say

_WIDTHS = (2, 4, 8, 16, 64, 128, 512)


def random_directions() -> Explorer:
    """Show how the cosines of random vectors gather around 0 as they become wider."""
    generator = torch.Generator().manual_seed(2)
    edges = torch.linspace(-1, 1, 41)
    cosines = {}
    for width in _WIDTHS:
        a, b = torch.randn(2, 4000, width, generator=generator)
        cosines[width] = F.cosine_similarity(a, b, dim=-1)

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        middles = ((edges[:-1] + edges[1:]) / 2).tolist()
        bars = ax.bar(middles, [0.0] * len(middles), width=0.048, color=SERIES[0])
        ax.set(
            xlim=(-1, 1),
            ylim=(0, 0.4),
            xlabel=say("cosine of two random vectors"),
            ylabel=say("share"),
        )

        def update(d_model: int) -> str:
            counts = torch.histogram(cosines[d_model], edges).hist / len(cosines[d_model])
            for bar, share in zip(bars, counts.tolist()):
                bar.set_height(share)
            spread = cosines[d_model].std().item()
            return say(
                "d_model {d_model}: spread of the cosines {spread}, 1/√d = {expected}",
                d_model=d_model,
                spread=f"{spread:.3f}",
                expected=f"{d_model**-0.5:.3f}",
            )

        return update

    return live(
        draw,
        alt=say(
            "A histogram of the cosines of 4,000 pairs of random vectors. In two dimensions it is "
            "highest at both ends, in four it is broad, and the more dimensions there are, the "
            "closer all cosines lie to 0."
        ),
        size=(7.0, 3.2),
        d_model=(list(_WIDTHS), 512),
    )
