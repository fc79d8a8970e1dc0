"""The same dice at other temperatures and cuts: one number decides each token (lesson 9)."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from tutor.display.controls import as_data
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, INK, NEUTRAL, PAPER, SERIES, mixed
from tutor.display.style import SMALL
from tutor.explorers.lesson09_output_softmax.pieces_on_a_page import Lines, as_label
from tutor.models.raw_tokens import as_text, readable_pieces
from tutor.models.smollm_dice import (
    AHEAD,
    BEST,
    CUTS,
    DICE,
    TEMPERATURES,
    Draw,
    prompts,
    text,
)
from tutor.say import data, say

_GROUNDS = (mixed(SERIES[0], 0.55), mixed(SERIES[0], 0.25))  # of neighbours on the line


def same_dice() -> Explorer:
    """Throw stored dice again at another temperature, or with another cut.

    Example:
        >>> same_dice().frame(token=1).caption
        'Token 1: the die says 0.845, which falls on “promise”'
    """
    none, *methods = CUTS

    def draw(fig: Figure, **_start: Any) -> Update:
        page = Lines(fig, (0.01, 0.77, 0.98, 0.22), lines=3, pieces=AHEAD)
        line = _Line(fig.add_axes((0.02, 0.44, 0.96, 0.29)))
        bars = _Bars(fig.add_axes((0.02, 0.08, 0.96, 0.28)))

        def update(prompt: str, die: int, T: float, cut: str, token: int) -> str:
            draws = text(prompt, (die, T, cut))
            page.write(prompt, readable_pieces([each.chosen for each in draws]), token - 1)
            line.show(draws[token - 1])
            bars.show(draws[token - 1])
            return say(
                "Token {token}: the die says {die}, which falls on “{chosen}”",
                token=token,
                die=f"{draws[token - 1].die:.3f}",
                chosen=as_label(as_text(draws[token - 1].chosen)),
            )

        return update

    return live(
        draw,
        alt=say(
            "At the top a text of 24 tokens, one of them framed. Below, a line from 0 to 1 on "
            "which the tokens that could have come lie side by side, each as long as its "
            "probability; an arrow, the die, falls on one. At the bottom the eight most likely."
        ),
        size=(8.0, 4.0),
        columns=3,
        play="token",
        kept={"prompt": prompts()[:1], "die": [3], "token": [1, AHEAD]},
        prompt=as_data(prompts()),
        T=([*TEMPERATURES], 1.5),
        cut=[(say("none"), none), *as_data(methods)],
        die=(1, DICE, 1, 2),
        token=(1, AHEAD, 1, AHEAD),
    )


class _Line:
    """Tokens side by side, each as long as its probability, and the die that falls on one."""

    def __init__(self, ax: Axes) -> None:
        ax.set(xlim=(0, 1), ylim=(0, 1.7), yticks=[])
        ax.set_xticks([0, 0.5, 1], ["0", ".5", "1"])
        ax.spines[["left", "bottom"]].set_visible(False)
        self.parts = [
            ax.add_patch(Rectangle((0, 0), 0, 1, facecolor=_GROUNDS[n % 2], edgecolor=PAPER))
            for n in range(BEST)
        ]
        self.others = ax.add_patch(Rectangle((0, 0), 1, 1, facecolor=mixed(NEUTRAL, 0.18)))
        self.names = [ax.text(0, 0.28, "", ha="center", va="center") for _ in range(BEST)]
        self.rest = ax.text(0, 0.28, say("all others"), ha="center", va="center", color=INK)
        self.rest.set_fontsize(SMALL)
        for name in self.names:
            name.set(fontsize=SMALL, parse_math=False, clip_on=True)
        (self.arrow,) = ax.plot([0, 0], [0.7, 1.3], color=HIGHLIGHT, linewidth=2.5)
        (self.tip,) = ax.plot([0], [0.7], "v", color=HIGHLIGHT, markersize=9)
        self.number = ax.text(0, 1.36, "", ha="center", color=HIGHLIGHT)

    def show(self, drawn: Draw) -> None:
        left = 0.0
        die = drawn.die
        for n, share in enumerate(drawn.shares.tolist()):
            self.parts[n].set(x=left, width=share)
            label = as_label(as_text(drawn.tokens[n]))
            self.names[n].set(x=left + share / 2, text=data(label) if _fits(label, share) else "")
            if n == drawn.place:  # rounding of the stored shares may not put it on a neighbour
                die = min(max(die, left + share / 50), left + share - share / 50)
            left += share
        if drawn.place is None:
            die = max(die, left)
        self.others.set(x=left, width=1 - left)
        self.rest.set(x=(1 + left) / 2, visible=left < 0.88)
        self.arrow.set_xdata([die, die])
        self.tip.set_xdata([die])
        self.number.set(x=min(max(die, 0.05), 0.95), text=say("die {die}", die=f"{drawn.die:.3f}"))


class _Bars:
    """The eight most likely tokens, the one that was drawn in colour."""

    def __init__(self, ax: Axes) -> None:
        ax.set(xlim=(-0.5, BEST - 0.5), ylim=(0, 1.25), yticks=[])
        ax.spines["left"].set_visible(False)
        self.ax = ax
        self.bars = ax.bar(range(BEST), [0.0] * BEST, color=SERIES[0])
        self.shares = [ax.text(n, 0, "", ha="center", va="bottom") for n in range(BEST)]
        for share in self.shares:
            share.set_fontsize(SMALL)
        ax.set_xticks(range(BEST), [""] * BEST)
        ax.tick_params(length=0)
        for label in ax.get_xticklabels():
            label.set(fontsize=SMALL, parse_math=False)

    def show(self, drawn: Draw) -> None:
        names = [as_label(as_text(token)) for token in drawn.tokens]
        self.ax.set_xticks(range(BEST), [*map(data, names)], parse_math=False)
        for n, share in enumerate(drawn.shares.tolist()):
            self.bars[n].set(height=share, color=HIGHLIGHT if n == drawn.place else SERIES[0])
            self.shares[n].set(text=_short(share), y=share + 0.02, color=INK)


def _fits(label: str, share: float) -> bool:
    """Say whether a word has room on its part of the line, some 75 letters wide."""
    return 0 < len(label) < 75 * share


def _short(share: float) -> str:
    return "–" if share == 0 else f"{share:.2f}".removeprefix("0")
