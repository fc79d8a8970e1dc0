"""Sentences with a new word, and the neighbours that training gives it."""

from typing import Any

import torch
from matplotlib.figure import Figure

from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, NEUTRAL, mixed
from tutor.explorers.lesson02_embeddings.training_a_table import STEPS
from tutor.say import say
from tutor.training.cafe_words import (
    GROUPS,
    fresh_table,
    nearest_words,
    sentences,
    train,
)

_NEW = ("mina drinks zib", "on friday tom drinks cold zib", "three cups of zib")


def a_word_of_your_own() -> Explorer:
    """Train a table with up to three sentences that hold a new word; name its neighbours.

    Example:
        >>> a_word_of_your_own().frame(told=0).caption
        'No new word in 0 sentences.'
    """
    text = sentences(300, torch.Generator().manual_seed(0))

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        bars = ax.barh(range(5), [0.0] * 5)
        labels = [ax.text(0.02, place, "", va="center") for place in range(5)]
        ax.set(xlim=(0, 1), yticks=[], xlabel=say("cosine with the new word"))
        ax.invert_yaxis()

        def update(told: int, first: str, second: str, third: str) -> str:
            lines = [line.lower().split() for line in (first, second, third)][:told]
            new = _new_word(lines)
            if new is None:
                for bar, label in zip(bars, labels, strict=True):
                    bar.set_visible(False)
                    label.set_text("")
                return say("No new word in {count} sentences.", count=told)
            generator = torch.Generator().manual_seed(0)
            table = fresh_table(text + lines, 8, generator)
            train(table, STEPS)
            near = nearest_words(table, new, k=5)
            mine = table.rows[table.ids([new])]
            cosines = torch.cosine_similarity(table.rows[table.ids(near)], mine).tolist()
            for bar, label, word, cosine in zip(bars, labels, near, cosines, strict=True):
                drink = word in GROUPS["drinks"]
                bar.set_visible(True)
                bar.set_width(max(0.0, cosine))
                bar.set_color(mixed(HIGHLIGHT if drink else NEUTRAL, 0.45))
                label.set_text(say("{word} (a drink)", word=word) if drink else word)
            count = sum(word in GROUPS["drinks"] for word in near)
            return say(
                "After {told} of the sentences {count} of the five words nearest to {word} are "
                "drinks.",
                told=told,
                count=count,
                word=new,
            )

        return update

    return live(
        draw,
        alt=say(
            "Five bars: the words nearest to a new word by the cosine of their rows. With each "
            "sentence in which it is drunk there are more drinks among them."
        ),
        size=(8.0, 2.6),
        columns=2,
        kept={"told": [0, 1, 2, 3]},
        told=(0, len(_NEW), 1, len(_NEW)),
        first=_NEW[0],
        second=_NEW[1],
        third=_NEW[2],
        labels={"told": say("sentences told")},
    )


def _new_word(lines: list[list[str]]) -> str | None:
    """Return the word of these sentences that the café does not know: the last of them."""
    known = {word for line in sentences(300, torch.Generator().manual_seed(0)) for word in line}
    unknown = [word for line in lines for word in line if word.isalpha() and word not in known]
    return unknown[-1] if unknown else None
