"""Lesson 6's switchboard: a block with switches, and what a deep stack of such blocks does."""

import math
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.leaders import name_at_end, rows_apart
from tutor.display.palette import HIGHLIGHT, INK, NEUTRAL, PAPER, SERIES
from tutor.display.style import SMALL, TITLE
from tutor.say import later, say
from tutor.training.fresh_stacks import NORMS, FirstWeights, Norm, fresh_stack

DEPTHS = [8, 16, 32]
# By how much a fresh feed-forward layer, twice as wide inside, multiplies the size of a token.
FACTORS: dict[FirstWeights, float] = {
    "default": math.sqrt(1 / 18),
    "xavier": 2 / 3,
    "kept": 1.0,
    "he": math.sqrt(2),
}
FIRST_MENU: list[tuple[str, FirstWeights]] = [
    (later("PyTorch's default, r = 0.24"), "default"),
    (later("Xavier, r = 0.67"), "xavier"),
    (later("size kept, r = 1"), "kept"),
    (later("He, r = 1.41"), "he"),
]
_NORM_MENU = [
    (later("no norm"), "none"),
    (later("norm before the layer"), "before"),
    (later("norm after"), "after"),
]
_NAMES = [
    later("neither"),
    later("norm before"),
    later("norm after"),
    later("residual"),
    later("residual, norm before"),
    later("residual, norm after"),
]
_ROW = 2.2  # powers of ten that a line of names needs
_WAYS: list[tuple[bool, Norm]] = [(residual, norm) for residual in (False, True) for norm in NORMS]
fresh = cache(fresh_stack)


class Law(NamedTuple):
    """What a pen says of a stack: the stream's sizes and gradients, entry 0 below all layers."""

    sizes: list[float]
    gradients: list[float]


def law(residual: bool, norm: Norm, layers: int, r: float) -> Law:
    """Predict sizes and gradients from r, by which one layer multiplies a size.

    What a fresh layer finds stands at a right angle to the stream: the squares of the sizes add.

    Example:
        >>> law(residual=True, norm="none", layers=2, r=2.0).sizes[-1]
        5.0
    """
    if norm == "after":
        sizes = [1.0] * (layers + 1)
    elif residual and norm == "none":
        sizes = [(1 + r**2) ** (layer / 2) for layer in range(layers + 1)]
    elif residual:
        sizes = [math.sqrt(1 + layer * r**2) for layer in range(layers + 1)]
    else:
        sizes = [1.0] + [r if norm == "before" else r**layer for layer in range(1, layers + 1)]
    return Law(sizes, [sizes[-1] / size for size in sizes])


def deep_stacks() -> Explorer:
    """Set residual, norm, initialisation and depth; see what becomes of the gradient.

    Example:
        >>> deep_stacks().caption
        'r = 1.41, 32 layers. Gradient at the bottom: 2.3e+07, by the law 4.3e+07'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        block = _Block(Diagram(fig))
        gradients = _Curves(fig.add_axes((0.43, 0.17, 0.55, 0.71)))

        def update(residual: bool, norm: Norm, first: FirstWeights, layers: int) -> str:
            block.show(residual, norm, layers)
            stacks = [fresh(*way, layers, first) for way in _WAYS]
            chosen = _WAYS.index((residual, norm))
            foretold = law(residual, norm, layers, FACTORS[first])
            gradients.show([stack.gradients for stack in stacks], chosen, foretold.gradients)
            return say(
                "r = {r:.2f}, {layers} layers. Gradient at the bottom: {gradient:.1e}, by the law "
                "{by_law:.1e}",
                r=FACTORS[first],
                layers=layers,
                gradient=stacks[chosen].gradients[0],
                by_law=foretold.gradients[0],
            )

        return update

    return live(
        draw,
        alt=say(
            "At the left a block with its residual and its norm as they are switched. At the right "
            "the length of the gradient, layer by layer, on a logarithmic axis: the chosen stack "
            "as a thick line, what the law predicts dashed, the five other stacks grey, each with "
            "its name at its left end."
        ),
        size=(8.0, 3.1),
        columns=4,
        labels={"first": say("initialisation")},
        residual=True,
        norm=([(say(label), norm) for label, norm in _NORM_MENU], "none"),
        first=([(say(label), first) for label, first in FIRST_MENU], "he"),
        layers=(DEPTHS, 32),
    )


class _Block:
    """One block: the stream at the left, the branch with the layer at the right."""

    def __init__(self, d: Diagram) -> None:
        trunk, branch = 1.5, 3.9
        bottom = d.words("$x$", (trunk, 0.5))
        top = d.words(say("to the next"), (trunk, 5.75), size=SMALL)
        self._plus = d.node("+", (trunk, 3.95))
        layer = d.box(say("layer"), (branch, 2.75), width=1.9)
        self._before = d.box(say("norm"), (branch, 1.65), width=1.9, height=0.6)
        self._after = d.box(say("norm"), (trunk, 4.85), width=1.9, height=0.6)
        for norm in (self._before, self._after):
            norm.light()
        d.link(bottom, (trunk, 1.0), head=False)
        d.link((trunk, 1.0), layer, via=[(branch, 1.0)])
        self._stream = d.link((trunk, 0.9), self._plus, kind=HIGHLIGHT, weight=0.25)
        self._joins = [
            d.link(layer, self._plus, via=[(branch, 3.95)]),
            d.link(self._plus, top),
        ]
        self._alone = d.link(layer, top, via=[(branch, 3.95), (trunk, 3.95)])
        self._times = d.words("", (4.6, 5.75), size=TITLE)

    def show(self, residual: bool, norm: Norm, layers: int) -> None:
        """Set the switches."""
        for part in (self._plus, self._stream, *self._joins):
            part.show(residual)
        self._alone.show(not residual)
        self._before.show(norm == "before")
        self._after.show(norm == "after")
        self._times.write(f"× {layers}")


class _Curves:
    """The gradient in all stacks, layer by layer."""

    def __init__(self, ax: Axes) -> None:
        ax.set(ylim=(1e-22, 1e9), yscale="log", xlabel=say("layer"))
        ax.set_title(say("gradient, 1 at the top"))
        ax.grid(visible=True)
        self._ax = ax
        self._others = [ax.plot([], [], color=NEUTRAL, linewidth=0.8)[0] for _ in _WAYS]
        paper = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.5}  # over the grid
        self._names = [
            name_at_end(ax, say(name), end=(0, 1), at=(-1, 1), bbox=paper) for name in _NAMES
        ]
        (self._chosen,) = ax.plot([], [], color=SERIES[0], linewidth=3.0)
        (self._law,) = ax.plot([], [], color=INK, linewidth=1.4, linestyle="--")

    def show(
        self, measured: Sequence[Sequence[float]], chosen: int, foretold: Sequence[float]
    ) -> None:
        """Draw all stacks, the chosen one thick, and the law."""
        layers = range(len(foretold))
        for line, numbers in zip(self._others, measured, strict=True):
            line.set_data(layers, numbers)
        self._chosen.set_data(layers, measured[chosen])
        self._law.set_data(layers, foretold)
        top = len(foretold) - 1
        self._ax.set(xlim=(-0.72 * top, top), xticks=[0, top // 2, top])
        ends = [numbers[0] for numbers in measured]
        rows = rows_apart([math.log10(end) for end in ends], _ROW)
        for way, (name, end, row) in enumerate(zip(self._names, ends, rows, strict=True)):
            name.xy = (0, end)
            name.set(x=-0.12 * top, y=10**row, color=SERIES[0] if way == chosen else INK)
