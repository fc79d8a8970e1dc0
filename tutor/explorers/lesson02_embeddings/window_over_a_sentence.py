"""A window of two words to each side, slid over a sentence, and its pairs."""

from typing import Any

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.embedding import window_pairs
from tutor.say import say


def window_over_a_sentence() -> Explorer:
    """Slide a window of two words to each side over a sentence, and collect its pairs.

    Example:
        >>> window_over_a_sentence().frame(place=1).caption
        'Place 1, on: 2 pairs here, 2 so far.'
    """
    words = ["on", "friday", "mina", "drinks", "cold", "tea"]
    pairs = window_pairs(range(len(words)), 2)

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        tiles = d.tokens(words, at=(8, 3.5), step=2.4)
        links = {pair: d.link(tiles[pair[0]].top, tiles[pair[1]].top, bend=0.2) for pair in pairs}
        lists = [d.words("", (2 + 2.4 * n, 1.55), size=10.5) for n in range(len(words))]

        def update(place: int) -> str:
            here = place - 1
            company = [other for centre, other in pairs if centre == here]
            for number, tile in enumerate(tiles):
                tile.paint("value" if number in company else "neutral")
                tile.light(number == here)
                mine = [words[other] for centre, other in pairs if centre == number]
                lists[number].write("\n".join(mine) if number <= here else "")
            for (centre, _), link in links.items():
                link.show(centre == here)
            return say(
                "Place {place}, {word}: {count} pairs here, {all} so far.",
                place=place,
                word=words[here],
                count=len(company),
                all=sum(centre <= here for centre, _ in pairs),
            )

        return update

    return live(
        draw,
        alt=(
            "A sentence of six words as tiles. One is lit; arrows go from it to its company, the "
            "words up to two places away, and below each word stands the company found so far."
        ),
        size=(8.0, 2.6),
        play="place",
        place=(1, len(words), 1, 3),
    )
