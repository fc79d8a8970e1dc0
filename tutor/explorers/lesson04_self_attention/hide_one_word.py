"""A sentence with *bank*: hide one of its words, and see where *bank* goes between its senses."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import torch
from matplotlib.figure import Figure

from tutor.display.controls import as_data
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, INK, NEUTRAL, mixed, readable
from tutor.display.regions import touch_along
from tutor.display.style import TITLE
from tutor.explorers.lesson04_self_attention.stored_senses import (
    COLOURS,
    sense_name,
    stored_hidden,
    stored_senses,
)
from tutor.models.minilm import INSTALL, is_installed
from tutor.models.sense_axis import LAST, SenseAxis, fit_axis, one_hidden, word_states
from tutor.say import data, say

_WORD = "bank"
_MOST = 10  # words of a sentence that have a row
_FOOT = _MOST + 0.5  # below them a mark for each stored sentence
_FIRST = "We opened an account at the bank"
_OTHER = "An old heron stood motionless near the bank"


def hide_one_word() -> Explorer:
    """Hide one word of a sentence: where does *bank* go?

    Example:
        >>> hide_one_word().frame(hidden=4).caption
        'Nothing hidden: bank is at -2.7. Without “account”: at 0.1'
    """
    river, money = stored_senses()[_WORD]
    stored = _stored_places()

    def draw(fig: Figure, **_start: Any) -> Update:
        rows = _Rows(fig, sense_name(money), sense_name(river))
        (ax,) = fig.axes
        touch_along(ax, y=("hidden", range(_MOST + 1)), at=range(-1, _MOST))

        def update(sentence: str, hidden: int, every: bool, typed: str) -> str:
            wanted = typed.strip() or sentence
            if wanted not in stored and not is_installed():
                rows.clear()
                return say("For a sentence of your own: {how}", how=INSTALL)
            try:
                whole, ends = stored[wanted] if wanted in stored else asked(wanted)
            except ValueError:  # the explorer goes on with the next sentence
                rows.clear()
                return say("The word bank is not in this sentence.")
            rows.show(wanted.split(), whole, ends, hidden - 1, every)
            return _caption(wanted.split(), whole, ends, hidden - 1)

        return update

    sentences = [s for pair in zip(money.sentences, river.sentences, strict=True) for s in pair]
    return live(
        draw,
        alt=say(
            "The words of a sentence below each other. Beside them an axis from money, at the "
            "left, to river, at the right, with bank's place on it; from there a bar goes to "
            "where bank ends up when the word of that row is hidden. At the foot a mark for each "
            "of the forty sentences."
        ),
        size=(8.0, 3.6),
        columns=2,
        labels={
            "hidden": say("hide word number"),
            "every": say("each word in turn"),
            "typed": say("your own, with the word bank"),
        },
        kept={"sentence": [_FIRST, _OTHER, *sentences[:2]], "every": [False, True]},
        sentence=(as_data(sentences), _FIRST),
        hidden=(0, _MOST, 1, 4),
        every=False,
        typed="",
    )


def _stored_places() -> dict[str, tuple[float, dict[int, float]]]:
    ends = stored_hidden()
    return {
        sentence: (places[LAST, 0].item(), ends[sentence])
        for sense in stored_senses()[_WORD]
        for sentence, places in zip(sense.sentences, sense.places, strict=True)
    }


@cache
def asked(sentence: str) -> tuple[float, dict[int, float]]:
    """Ask the model itself: *bank*'s place, and its place with each other word hidden.

    Raises:
        MissingModelError: the model is not installed.
        ValueError: the sentence has not the word.
    """
    without = one_hidden(_WORD, sentence)
    states = word_states(_WORD, [sentence, *without.values()])
    whole, *ends = _axis().places(states)[:, LAST, 0].tolist()
    return whole, dict(zip(without, ends, strict=True))


@cache
def _axis() -> SenseAxis:
    """Find the axis of the stored places anew; their vectors would be larger than the course."""
    river, money = stored_senses()[_WORD]
    states = word_states(_WORD, [*river.sentences, *money.sentences])
    return fit_axis(states, torch.arange(len(states)) < len(river.sentences))


def _caption(words: list[str], whole: float, ends: Mapping[int, float], hidden: int) -> str:
    if hidden not in ends:
        return say("Nothing hidden: bank is at {place:.1f}", place=whole + 0.0)
    return say(
        "Nothing hidden: bank is at {place:.1f}. Without “{word}”: at {end:.1f}",
        place=whole,
        word=words[hidden],
        end=ends[hidden],
    )


class _Rows:
    """A row for each word: its name, and a bar from *bank*'s place to where it goes without it."""

    def __init__(self, fig: Figure, left: str, right: str) -> None:
        ax = fig.subplots()
        ax.set(xlim=(-6.4, 4.2), ylim=(_FOOT, -1.6), yticks=[], xticks=range(-3, 4))
        ax.set_xlabel(say("bank's place after the last layer"))
        for side, name, colour in ((-1, left, COLOURS[1]), (1, right, COLOURS[0])):
            ax.axvspan(0, 4.2 * side, color=mixed(colour, 0.12), zorder=0)
            ax.text(2.1 * side, -0.8, name, ha="center", fontsize=TITLE, color=readable(colour))
        for sense, colour in zip(stored_senses()[_WORD], COLOURS, strict=True):
            ends = sense.places[:, LAST, 0]
            ax.plot(ends, torch.full_like(ends, _FOOT - 0.4), "|", color=colour, markersize=9)
        (self._whole,) = ax.plot([], [], color=INK, linewidth=2.2, zorder=3)
        (self._dot,) = ax.plot([], [], "o", color=HIGHLIGHT, markersize=12, zorder=5)
        self._bars = ax.barh(range(_MOST), [0.0] * _MOST, height=0.62, zorder=2)
        self._names = [ax.text(-6.3, n, "", va="center", fontsize=TITLE) for n in range(_MOST)]

    def clear(self) -> None:
        """Show nothing."""
        self.show([], None, {}, -1, False)

    def show(
        self,
        words: list[str],
        whole: float | None,
        ends: Mapping[int, float],
        hidden: int,
        every: bool,
    ) -> None:
        """Show a sentence; what has no room is left out."""
        base = whole or 0.0
        for place, (bar, name) in enumerate(zip(self._bars, self._names, strict=True)):
            is_hidden, end = place == hidden and hidden in ends, ends.get(place, base)
            name.set_text(f"{place + 1:2}  {data(words[place])}" if place < len(words) else "")
            name.set_color(mixed(NEUTRAL, 0.75) if is_hidden else INK)
            bar.set_visible(end != base and (every or is_hidden))
            bar.set_x(base)
            bar.set_width(end - base)
            bar.set_color(HIGHLIGHT if is_hidden else mixed(HIGHLIGHT, 0.4))
        seen = [] if whole is None else [whole, whole]
        self._whole.set_data(seen, [-0.5, min(len(words), _MOST) - 0.5][: len(seen)])
        at = ends.get(hidden, whole)
        row = hidden if hidden in ends else -0.3
        self._dot.set_data(*(([at], [row]) if at is not None else ([], [])))
