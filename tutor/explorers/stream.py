"""Lesson 6: what a residual connection adds, the paths it opens, and three blocks side by side."""

from itertools import pairwise
from typing import Any

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, INK, SERIES
from tutor.display.parts import Part
from tutor.display.plots import Picture
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
        names = [ax.text(0, 0, "", fontsize=12, ha="center") for _ in range(5)]
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
                name.set_text("x₀" if number == 0 else f"F{'₁₂₃₄'[number - 1]}")
                arrow.set_visible(there)
                name.set_visible(there)
                at = end if there else at
            total.xy = at
            total.set_visible(residual and layer > 0)
            return _where(layer, residual, at)

        return update

    return live(
        draw,
        alt=(
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
        d.link(stops[2], d.words("out", (15.0, 1.2)))
        product = d.words("", (8.0, 4.1), size=13)

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
        alt=(
            "A stream runs past two layers, whose derivatives are a and b. At each it parts: "
            "straight on, or through the layer and back to the sum. A thick line shows one of the "
            "four ways from left to right."
        ),
        size=(8.0, 2.3),
        play="path",
        path=(1, 4, 1, 1),
    )


def three_blocks() -> Picture:
    """Draw a block of ResNet (2015), of the Transformer (2017), and of most models since."""

    def draw(fig: Figure) -> str:
        d = Diagram(fig)
        for left, title, on_branch, on_stream in (
            (0.6, "ResNet, 2015", ["conv, norm", "ReLU", "conv, norm"], "ReLU"),
            (6.0, "Transformer, 2017", ["sub-layer"], "norm"),
            (11.4, "pre-norm, since", ["norm", "sub-layer"], None),
        ):
            _block(d, left, title, on_branch, on_stream)
        return "on the stream itself: ReLU; norm; nothing"

    return Picture(
        draw,
        alt=(
            "Three blocks. Each has a thick stream upwards and a branch that returns to a sum. "
            "After ResNet's sum stands a ReLU, after the Transformer's a norm, and in pre-norm "
            "nothing: there the norm stands on the branch."
        ),
        size=(8.0, 3.2),
    )


def _block(
    d: Diagram, left: float, title: str, on_branch: list[str], on_stream: str | None
) -> None:
    trunk, branch = left + 1.0, left + 3.2
    d.words(title, (left + 2.0, 6.05), size=12)
    plus = d.node("+", (trunk, 3.9))
    d.link((trunk, 0.3), plus, kind=HIGHLIGHT, weight=0.25)
    boxes: list[Part] = []
    for number, words in enumerate(on_branch):
        y = 2.2 + 0.85 * (number - (len(on_branch) - 1) / 2)
        box = d.box(words, (branch, y), width=2.3, height=0.6, size=10)
        if "norm" in words:
            box.light()
        boxes.append(box)
    d.link((trunk, 0.7), boxes[0], via=[(branch, 0.7)])
    for lower, upper in pairwise(boxes):
        d.link(lower, upper, head=False)
    d.link(boxes[-1], plus, via=[(branch, 3.9)])
    d.link(plus, (trunk, 5.6), kind=HIGHLIGHT, weight=0.25)
    if on_stream:
        box = d.box(on_stream, (trunk, 4.75), width=1.6, height=0.6, size=10)
        if on_stream == "norm":
            box.light()
