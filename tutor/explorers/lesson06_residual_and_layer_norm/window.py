"""A window one word wide, slid along a sentence."""

from typing import Any

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT
from tutor.display.regions import touch
from tutor.say import say


def window() -> Explorer:
    """Slide a window along a sentence: which words does a place of the result come from?

    Example:
        >>> window().frame(place=3, width=1).caption
        'Place 3, window of 1: it sees bank'
    """
    sentence = ["he", "saw", "bank", "after", "bank"]

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        below = d.tokens(sentence, at=(8, 0.8), step=2.4)
        above = [d.box(f"{n}", (w.at[0], 3.6), width=1.1) for n, w in enumerate(below, 1)]
        for place, parts in enumerate(zip(below, above, strict=True), 1):
            for part in parts:
                touch(part, place=place)
        frame = {
            width: [
                d.frame(below[max(0, n - width // 2) : n + width // 2 + 1], pad=0.2)
                for n in range(5)
            ]
            for width in (1, 3)
        }
        links = [[d.link(word, box, kind=HIGHLIGHT) for word in below] for box in above]

        def update(place: int, width: int) -> str:
            reach = width // 2
            seen = [n for n in range(5) if abs(n - place + 1) <= reach]
            for at, row in enumerate(links):
                above[at].light(at == place - 1)
                for n, link in enumerate(row):
                    link.show(at == place - 1 and n in seen)
                for other in (1, 3):
                    frame[other][at].show(other == width and at == place - 1)
            return say(
                "Place {place}, window of {width}: it sees {words}",
                place=place,
                width=width,
                words=", ".join(sentence[n] for n in seen),
            )

        return update

    return live(
        draw,
        alt=(
            "A sentence below, the places of the result above. A frame slides along the sentence; "
            "arrows lead from the words in it to the lit place. One word wide, each place comes "
            "from its own word."
        ),
        size=(8.0, 2.2),
        play="place",
        place=(1, 5, 1, 3),
        width=([1, 3], 1),
    )
