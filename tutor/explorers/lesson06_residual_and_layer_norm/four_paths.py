"""The four ways from the bottom of two layers to their top."""

from typing import Any

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT
from tutor.display.parts import Part
from tutor.display.style import TITLE
from tutor.say import say

_PATHS = [
    ("past both layers", "1 · 1 = 1", (False, False)),
    ("through the first", "a · 1 = a", (True, False)),
    ("through the second", "1 · b = b", (False, True)),
    ("through both", "a · b", (True, True)),
]


def four_paths() -> Explorer:
    """Go the four ways from the bottom of two layers to their top.

    Example:
        >>> four_paths().frame(path=4).caption
        'Path 4 of 4, through both: a · b'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        stops: list[Part] = [d.words("x", (1.0, 1.2))]
        ways: list[tuple[list[Part], list[Part]]] = []  # of each layer: past it, through it
        for name, x in (("a", 4.6), ("b", 10.6)):
            plus = d.node("+", (x + 2.4, 1.2))
            layer = d.box(name, (x, 3.0), width=1.6)
            start = (x - 2.4, 1.2)
            around = [(start[0], 3.0)], [(x + 2.4, 3.0)]
            for thick in ({}, {"kind": HIGHLIGHT, "weight": 0.3}):  # the thin lines lie below
                past: list[Part] = [d.link(start, plus, **thick)]
                through: list[Part] = [
                    d.link(start, layer, via=around[0], **thick),
                    d.link(layer, plus, via=around[1], **thick),
                ]
            ways.append((past, through))
            stops.append(plus)
        d.link(stops[0], (2.2, 1.2), head=False)
        d.link(stops[1], (8.2, 1.2), head=False)
        d.link(stops[2], d.words(say("out"), (15.0, 1.2)))
        product = d.words("", (8.0, 4.1), size=TITLE)

        def update(path: int) -> str:
            words, result, through = _PATHS[path - 1]
            for (past, around), goes_through in zip(ways, through, strict=True):
                for part in past:
                    part.show(not goes_through)
                for part in around:
                    part.show(goes_through)
            product.write(result)
            return say(
                "Path {path} of 4, {words}: {product}", path=path, words=words, product=result
            )

        return update

    return live(
        draw,
        alt=say(
            "A stream runs past two layers, whose derivatives are a and b. At each it parts: "
            "straight on, or through the layer and back to the sum. A thick line shows one of the "
            "four ways from left to right."
        ),
        size=(8.0, 2.3),
        play="path",
        path=(1, 4, 1, 1),
    )
