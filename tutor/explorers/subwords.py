"""Lesson 2's pictures of tokens: pairs joined step by step, real pieces, sizes of vocabularies."""

from functools import cache
from typing import Any

from matplotlib.figure import Figure

from tutor.data.files import load_results
from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, NEUTRAL, SERIES, mixed
from tutor.display.plots import Picture
from tutor.say import say
from tutor.subwords import count_pairs, join_pair

TEXT = ("low",) * 5 + ("lower",) * 2 + ("newest",) * 6 + ("widest",) * 3
_WORDS = tuple(dict.fromkeys(TEXT))
_COUNTS = tuple(TEXT.count(word) for word in _WORDS)
_MERGES, _BARS = 12, 6
_MOST_PIECES = 24

# Those of MiniLM and SmolLM2 stand in their files; the others in: Vaswani et al. 2017 (about),
# Touvron et al. 2023, Radford et al. 2019, tiktoken's cl100k_base, Llama 3's configuration,
# tiktoken's o200k_base, Gemma 3's configuration.
SIZES = {
    "MiniLM": 30_522,
    "Llama 2": 32_000,
    "the paper": 37_000,
    "SmolLM2": 49_152,
    "GPT-2": 50_257,
    "GPT-4": 100_277,
    "Llama 3": 128_256,
    "GPT-4o": 200_019,
    "Gemma 3": 262_144,
}


@cache
def pieces_after(merges: int) -> tuple[tuple[str, ...], ...]:
    """Cut the words of the text into the pieces known after so many merges.

    Example:
        >>> pieces_after(0)[0], pieces_after(2)[2]
        (('l', 'o', 'w'), ('n', 'e', 'w', 'est'))
    """
    if merges == 0:
        return tuple(tuple(word) for word in _WORDS)
    words = pieces_after(merges - 1)
    pair = best_pair(merges - 1)
    return tuple(tuple(join_pair(word, pair, "".join(pair))) for word in words)


def best_pair(merges: int) -> tuple[str, str]:
    """Give the most frequent pair after so many merges, of equals the first that is met.

    Example:
        >>> best_pair(0)
        ('e', 's')
    """
    pairs = count_pairs(pieces_after(merges), _COUNTS)
    return max(pairs, key=pairs.__getitem__)


def merges_step_by_step() -> Explorer:
    """Show how byte-pair encoding joins the most frequent neighbours again and again.

    Example:
        >>> merges_step_by_step().frame(merges=2).caption
        '2 merges, the last made est: the text of 16 words is 61 pieces long.'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        left, right = fig.subplots(1, 2, width_ratios=[1.5, 1])
        left.set(xlim=(0, 10), ylim=(len(_WORDS) - 0.4, -0.6))
        left.axis("off")
        lines = []
        for row, (word, count) in enumerate(zip(_WORDS, _COUNTS, strict=True)):
            left.text(0.1, row, f"{count} × {word}", va="center", fontsize=13, color=NEUTRAL)
            lines.append(left.text(4.2, row, "", va="center", fontsize=15, family="monospace"))
        bars = right.barh(range(_BARS), [0.0] * _BARS, color=SERIES[0])
        names = [right.text(0.2, n, "", va="center", fontsize=11) for n in range(_BARS)]
        right.set(xlim=(0, 9.5), ylim=(_BARS - 0.5, -0.5))
        right.axis("off")
        heading = right.set_title("side by side, so many times", fontsize=11)

        def update(merges: int, counts: str) -> str:
            cut = pieces_after(merges)
            for line, pieces in zip(lines, cut, strict=True):
                line.set_text(" ".join(pieces))
            found = count_pairs(cut, _COUNTS).most_common(_BARS) if counts == "shown" else []
            heading.set_alpha(1 if counts == "shown" else 0)
            for place, (bar, name) in enumerate(zip(bars, names, strict=True)):
                pair, times = found[place] if place < len(found) else (("", ""), 0)
                bar.set_width(times)
                bar.set_visible(times > 0)
                bar.set_color(mixed(HIGHLIGHT if place == 0 else SERIES[0], 0.45))
                name.set_text(f"{pair[0]} {pair[1]}: {times}" if times else "")
            return _merged(merges, sum(n * len(p) for n, p in zip(_COUNTS, cut, strict=True)))

        return update

    return live(
        draw,
        alt=(
            "Four words with how often they stand in a text, cut into pieces, and bars for how "
            "often two pieces stand side by side. With each merge the most frequent pair becomes "
            "one piece, until frequent words are one piece each."
        ),
        size=(8.0, 2.6),
        merges=(0, _MERGES, 1, 0),
        counts=["hidden", "shown"],
    )


def _merged(merges: int, pieces: int) -> str:
    if merges == 0:
        return say(
            "0 merges: the text of {words} words is {pieces} pieces long, all of them letters.",
            words=len(TEXT),
            pieces=pieces,
        )
    return say(
        "{merges} merges, the last made {last}: the text of {words} words is {pieces} pieces long.",
        merges=merges,
        last="".join(best_pair(merges - 1)),
        words=len(TEXT),
        pieces=pieces,
    )


def real_pieces() -> Explorer:
    """Show into which pieces SmolLM2's tokenizer cuts a text, with their ids.

    Example:
        >>> real_pieces().frame(text="I love her").caption
        'SmolLM2: 10 bytes, 3 pieces. MiniLM: 3 pieces.'
    """
    texts = load_results("pieces")["values"]["texts"]

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        whole = d.words("", (d.width / 2, d.height - 0.5), size=15)
        tiles = [d.box("", (0, 0), width=1.0, height=0.75) for _ in range(_MOST_PIECES)]
        ids = [d.words("", (0, 0), size=9.5) for _ in tiles]

        def update(text: str) -> str:
            whole.write(text)
            pieces, numbers = texts[text]["pieces"], texts[text]["ids"]
            step = 1.28 if len(pieces) > 8 else 2.5
            top = d.height - (1.75 if len(pieces) > 12 else 2.3)
            a_row = min(len(pieces), 12 if len(pieces) > 8 else 6)
            for place, (tile, number) in enumerate(zip(tiles, ids, strict=True)):
                tile.show(place < len(pieces))
                number.show(place < len(pieces))
                if place < len(pieces):
                    x = d.width / 2 + step * (place % a_row - (a_row - 1) / 2)
                    y = top - 1.5 * (place // a_row)
                    tile.move(x, y)
                    tile.write(pieces[place])
                    tile.paint(SERIES[place % 4], 0.22)
                    number.move(x, y - 0.65)
                    number.write(str(numbers[place]))
            return say(
                "SmolLM2: {size} bytes, {count} pieces. MiniLM: {others} pieces.",
                size=texts[text]["bytes"],
                count=len(pieces),
                others=len(texts[text]["MiniLM"]),
            )

        return update

    return live(
        draw,
        alt=(
            "A text, and below it the pieces into which SmolLM2's tokenizer cuts it, as coloured "
            "tiles with their ids. ␣ is a blank; two characters such as EB are a byte that is no "
            "letter by itself."
        ),
        size=(8.0, 2.3),
        text=list(texts),
    )


def vocabulary_sizes() -> Picture:
    """Show how many pieces the vocabularies of nine models have."""

    def draw(fig: Figure) -> str:
        ax = fig.subplots()
        ax.barh(range(len(SIZES)), [*SIZES.values()], color=SERIES[0])
        for row, size in enumerate(SIZES.values()):
            ax.text(size + 2_000, row, f"{size:,}", va="center", fontsize=10)
        ax.set_yticks(range(len(SIZES)), labels=[*SIZES])
        ax.set(xlim=(0, 300_000), ylim=(len(SIZES) - 0.5, -0.5), xticks=[])
        ax.spines["bottom"].set_visible(False)
        return say("pieces in the vocabulary; the paper's is about that many")

    return Picture(
        draw,
        alt=(
            "Nine bars, the sizes of vocabularies, from MiniLM's thirty thousand pieces over the "
            "paper's and GPT-2's to Gemma 3's quarter of a million."
        ),
        size=(7.5, 2.9),
    )
