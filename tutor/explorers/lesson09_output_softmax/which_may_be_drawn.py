"""What temperature, top-k, top-p and min-p leave of a real next-word distribution (lesson 9)."""

from functools import cache
from typing import Any

import torch
from jaxtyping import Float
from matplotlib.figure import Figure
from torch import Tensor

from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, INK, PAPER, SERIES
from tutor.display.regions import touch_along
from tutor.models.smollm import CONFIG
from tutor.models.smollm_excerpt import EXACT, next_words, prompts
from tutor.output import (
    min_p_probabilities,
    temperature_softmax,
    top_k_probabilities,
    top_p_probabilities,
)
from tutor.say import say

_SHOWN = 14
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
    """Show how the four knobs reshape the next-word distribution of a real language model.

    Example:
        >>> which_may_be_drawn().frame(k=1).caption[:45]
        '1 of 49,152 words can be drawn, the best with'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.add_axes((0.075, 0.25, 0.915, 0.73))  # room for the longest words below
        ranks = range(_SHOWN)
        bars = ax.bar(ranks, [0.0] * _SHOWN, edgecolor=SERIES[0], linewidth=1.2)
        shares = [ax.text(rank, 0.0, "", ha="center", va="bottom", fontsize=9) for rank in ranks]
        (running,) = ax.plot(
            [], [], color=INK, marker=".", drawstyle="steps-mid", label="sum so far"
        )
        (limit_p,) = ax.plot([], [], color=INK, linestyle="--", label="p")
        (limit_min,) = ax.plot([], [], color=HIGHLIGHT, linestyle=":", linewidth=2, label="min-p")
        (limit_k,) = ax.plot([], [], color=HIGHLIGHT, label="k")
        ax.set(ylim=(0, 1.12), xlim=(-0.6, _SHOWN - 0.4), ylabel="share of the best one's")
        ax.set_xticks(ranks, [""] * _SHOWN, rotation=35, ha="right", rotation_mode="anchor")
        ax.legend(loc="upper right", ncols=4)
        touch_along(ax, y=("p", _P))

        def update(prompt: str, temperature: float, k: int, p: float, min_p: float) -> str:
            heated, left = drawn_from(prompt, temperature, k, p, min_p)
            best = heated[:_SHOWN] / heated[0]
            words = next_words(prompt).words[:_SHOWN]
            ax.set_xticklabels([_label(word) for word in words])
            for bar, text, height, share, kept in zip(bars, shares, best, heated, left):
                bar.set(height=height.item(), facecolor=SERIES[0] if kept > 0 else PAPER)
                text.set(text=f"{share.item():.2f}".removeprefix("0"), y=height.item() + 0.01)
            running.set_data(ranks, heated.cumsum(0)[:_SHOWN])
            limit_p.set_data([-0.6, _SHOWN], [p, p] if p < 1 else [2, 2])
            limit_min.set_data([-0.6, _SHOWN], [min_p, min_p] if min_p > 0 else [2, 2])
            limit_k.set_data([k - 0.5, k - 0.5], [0, 1.12])
            return _told(heated, left)

        return update

    return live(
        draw,
        alt=(
            "Bars for the fourteen likeliest next words, as high as their share of the best one's "
            "probability, which stands on them; words that a cut takes away are hollow. A line "
            "adds the probabilities up; p and min-p are level lines, k an upright one."
        ),
        size=(8.0, 3.5),
        columns=3,
        labels={"min_p": "min-p", "temperature": "T"},
        tour={
            "as it starts": {},
            "T = 0.5": {"temperature": 0.5},
            "T = 1.5": {"temperature": 1.5},
            "T = 2": {"temperature": 2.0},
            "T = 2, p = 0.9": {"temperature": 2.0, "p": 0.9},
            "T = 2, min-p = 0.1": {"temperature": 2.0, "min_p": 0.1},
            "p = 0.9": {"p": 0.9},
            "k = 3": {"k": 3},
            "France": {"prompt": "The capital of France is"},
            "France, p = 0.9": {"prompt": "The capital of France is", "p": 0.9},
            "France, min-p = 0.1": {"prompt": "The capital of France is", "min_p": 0.1},
            "the cat": {"prompt": "The cat sat on the"},
            "hot": {"prompt": "The opposite of hot is"},
        },
        prompt=prompts()[:-1],
        temperature=([0.1, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0], 1.0),
        k=([1, 3, 10, 50, _ALL], _ALL),
        p=(_P, 1.0),
        min_p=([0.0, 0.02, 0.05, 0.1, 0.3], 0.0),
    )


def _label(word: str) -> str:
    """Give a word as it stands below its bar: without its blank, at most nine letters."""
    plain = word.strip() or "¶"
    return plain if len(plain) <= 9 else f"{plain[:8]}…"


def _told(heated: Tensor, left: Tensor) -> str:
    """Say how many words are left, and how much lies where they are not counted one by one."""
    count = int((left > 0).sum())
    values = {"all": _ALL, "best": left[0].item(), "rest": heated[EXACT:].sum().item()}
    if count <= EXACT or count == _ALL:
        return say(
            "{count:,} of {all:,} words can be drawn, the best with {best:.3f}; beyond the 256 "
            "likeliest lies {rest:.2f}",
            count=count,
            **values,
        )
    return say(
        "About {count:,} of {all:,} words can be drawn, the best with {best:.3f}; beyond the 256 "
        "likeliest lies {rest:.2f}",
        count=int(torch.tensor(count / 100).round().item()) * 100,
        **values,
    )
