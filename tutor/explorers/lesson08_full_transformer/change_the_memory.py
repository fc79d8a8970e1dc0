"""Another sentence's memory, handed to the decoder after some words."""

from typing import Any

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.explorers.lesson08_full_transformer.memory_between import (
    OTHER,
    OTHERS,
    OWN,
    SENTENCE,
    Wire,
    WrittenWords,
    memory_of,
)
from tutor.explorers.lesson08_full_transformer.traced_sentence import glossed
from tutor.say import say
from tutor.training.talker import talker, write


def change_the_memory() -> Explorer:
    """Hand the decoder another sentence's memory after some words.

    Example:
        >>> change_the_memory().caption
        'changed after 1: 나는 (I) 그를 (him) 안다 (know)'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        own, other = Wire(d, SENTENCE, 5.0, OWN), Wire(d, OTHER, 3.1, OTHERS)
        decoder = d.box(say("decoder"), (14.4, 4.05), width=2.2, height=1.0)
        links = [d.link(wire.memory, decoder, kind=wire.colour) for wire in (own, other)]
        written = WrittenWords(d, decoder)
        memories = [memory_of(SENTENCE), memory_of(OTHER)]
        for wire, rows in zip((own, other), memories, strict=True):
            wire.show(rows, connected=True)

        def update(after: int) -> str:
            words = write(*talker(), [*[memories[0]] * after, memories[1]])
            links[0].show(after > 0)
            links[1].show(after < len(words))
            colours = [OWN if place < after else OTHERS for place in range(len(words))]
            written.show(words, colours)
            return say("changed after {after}: {words}", after=after, words=glossed(words))

        return update

    return live(
        draw,
        alt=say(
            "Two sentences, each with an encoder and a memory, and one decoder. Below, the words "
            "written, each in the colour of the memory it was written from."
        ),
        size=(8.0, 3.2),
        labels={"after": say("changed after")},
        after=(0, 4, 1, 1),
    )
