"""What four layers found, added arrow by arrow, or put in place of what was there."""

from typing import Any

from matplotlib.figure import Figure

from tutor.display.explorer import Explorer, Update, live
from tutor.display.lettering import typeset
from tutor.display.palette import HIGHLIGHT, INK, SERIES
from tutor.display.style import TITLE
from tutor.say import say

_FIRST = (2.0, 1.0)
_FOUND = ((1.0, 0.5), (-0.5, 1.0), (1.5, -0.5), (0.5, -1.0))  # what four layers find


def notes_in_the_stream() -> Explorer:
    """Add what four layers found, arrow by arrow, or let each layer replace what was there.

    Example:
        >>> notes_in_the_stream().frame(layer=4).caption
        'After layer 4: x = (4.5, 1.0), and x₀ is still in the sum'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        ax.set(xlim=(-1, 6), ylim=(-0.6, 3.0), aspect="equal", xticks=[], yticks=[])
        ax.axis("off")
        ax.plot([0], [0], "o", color=INK, markersize=5)
        look = {"arrowstyle": "-|>,head_width=0.35,head_length=0.7", "shrinkA": 0, "shrinkB": 0}
        arrows = [
            ax.annotate(
                "",
                (0, 0),
                (0, 0),
                arrowprops={**look, "color": HIGHLIGHT if number else INK, "linewidth": 2.2},
            )
            for number in range(5)
        ]
        names = [ax.text(0, 0, "", fontsize=TITLE, ha="center") for _ in range(5)]
        total = ax.annotate(
            "",
            (0, 0),
            (0, 0),
            arrowprops={**look, "color": SERIES[0], "linewidth": 2.2, "linestyle": "--"},
        )

        def update(layer: int, residual: bool) -> str:
            at = (0.0, 0.0)
            for number, (arrow, name, step) in enumerate(
                zip(arrows, names, (_FIRST, *_FOUND), strict=True)
            ):
                there = number <= layer if residual else number == layer
                start = at if residual else (0.0, 0.0)
                end = (start[0] + step[0], start[1] + step[1])
                arrow.set_position(start)
                arrow.xy = end
                middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
                length = (step[0] ** 2 + step[1] ** 2) ** 0.5
                name.set_position(
                    (middle[0] - 0.25 * step[1] / length, middle[1] + 0.25 * step[0] / length - 0.1)
                )
                name.set_text(typeset("x₀" if number == 0 else f"F{'₁₂₃₄'[number - 1]}"))
                arrow.set_visible(there)
                name.set_visible(there)
                at = end if there else at
            total.xy = at
            total.set_visible(residual and layer > 0)
            return _where(layer, residual, at)

        return update

    return live(
        draw,
        alt=say(
            "A token as an arrow from a point. With the residual each layer sets an arrow of its "
            "own on the end of the last, and a dashed arrow leads to the sum; without it only the "
            "last layer's arrow is left."
        ),
        size=(8.0, 2.7),
        play="layer",
        layer=(0, 4, 1, 4),
        residual=True,
    )


def _where(layer: int, residual: bool, at: tuple[float, float]) -> str:
    x, y = (f"{number:.1f}" for number in at)
    if layer and not residual:
        return say(
            "After layer {layer}: x = ({x}, {y}), what this layer found and nothing else",
            layer=layer,
            x=x,
            y=y,
        )
    return say(
        "After layer {layer}: x = ({x}, {y}), and x₀ is still in the sum", layer=layer, x=x, y=y
    )
