"""A table of two numbers a word, trained before the reader's eyes, and a word of one's own."""

from typing import Any

import torch
from matplotlib.figure import Figure

from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, NEUTRAL, SERIES, mixed
from tutor.say import say
from tutor.training.cafe_words import (
    GROUPS,
    WordTable,
    fresh_table,
    in_own_group,
    nearest_words,
    sentences,
    train,
)

_SENTENCES, _STEPS, _EVERY = 1000, 300, 10
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
            rows = film[step // _EVERY]
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
        step=(0, _STEPS, _EVERY, 0),
        text=["sentences", "words dealt out at random"],
    )


def _film(shuffled: bool) -> tuple[WordTable, list[torch.Tensor]]:
    generator = torch.Generator().manual_seed(0)
    table = fresh_table(sentences(_SENTENCES, generator, shuffled), 2, generator)
    return table, train(table, _STEPS, keep_every=_EVERY)


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
        ax.set(xlim=(0, 1), yticks=[], xlabel="cosine with the new word")
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
            train(table, _STEPS)
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
        alt=(
            "Five bars: the words nearest to a new word by the cosine of their rows. With each "
            "sentence in which it is drunk there are more drinks among them."
        ),
        size=(8.0, 2.6),
        columns=2,
        kept={"told": [0, 1, 2, 3]},
        told=(0, len(_NEW), 1, 1),
        first=_NEW[0],
        second=_NEW[1],
        third=_NEW[2],
        labels={"told": "sentences told"},
    )


def _new_word(lines: list[list[str]]) -> str | None:
    """Return the word of these sentences that the café does not know: the last of them."""
    known = {word for line in sentences(300, torch.Generator().manual_seed(0)) for word in line}
    unknown = [word for line in lines for word in line if word.isalpha() and word not in known]
    return unknown[-1] if unknown else None
