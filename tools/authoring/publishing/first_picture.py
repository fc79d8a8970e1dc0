"""The picture on the site's first page: point at a word, and see where it looks, layer by layer."""

import io
from typing import Any

import torch
from matplotlib.figure import Figure
from PIL import Image
from torch import Tensor

from tutor.data.files import load_results
from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.links import Link
from tutor.display.palette import PAPER
from tutor.display.regions import touch, touch_cells
from tutor.say import data, say

_STEP, _WIDTH, _SIZE = 1.62, 1.48, 13.0  # of the words' tiles, and of their letters
_MIDDLE = 6.25
PREVIEW = (1200, 630)
_FEWEST = 0.03  # a share below which no arc is drawn


def words_looking() -> Explorer:
    """Point at a word of a sentence with *bank*, and see where it looks in each layer.

    Example:
        >>> words_looking().caption
        'Layer 1 of 6: bank looks most at river, with .55 of its attention'
        >>> words_looking().frame(between="savings").caption
        'Layer 1 of 6: bank looks most at savings, with .54 of its attention'
    """
    stored = load_results("words_looking")["values"]
    shares = {
        filler: torch.tensor(one["shares"], dtype=torch.float64) for filler, one in stored.items()
    }
    words = {filler: one["words"] for filler, one in stored.items()}
    first, *_ = shares
    layers, count = shares[first].shape[:2]

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        looking = _Looking(d, words[first], layers)

        def update(between: str, word: int, layer: int) -> str:
            found = shares[between][:, word - 1]  # (layers, words)
            looking.show(words[between], found, word - 1, layer - 1)
            most = int(found[layer - 1].argmax())
            gaps = {
                "layer": layer,
                "layers": layers,
                "word": words[between][word - 1],
                "share": f"{found[layer - 1, most]:.2f}".removeprefix("0"),
            }
            if most == word - 1:
                return say(
                    "Layer {layer} of {layers}: {word} looks most at itself, with {share} of its "
                    "attention",
                    **gaps,
                )
            return say(
                "Layer {layer} of {layers}: {word} looks most at {most}, with {share} of its "
                "attention",
                most=words[between][most],
                **gaps,
            )

        return update

    return live(
        draw,
        alt=say(
            "The six words of a sentence as tiles. From the word that is pointed at arcs lead to "
            "the words it looks at, the thicker the more. Below each word a column says how much "
            "of its attention it gets, a row for each of the model's six layers."
        ),
        size=(5.6, 3.9),
        columns=3,
        labels={"between": data("he stood by the …"), "word": say("word number")},
        between=[(data(filler), filler) for filler in shares],
        word=(1, count, 1, count),
        layer=(1, layers, 1, 1),
    )


def preview(png: bytes) -> bytes:
    """Set the picture in the middle of the sheet that is shown where the page's address is shared.

    It is 1200 × 630 pixels, the shape that messengers and networks ask for.
    """
    picture, sheet = Image.open(io.BytesIO(png)).convert("RGB"), Image.new("RGB", PREVIEW, PAPER)
    picture.thumbnail((PREVIEW[0] - 80, PREVIEW[1] - 40), Image.Resampling.LANCZOS)
    sheet.paste(picture, tuple((a - b) // 2 for a, b in zip(PREVIEW, picture.size)))
    file = io.BytesIO()
    sheet.save(file, "PNG", optimize=True)
    return file.getvalue()


class _Looking:
    """The sentence, the arcs of one word in one layer, and that word's shares in all of them."""

    def __init__(self, d: Diagram, words: list[str], layers: int) -> None:
        count = len(words)
        places = [_MIDDLE + _STEP * (n - (count - 1) / 2) for n in range(count)]
        self._tiles = [d.box(w, (x, 4.8), width=_WIDTH, size=_SIZE) for w, x in zip(words, places)]
        self._table = d.matrix(
            torch.zeros(layers, count),
            (_MIDDLE, 2.05),
            kind="attention",
            rows=[say("layer {number}", number=layer + 1) for layer in range(layers)],
            cell=(_STEP, 0.58),  # too low for numbers: one row's are written, the rest told
            limit=0.8,
        )
        self._written = [d.words("", (x, 0.0), size=_SIZE - 1) for x in places]
        self._arcs = {
            (asks, told): d.link(a, b, weight=1.0, kind="attention", ribbon=True)
            for asks, a in enumerate(self._tiles)
            for told, b in enumerate(self._tiles)
            if asks != told
        }
        for number, tile in enumerate(self._tiles, 1):
            touch(tile, word=number)
        touch_cells(self._table, rows=("layer", range(1, layers + 1)))

    def show(self, words: list[str], shares: Tensor, asks: int, layer: int) -> None:
        """Show where one word looks: its arcs in a layer, and its shares in all, (layers, T)."""
        for place, (tile, word) in enumerate(zip(self._tiles, words, strict=True)):
            tile.write(word)
            tile.light(place == asks)
        for (start, end), arc in self._arcs.items():
            _show_arc(arc, start == asks, shares[layer, end].item())
        self._table.set(shares)
        self._table.mark(row=layer)
        for place, number in enumerate(self._written):
            number.write(f"{shares[layer, place]:.2f}".removeprefix("0"))
            number.move(*self._table.cell(layer, place))


def _show_arc(arc: Link, is_its: bool, share: float) -> None:
    arc.set(share)
    arc.show(is_its and share >= _FEWEST)
