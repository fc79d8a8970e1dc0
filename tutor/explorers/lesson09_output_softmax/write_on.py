"""A real language model goes on from a typed prompt, token by token (lesson 9)."""

import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import torch
from IPython.display import Markdown
from matplotlib.figure import Figure
from torch import Tensor

from tutor.decode import Choice, most_likely, sampler
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import SERIES
from tutor.explorers.lesson09_output_softmax.pieces_on_a_page import as_label
from tutor.language_model import ModelStep
from tutor.models.missing_model import MissingModelError
from tutor.models.raw_tokens import as_text, raw_token
from tutor.models.smollm import EOS_ID, load_smollm
from tutor.say import say

MOST_WRITTEN = 40  # tokens
_SHOWN = 8  # of the most likely next tokens
_LINE, _LINES = 84, 6  # letters a line of the text may have, and lines that are shown
CHOICES: dict[str, Callable[[torch.Generator], Choice]] = {
    "most likely": lambda _: most_likely,
    "T 1, top-p .9": lambda chance: sampler(top_p=0.9, generator=chance),
    "T 1.5, min-p .1": lambda chance: sampler(1.5, min_p=0.1, generator=chance),
    "T 1.5": lambda chance: sampler(1.5, generator=chance),
}


@dataclass(frozen=True)
class Writing:
    """What was written so far.

    Attributes:
        text: as it can be read: half a character waits for its other half.
        count: of the tokens written, fewer than asked for if the model has ended its text.
        log_probs: of the next token, (V,).
        ended: whether the model has ended its text.
    """

    text: str
    count: int
    log_probs: Tensor
    ended: bool


class Writer:
    """Goes on from a prompt as far as asked, and remembers what it wrote.

    Args:
        prompt: the beginning.
        choice: how each next token is chosen, one of CHOICES.
    """

    def __init__(self, prompt: str, choice: str) -> None:
        self.smollm, self.choose = load_smollm(), CHOICES[choice](torch.Generator().manual_seed(0))
        self.step = ModelStep(self.smollm.model)
        self.ids = self.smollm.start(prompt)  # (1, T)
        self.read = self.ids.size(1)
        self.log_probs = [self.step(self.ids)[0]]  # of the token after the prompt, and so on

    def at(self, tokens: int) -> Writing:
        """Give what is there when so many tokens are written, or the text has ended before."""
        while len(self.log_probs) <= tokens and not self._ended():
            chosen = self.choose(self.log_probs[-1].unsqueeze(0))  # (1,)
            self.ids = torch.cat([self.ids, chosen.unsqueeze(0)], dim=1)
            self.log_probs.append(self.step(self.ids)[0])
        written = self.ids[0, self.read : self.read + tokens].tolist()
        raw = b"".join(raw_token(self.smollm.tokenizer, number) for number in written)
        ended = written[-1:] == [EOS_ID]
        return Writing(as_text(raw), len(written), self.log_probs[len(written)], ended)

    def _ended(self) -> bool:
        return self.ids.size(1) > self.read and self.ids[0, -1].item() == EOS_ID


writer = lru_cache(maxsize=8)(Writer)  # moving a slider back and forth computes nothing anew


def write_on(prompt: str = "The nice thing about rivers is") -> Explorer | Markdown:
    """Let the real language model go on from a prompt you type, token by token.

    Args:
        prompt: the one to start with.

    Returns:
        the explorer; without the model what says how to install it, so that the cells that follow
        in a lesson still run.
    """
    try:
        load_smollm()
    except MissingModelError as missing:
        return Markdown(str(missing))

    def draw(fig: Figure, **_start: Any) -> Update:
        text = fig.text(0.02, 0.97, "", va="top", linespacing=1.5, parse_math=False)
        ax = fig.add_axes((0.17, 0.05, 0.81, 0.45))  # room for the longest tokens
        bars = ax.barh(range(_SHOWN), [0.0] * _SHOWN, color=SERIES[0])
        shares = [ax.text(0, place, "", va="center") for place in range(_SHOWN)]
        ax.set(xlim=(0, 1.1), ylim=(_SHOWN - 0.4, -0.6), title=say("the most likely next tokens"))
        ax.set_yticks(range(_SHOWN))

        def update(prompt: str, choice: str, tokens: int) -> str:
            found = writer(prompt, choice).at(tokens)
            text.set_text(_last_lines(prompt, found.text))
            best = found.log_probs.exp().topk(_SHOWN)
            names = [_named(number) for number in best.indices.tolist()]
            ax.set_yticks(range(_SHOWN), names, parse_math=False)
            for bar, label, share in zip(bars, shares, best.values.tolist()):
                bar.set_width(share)
                label.set_text(f"{share:.2f}")
                label.set_x(share + 0.01)
            if found.ended:
                return say("The model ended its text after {count} tokens", count=found.count)
            return say(
                "{count} tokens written; most likely next: {token}, {share:.2f}",
                count=found.count,
                token=names[0],
                share=float(best.values[0]),
            )

        return update

    return live(
        draw,
        alt=say(
            "At the top the prompt, and behind an arrow what the model has written so far; below, "
            "bars: the eight tokens it finds most likely to come next."
        ),
        size=(8.0, 4.0),
        labels={"prompt": say("your prompt"), "choice": say("next token")},
        play="tokens",
        prompt=prompt,
        choice=[*CHOICES],
        tokens=(0, MOST_WRITTEN, 1, 0),
    )


def _named(number: int) -> str:
    """A token as it can be read beside a bar: its blank shown, cut if it is long."""
    token = as_text(raw_token(load_smollm().tokenizer, number))
    return as_label(token, strip=False).replace(" ", "␣")[:14]


def _last_lines(prompt: str, written: str) -> str:
    """The text in lines, an arrow where the model goes on; of a long one the last lines."""
    lines = textwrap.wrap(f"{prompt} →{written}".replace("\n", " ¶ "), _LINE) or [""]
    return "\n".join(lines[-_LINES:])
