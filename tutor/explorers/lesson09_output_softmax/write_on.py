"""A real language model goes on from a typed beginning, one piece at a time (lesson 9)."""

import textwrap
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import torch
from IPython.display import Markdown
from matplotlib.figure import Figure
from torch import Tensor

from tutor.decode import Choice, most_likely, sampler
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import SERIES
from tutor.language_model import ModelStep
from tutor.models.missing_model import MissingModelError
from tutor.models.smollm import EOS_ID, load_smollm
from tutor.say import say

MOST_PIECES = 40  # that are written
_MOST_READ = 200  # pieces of a beginning
_SHOWN = 8  # of the likeliest next pieces
_LINE, _LINES = 84, 6  # letters a line of the text may have, and lines that are shown
CHOICES: dict[str, Callable[[torch.Generator], Choice]] = {
    "likeliest": lambda _: most_likely,
    "T 1, top-p .9": lambda chance: sampler(top_p=0.9, generator=chance),
    "T 1.5, min-p .1": lambda chance: sampler(1.5, min_p=0.1, generator=chance),
    "T 1.5": lambda chance: sampler(1.5, generator=chance),
}


class Writer:
    """Goes on from a beginning as far as asked, and remembers what it wrote.

    Args:
        prompt: the beginning.
        choice: how each next piece is chosen, one of CHOICES.
    """

    def __init__(self, prompt: str, choice: str) -> None:
        self.smollm, self.choose = load_smollm(), CHOICES[choice](torch.Generator().manual_seed(0))
        self.step = ModelStep(self.smollm.model)
        self.ids = self.smollm.read(prompt or " ")[:, :_MOST_READ]  # (1, T)
        self.read = self.ids.size(1)
        self.log_probs = [self.step(self.ids)[0]]  # of the piece after the beginning, and so on

    def at(self, pieces: int) -> tuple[str, Tensor]:
        """Give the first so many pieces it writes, and the log-probabilities of the next, (V,)."""
        while len(self.log_probs) <= pieces and self.ids[0, -1] != EOS_ID:
            chosen = self.choose(self.log_probs[-1].unsqueeze(0))  # (1,)
            self.ids = torch.cat([self.ids, chosen.unsqueeze(0)], dim=1)
            self.log_probs.append(self.step(self.ids)[0])
        written = self.ids[0, self.read : self.read + pieces].tolist()
        return self.smollm.tokenizer.decode(written), self.log_probs[: pieces + 1][-1]


writer = lru_cache(maxsize=8)(Writer)  # moving a slider back and forth computes nothing anew


def write_on(prompt: str = "The nice thing about rivers is") -> Explorer | Markdown:
    """Let the real language model go on from a beginning you type, piece by piece.

    Args:
        prompt: the beginning to start with.

    Returns:
        the explorer; without the model what says how to install it, so that the cells that follow
        in a lesson still run.
    """
    try:
        load_smollm()
    except MissingModelError as missing:
        return Markdown(str(missing))

    def draw(fig: Figure, **_start: Any) -> Update:
        text = fig.text(0.02, 0.96, "", va="top", linespacing=1.5)
        ax = fig.add_axes((0.17, 0.06, 0.81, 0.5))  # room for the longest pieces
        bars = ax.barh(range(_SHOWN), [0.0] * _SHOWN, color=SERIES[0])
        shares = [ax.text(0, place, "", va="center") for place in range(_SHOWN)]
        ax.set(xlim=(0, 1.1), ylim=(_SHOWN - 0.4, -0.6), title="the likeliest next pieces")
        ax.set_yticks(range(_SHOWN))

        def update(prompt: str, choice: str, pieces: int) -> str:
            written, log_probs = writer(prompt, choice).at(pieces)
            text.set_text(_last_lines(prompt, written))
            best = log_probs.exp().topk(_SHOWN)
            ax.set_yticklabels([_named(number) for number in best.indices.tolist()])
            for bar, label, share in zip(bars, shares, best.values.tolist()):
                bar.set_width(share)
                label.set_text(f"{share:.2f}")
                label.set_x(share + 0.01)
            return say(
                "{pieces} pieces written; likeliest next: {piece}, {share:.2f}",
                pieces=pieces,
                piece=_named(int(best.indices[0])),
                share=float(best.values[0]),
            )

        return update

    return live(
        draw,
        alt=(
            "At the top the beginning, and behind an arrow what the model has written so far; "
            "below, bars: the eight pieces it finds likeliest to come next."
        ),
        size=(8.0, 4.4),
        labels={"prompt": "your beginning", "choice": "next piece"},
        play="pieces",
        prompt=prompt,
        choice=[*CHOICES],
        pieces=(0, MOST_PIECES, 1, 0),
    )


def _named(number: int) -> str:
    """A piece as it can be read beside a bar: its blank shown, cut if it is long."""
    piece = load_smollm().tokenizer.decode([number])
    return piece.replace(" ", "␣").replace("\n", "¶").replace("$", r"\$")[:14]


def _last_lines(prompt: str, written: str) -> str:
    """The text in lines, an arrow where the model goes on; of a long one the last lines."""
    lines = textwrap.wrap(f"{prompt} →{written}".replace("\n", " ¶ "), _LINE) or [""]
    return "\n".join(lines[-_LINES:]).replace("$", r"\$")
