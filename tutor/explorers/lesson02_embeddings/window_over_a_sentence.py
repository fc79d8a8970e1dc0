"""A window of two words to each side, slid over a sentence, and its pairs."""

from typing import Any

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.regions import touch
from tutor.embedding import window_pairs
from tutor.say import data, say


def window_over_a_sentence() -> Explorer:
    """Slide a window of two words to each side over a sentence, and collect its pairs.

    Example:
        >>> window_over_a_sentence().frame(position=1).caption
        'Position 1, on: 2 pairs here, 2 so far.'
    """
    words = ["on", "friday", "mina", "drinks", "cold", "tea"]
    pairs = window_pairs(range(len(words)), 2)

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        tiles = d.tokens(words, at=(8, 3.5), step=2.4)
        for number, tile in enumerate(tiles, 1):
            touch(tile, position=number)
        links = {pair: d.link(tiles[pair[0]].top, tiles[pair[1]].top, bend=0.2) for pair in pairs}
        lists = [d.words("", (2 + 2.4 * n, 1.55)) for n in range(len(words))]

        def update(position: int) -> str:
            here = position - 1
            context = [other for centre, other in pairs if centre == here]
            for number, tile in enumerate(tiles):
                tile.paint("value" if number in context else "neutral")
                tile.light(number == here)
                mine = [words[other] for centre, other in pairs if centre == number]
                lists[number].write(data("\n".join(mine)) if number <= here else "")
            for (centre, _), link in links.items():
                link.show(centre == here)
            return say(
                "Position {position}, {word}: {count} pairs here, {all} so far.",
                position=position,
                word=words[here],
                count=len(context),
                all=sum(centre <= here for centre, _ in pairs),
            )

        return update

    return live(
        draw,
        alt=say(
            "A sentence of six words as tiles. One is lit; arrows go from it to its context, the "
            "words up to two positions away, and below each word stands the context found so far."
        ),
        size=(8.0, 2.6),
        play="position",
        position=(1, len(words), 1, 3),
    )
