"""A table of two numbers a word, trained before the reader's eyes."""

from typing import Any

import torch
from matplotlib.figure import Figure

from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import SERIES
from tutor.say import say
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


def training_a_table() -> Explorer:
    """Train two numbers a word on the café's sentences; the plane is the table.

    Example:
        >>> training_a_table().frame(step=0, text="sentences").caption[:16]
        'After 0 steps: 0'
    """
    films = {shuffled: _film(shuffled) for shuffled in (False, True)}

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        dots = {
            group: ax.plot([], [], mark, color=_LIKE[group], markersize=8, label=group)[0]
            for group, mark in zip(GROUPS, _MARKS, strict=True)
        }
        ax.set(xlabel="first number", ylabel="second number", xticks=[0], yticks=[0])
        ax.set(xlim=(-1.1, 1.1), ylim=(-1.1, 1.1))
        ax.grid(visible=True)
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))

        def update(step: int, text: str) -> str:
            table, film = films[text != "sentences"]
            rows = film[step // EVERY]
            shown = rows[table.ids([word for words in GROUPS.values() for word in words])]
            largest = shown.abs().max()
            for group, words in GROUPS.items():
                mine = (rows[table.ids(words)] / largest).numpy()
                dots[group].set_data(mine[:, 0], mine[:, 1])
            return say(
                "After {step} steps: {share:.1f} of the words lie nearest to one of their kind. "
                "The largest number: {largest:.1f}",
                step=step,
                largest=largest.item(),
                share=in_own_group(table, rows, by="distance"),
            )

        return update

    return live(
        draw,
        alt=(
            "Thirty words of six kinds in a plane, each at the two numbers of its row. With the "
            "sentences as they are the kinds gather as training goes on; with all words dealt out "
            "at random they stay mixed. The largest number is always at the edge."
        ),
        size=(8.0, 3.4),
        play="step",
        pace=0.3,
        step=(0, STEPS, EVERY, 0),
        text=["sentences", "words dealt out at random"],
    )


def _film(shuffled: bool) -> tuple[WordTable, list[torch.Tensor]]:
    generator = torch.Generator().manual_seed(0)
    table = fresh_table(sentences(SENTENCES, generator, shuffled), 2, generator)
    return table, train(table, STEPS, keep_every=EVERY)
