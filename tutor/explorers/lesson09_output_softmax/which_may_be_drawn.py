"""What temperature, top-k, top-p and min-p leave of a real next-token distribution (lesson 9)."""

from functools import cache
from typing import Any

import torch
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import Tensor

from tutor.display.controls import as_data
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, PAPER, SERIES, mixed
from tutor.display.regions import touch_along
from tutor.display.style import SMALL
from tutor.models.smollm import CONFIG
from tutor.models.smollm_excerpt import EXACT, next_words, prompts
from tutor.output import (
    min_p_probabilities,
    temperature_softmax,
    top_k_probabilities,
    top_p_probabilities,
)
from tutor.say import data, say

_SHOWN = 12
_BELOW = _SHOWN - 0.1  # where the limits are named
_FRANCE, _TITLE = "The capital of France is", "Attention is all you"
_ALL = CONFIG.vocabulary
_P = [0.5, 0.7, 0.9, 0.95, 1.0]


@cache
def drawn_from(
    prompt: str, temperature: float, k: int, p: float, min_p: float
) -> tuple[Float[Tensor, " vocabulary"], Float[Tensor, " vocabulary"]]:
    """Give the heated probabilities, best first, and what the cuts make of them.

    Example:
        >>> hot, left = drawn_from("Attention is all you", 1.0, 3, 1.0, 0.0)
        >>> [round(share, 2) for share in left[:4].tolist()]
        [0.52, 0.28, 0.2, 0.0]
    """
    log_probs = next_words(prompt).log_probs
    heated = temperature_softmax(log_probs, temperature)
    left = heated
    if k < _ALL:
        left = top_k_probabilities(log_probs / temperature, k)
    if p < 1:
        left = top_p_probabilities(left, p)
    if min_p > 0:
        left = min_p_probabilities(left, min_p)
    return heated, left


def which_may_be_drawn() -> Explorer:
    """Show how the four knobs reshape the next-token distribution of a real language model.

    Example:
        >>> which_may_be_drawn().frame(k=1).caption[:45]
        '1 of 49,152 tokens can be drawn, the best wit'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        left = fig.add_axes((0.125, 0.09, 0.5, 0.82))  # room for the longest tokens
        right = fig.add_axes((0.655, 0.09, 0.33, 0.82))
        rows = range(_SHOWN)
        bars, shares = _set_bars(left)
        sums = right.barh(rows, [0.0] * _SHOWN, edgecolor=SERIES[0], linewidth=1.2)
        right.set(xlim=(0, 1.03), ylim=left.get_ylim(), yticks=[], title=say("sum so far"))
        touch_along(right, x=("p", _P))
        (limit_p,) = right.plot([2, 2], [-0.6, _SHOWN + 1], color=HIGHLIGHT, linestyle="--")
        (limit_min,) = left.plot([2, 2], [-0.6, _SHOWN + 1], color=HIGHLIGHT, linestyle=":")
        (limit_k,) = left.plot([0, 1], [-2, -2], color=HIGHLIGHT)
        named = {
            "p": right.text(0, _BELOW, "", color=HIGHLIGHT, ha="right", va="center"),
            "min-p": left.text(0, _BELOW, "", color=HIGHLIGHT, va="center"),
            "k": left.text(0.99, 0, "", color=HIGHLIGHT, ha="right", va="top"),
        }

        def update(prompt: str, temperature: float, k: int, p: float, min_p: float) -> str:
            heated, left_over = drawn_from(prompt, temperature, k, p, min_p)
            words = [_label(word) for word in next_words(prompt).words[:_SHOWN]]
            left.set_yticks(rows, [*map(data, words)], parse_math=False)
            running = heated.cumsum(0)
            for n, (share, kept) in enumerate(zip(heated[:_SHOWN].tolist(), left_over > 0)):
                ground = SERIES[0] if kept else PAPER
                bars[n].set(width=share, facecolor=ground)
                shares[n].set(text=f"{share:.3f}".removeprefix("0"), x=share + 0.012)
                sums[n].set(width=running[n].item(), facecolor=mixed(ground, 0.5))
            limit_p.set_xdata([p, p] if p < 1 else [2, 2])
            named["p"].set(text=f"p = {p}" if p < 1 else "", x=p - 0.02)
            least = min_p * heated[0].item()
            limit_min.set_xdata([least, least] if min_p > 0 else [2, 2])
            named["min-p"].set(
                text=f"{min_p} × {heated[0]:.2f}" if min_p > 0 else "", x=least + 0.02
            )
            limit_k.set_ydata([k - 0.5, k - 0.5] if k < _SHOWN else [-2, -2])
            named["k"].set(text=f"k = {k}" if k < _SHOWN else "", y=k - 0.4)
            return _told(heated, left_over)

        return update

    return live(
        draw,
        alt=say(
            "A row for each of the twelve most likely next tokens: left its probability, right the "
            "sum down to it, both from 0 to 1. Tokens that a cut takes away are hollow. Min-p is a "
            "dotted line among the probabilities, p a dashed one among the sums, k a level one."
        ),
        size=(8.0, 3.8),
        columns=3,
        labels={"min_p": say("min-p"), "temperature": "T"},
        tour={
            say("as it starts"): {},
            "p = 0.9": {"p": 0.9},
            say("min-p = 0.1"): {"min_p": 0.1},
            "k = 3": {"k": 3},
            "T = 0.5": {"temperature": 0.5},
            "T = 2": {"temperature": 2.0},
            say("Attention"): {"prompt": _TITLE},
            say("Attention, p = 0.9"): {"prompt": _TITLE, "p": 0.9},
            say("Attention, min-p = 0.1"): {"prompt": _TITLE, "min_p": 0.1},
            say("Attention, T = 2"): {"prompt": _TITLE, "temperature": 2.0},
            say("Attention, T = 2, p = 0.9"): {"prompt": _TITLE, "temperature": 2.0, "p": 0.9},
            say("Attention, T = 2, min-p = 0.1"): {
                "prompt": _TITLE,
                "temperature": 2.0,
                "min_p": 0.1,
            },
            say("Attention, T = 2, k = 10"): {"prompt": _TITLE, "temperature": 2.0, "k": 10},
        },
        prompt=(as_data(prompts()[:-1]), _FRANCE),
        temperature=([0.1, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0], 1.0),
        k=([1, 3, 10, 50, _ALL], _ALL),
        p=(_P, 1.0),
        min_p=([0.0, 0.02, 0.05, 0.1, 0.3], 0.0),
    )


def _set_bars(ax: Axes) -> tuple[list[Any], list[Any]]:
    """Make a bar and its number for each token."""
    bars = ax.barh(range(_SHOWN), [0.0] * _SHOWN, edgecolor=SERIES[0], linewidth=1.2)
    paper = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.8}  # over the line of min-p
    shares = [
        ax.text(0, row, "", va="center", fontsize=SMALL, bbox=paper, zorder=5)
        for row in range(_SHOWN)
    ]
    ax.set(xlim=(0, 1.03), ylim=(_SHOWN + 0.35, -0.6), title=say("probability"))
    ax.tick_params(left=False)
    return [*bars], shares


def _label(word: str) -> str:
    """Give a word as it stands below its bar: without its blank, at most nine letters."""
    plain = word.strip() or "¶"
    return plain if len(plain) <= 9 else f"{plain[:8]}…"


def _told(heated: Tensor, left: Tensor) -> str:
    """Say how many tokens are left, and how much lies where they are not counted one by one."""
    count = int((left > 0).sum())
    values = {"all": _ALL, "best": left[0].item(), "rest": heated[EXACT:].sum().item()}
    if count <= EXACT or count == _ALL:
        return say(
            "{count:,} of {all:,} tokens can be drawn, the best with {best:.3f}; beyond the 256 "
            "best lies {rest:.2f}",
            count=count,
            **values,
        )
    return say(
        "About {count:,} of {all:,} tokens can be drawn, the best with {best:.3f}; beyond the 256 "
        "best lies {rest:.2f}",
        count=int(torch.tensor(count / 100).round().item()) * 100,
        **values,
    )
