"""Lesson 6: sixteen tokens on their way up through a stack, and whether they can be told apart."""

from typing import Any

import torch
import torch.nn.functional as F
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import Tensor

from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import NEUTRAL, SERIES
from tutor.explorers.lesson06_residual_and_layer_norm.deep_stacks import FIRST_MENU, fresh
from tutor.say import later, say
from tutor.training.fresh_stacks import FirstWeights, Norm

_LAYERS = 32
_WAYS: dict[str, tuple[bool, Norm]] = {
    later("norm, no residual"): (False, "after"),
    later("residual and pre-norm"): (True, "before"),
}


def sixteen_tokens() -> Explorer:
    """Let 16 tokens rise through two stacks side by side: do they still point different ways?

    Example:
        >>> sixteen_tokens().frame(layer=0).caption
        'Layer 0. Mean cosine of two tokens: norm, no residual -0.02; residual and pre-norm -0.02'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        panels = [_Tokens(ax, say(way)) for ax, way in zip(fig.subplots(1, 2), _WAYS, strict=True)]
        fig.axes[0].set_ylabel(say("what parts them at the start"))

        def update(layer: int, first: FirstWeights) -> str:
            alike = []
            for panel, way in zip(panels, _WAYS.values(), strict=True):
                stack = fresh(*way, _LAYERS, first)
                panel.show(directions_seen(stack.stream)[layer])
                alike.append(round(stack.alike[layer], 2) + 0.0)
            without, with_residual = alike
            return say(
                "Layer {layer}. Mean cosine of two tokens: norm, no residual {without:.2f}; "
                "residual and pre-norm {with_residual:.2f}",
                layer=layer,
                without=without,
                with_residual=with_residual,
            )

        return update

    return live(
        draw,
        alt=say(
            "Sixteen tokens as arrows' ends, in two stacks. To the right lies the direction that "
            "all tokens of the last layer share, up and down what parts them in the first. With a "
            "norm and no residual the dots run together at the right edge; with residual and "
            "pre-norm they come nearer to it, but lie apart."
        ),
        size=(8.0, 3.3),
        play="layer",
        pace=0.3,
        labels={"first": say("initialisation")},
        layer=(0, _LAYERS, 1, _LAYERS),
        first=([(say(label), first) for label, first in FIRST_MENU], "xavier"),
    )


def directions_seen(stream: Tensor) -> Tensor:
    """Look at the directions of all tokens in a plane: (layers, T, D) -> (layers, T, 2).

    First comes the direction that the last layer's tokens share, then the one at a right angle to
    it along which the first layer's tokens lie farthest apart.
    """
    directions = F.normalize(stream, dim=-1)
    shared = F.normalize(directions[-1].mean(dim=0), dim=0)  # (D,)
    rest = directions[0] - (directions[0] @ shared)[:, None] * shared
    parts = torch.linalg.svd(rest - rest.mean(dim=0)).Vh[0]
    parts = parts * parts[parts.abs().argmax()].sign()  # the same sign on every machine
    return torch.stack([directions @ shared, directions @ parts], dim=-1)


class _Tokens:
    """The tokens of one stack, inside the circle of all directions."""

    def __init__(self, ax: Axes, title: str) -> None:
        ax.set(xlim=(-1.05, 1.05), ylim=(-1.05, 1.05), aspect="equal", title=title)
        ax.set(xticks=[-1, 0, 1], yticks=[-1, 0, 1], xlabel=say("what all share at the end"))
        turns = torch.linspace(0, 2 * torch.pi, 200)
        ax.plot(turns.cos(), turns.sin(), color=NEUTRAL, linewidth=0.8)
        self._arms = [ax.plot([], [], color=SERIES[0], linewidth=0.6)[0] for _ in range(16)]
        (self._dots,) = ax.plot([], [], "o", color=SERIES[0], markersize=6, alpha=0.75)

    def show(self, places: Tensor) -> None:
        """Move the tokens."""
        for arm, (x, y) in zip(self._arms, places.tolist(), strict=True):
            arm.set_data([0, x], [0, y])
        self._dots.set_data(places[:, 0], places[:, 1])
