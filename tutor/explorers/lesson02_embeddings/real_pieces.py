"""Into which pieces SmolLM2's tokenizer cuts a text, with their ids."""

from typing import Any

from matplotlib.figure import Figure

from tutor.data.files import load_results
from tutor.display.controls import as_data
from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import SERIES
from tutor.display.style import SMALL, TITLE
from tutor.say import data, say

_MOST_PIECES = 24


def real_pieces() -> Explorer:
    """Show into which tokens SmolLM2's tokenizer cuts a text, with their ids.

    Example:
        >>> real_pieces().frame(text="I love her").caption
        'SmolLM2: 10 bytes, 3 tokens.'
    """
    texts = load_results("pieces")["values"]["texts"]

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        whole = d.words("", (d.width / 2, d.height - 0.5), size=TITLE)
        tiles = [d.box("", (0, 0), width=1.0, height=0.75) for _ in range(_MOST_PIECES)]
        ids = [d.words("", (0, 0), size=SMALL) for _ in tiles]

        def update(text: str) -> str:
            whole.write(data(text))
            pieces, numbers = texts[text]["pieces"], texts[text]["ids"]
            step = 1.28 if len(pieces) > 8 else 2.5
            top = d.height - (1.75 if len(pieces) > 12 else 2.3)
            a_row = min(len(pieces), 12 if len(pieces) > 8 else 6)
            likes = list(dict.fromkeys(pieces))  # one colour for what is the same piece
            for place, (tile, number) in enumerate(zip(tiles, ids, strict=True)):
                tile.show(place < len(pieces))
                number.show(place < len(pieces))
                if place < len(pieces):
                    x = d.width / 2 + step * (place % a_row - (a_row - 1) / 2)
                    y = top - 1.5 * (place // a_row)
                    tile.move(x, y)
                    tile.write(data(pieces[place]))
                    tile.paint(SERIES[likes.index(pieces[place]) % len(SERIES)], 0.22)
                    number.move(x, y - 0.65)
                    number.write(str(numbers[place]))
            return say(
                "SmolLM2: {size} bytes, {count} tokens.",
                size=texts[text]["bytes"],
                count=len(pieces),
            )

        return update

    return live(
        draw,
        alt=say(
            "A text, and below it the tokens into which SmolLM2's tokenizer cuts it, as tiles "
            "with their ids, one colour for each token. ␣ is a blank; two characters such as EB "
            "are a byte that is no letter by itself."
        ),
        size=(8.0, 2.3),
        text=(as_data(texts), "나는 그녀를 사랑한다"),
    )
