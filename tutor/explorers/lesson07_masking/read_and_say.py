"""Lesson 7's picture of the shift: what a decoder has read where, and what it must say there."""

from typing import Any

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.regions import touch, touch_cells
from tutor.mask import causal_keep
from tutor.say import say

_SENTENCE = ("<bos>", "I", "love", "her", "<eos>")
_PLACES = len(_SENTENCE) - 1
_STEP = 2.15


def read_and_say() -> Explorer:
    """Move along a sentence: what was read, what must be said, and the triangle's row.

    Example:
        >>> read_and_say().frame(place=2).caption
        'Position 2 of 4: has read <bos> I, must say love; row 2 of the triangle'
    """
    read, said = _SENTENCE[:-1], _SENTENCE[1:]

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        d.words(say("must say"), (1.0, 4.6))
        d.words(say("has read"), (1.0, 1.0))
        answers = d.tokens(said, at=(6.3, 4.6), step=_STEP, kind="value")
        tokens = d.tokens(read, at=(6.3, 1.0), step=_STEP)
        states = [
            d.box(say("position {n}", n=place), (token.at[0], 2.8), width=1.8, kind="attention")
            for place, token in enumerate(tokens, 1)
        ]
        looks = [[d.link(token, state) for token in tokens] for state in states]
        says = [d.link(state, answer) for state, answer in zip(states, answers, strict=True)]
        triangle = d.matrix(
            causal_keep(_PLACES).float().numpy(),
            (13.7, 2.9),
            name=say("keep"),
            kind="attention",
            rows=read,
            columns=read,
            cell=(0.7, 0.7),
            limit=1.6,
        )
        places = range(1, _PLACES + 1)
        touch_cells(triangle, rows=("place", places))
        for place, *parts in zip(places, tokens, states, answers, strict=True):
            for part in parts:
                touch(part, place=place)

        def update(place: int) -> str:
            for number in range(_PLACES):
                here = number == place - 1
                tokens[number].fade(number >= place)
                states[number].fade(not here)
                answers[number].fade(not here)
                answers[number].light(here)
                says[number].show(here)
                for key, look in enumerate(looks[number]):
                    look.show(here and key < place)
            triangle.mark(row=place - 1)
            return say(
                "Position {place} of {places}: has read {read}, must say {word}; row {place} of "
                "the triangle",
                place=place,
                places=_PLACES,
                read=" ".join(read[:place]),
                word=said[place - 1],
            )

        return update

    return live(
        draw,
        alt=say(
            "Below, the words read: the sentence without its end. Above, the words to be said: the "
            "sentence without its beginning, so that the next word is above each. At the position "
            "chosen arrows come from the words up to it alone; a frame marks the same row of the "
            "triangle at the right."
        ),
        size=(8.0, 2.8),
        play="place",
        place=(1, _PLACES, 1, 1),
    )
