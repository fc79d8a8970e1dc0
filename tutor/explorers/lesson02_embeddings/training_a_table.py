"""A table of two numbers a word, trained before the reader's eyes."""

from typing import Any

import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tutor.display.controls import as_data, as_said
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import SERIES, mixed
from tutor.say import data, later, say
from tutor.training.cafe_words import (
    GROUPS,
    WordTable,
    fresh_table,
    in_own_group,
    sentences,
    train,
)

SENTENCES, STEPS, EVERY = 1000, 300, 10
_MARKS = "osD^vP"
_LIKE = dict(zip(GROUPS, SERIES, strict=True))
_COLUMN = 1.35  # where the names begin


def training_a_table() -> Explorer:
    """Train two numbers a word on the café's sentences; the plane is the table.

    Example:
        >>> training_a_table().frame(step=0, text="sentences").caption[:22]
        'After 0 steps: of 30 w'
    """
    films = {shuffled: _film(shuffled) for shuffled in (False, True)}

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        dots = {
            group: ax.plot([], [], mark, color=_LIKE[group], markersize=8, label=data(group))[0]
            for group, mark in zip(GROUPS, _MARKS, strict=True)
        }
        ax.set(xlabel=say("first number"), ylabel=say("second number"), xticks=[0], yticks=[0])
        ax.set(xlim=(-1.1, _COLUMN + 0.75), ylim=(-1.15, 1.15))
        ax.grid(visible=True)
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        names = _Names(ax)

        def update(step: int, text: str, named: str) -> str:
            table, film = films[text != "sentences"]
            rows = film[step // EVERY]
            shown = rows[table.ids([word for words in GROUPS.values() for word in words])]
            largest = shown.abs().max()
            for group, words in GROUPS.items():
                mine = (rows[table.ids(words)] / largest).numpy()
                dots[group].set_data(mine[:, 0], mine[:, 1])
                if group == named:
                    names.show(group, mine)
            return say(
                "After {step} steps: of {all} words {count} have one of their own kind nearest to "
                "them. The largest number: {largest:.1f}",
                step=step,
                largest=largest.item(),
                all=len(shown),
                count=round(len(shown) * in_own_group(table, rows, by="distance")),
            )

        return update

    return live(
        draw,
        alt=say(
            "Thirty words of six kinds in a plane, each at the two numbers of its row; those of "
            "one kind are named. With the sentences as they are the kinds gather as training goes "
            "on; what the same training makes of all words dealt out at random can be chosen too. "
            "The largest number is always at the edge."
        ),
        size=(8.0, 3.4),
        play="step",
        pace=0.3,
        kept={"named": ["drinks"]},
        step=(0, STEPS, EVERY, STEPS),
        text=as_said([later("sentences"), later("words dealt out at random")]),
        named=(as_data(GROUPS), "drinks"),
    )


class _Names:
    """The words of one kind in a column beside the plane, each with a line to its dot."""

    def __init__(self, ax: Axes) -> None:
        count = len(GROUPS["drinks"])
        self._heights = [0.7 - 1.4 * place / (count - 1) for place in range(count)]
        self._words = [ax.text(_COLUMN, y, "", va="center") for y in self._heights]
        self._lines = [ax.plot([], [], linewidth=0.9, zorder=1)[0] for _ in range(count)]

    def show(self, group: str, rows: np.ndarray) -> None:
        """Name a kind's words, from the highest dot to the lowest."""
        order = rows[:, 1].argsort()[::-1]
        for word, line, height, place in zip(self._words, self._lines, self._heights, order):
            word.set_text(data(GROUPS[group][place]))
            word.set_color(_LIKE[group])
            line.set_data([rows[place, 0], _COLUMN - 0.04], [rows[place, 1], height])
            line.set_color(mixed(_LIKE[group], 0.6))


def _film(shuffled: bool) -> tuple[WordTable, list[torch.Tensor]]:
    generator = torch.Generator().manual_seed(0)
    table = fresh_table(sentences(SENTENCES, generator, shuffled), 2, generator)
    return table, train(table, STEPS, keep_every=EVERY)
