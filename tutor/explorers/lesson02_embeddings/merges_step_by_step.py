"""How byte-pair encoding joins the most frequent neighbours again and again."""

from functools import cache
from typing import Any

from matplotlib.figure import Figure

from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, NEUTRAL, SERIES, mixed
from tutor.display.style import TITLE
from tutor.say import data, say
from tutor.subwords import count_pairs, join_pair

TEXT = ("low",) * 5 + ("lower",) * 2 + ("newest",) * 6 + ("widest",) * 3
_WORDS = tuple(dict.fromkeys(TEXT))
_COUNTS = tuple(TEXT.count(word) for word in _WORDS)
_MERGES, _BARS = 12, 6


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
        'Merges: 2, the last made est. The text of 16 words is 61 tokens long.'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        left, right = fig.subplots(1, 2, width_ratios=[1.5, 1])
        left.set(xlim=(0, 10), ylim=(len(_WORDS) - 0.4, -0.6))
        left.axis("off")
        lines = []
        for row, (word, count) in enumerate(zip(_WORDS, _COUNTS, strict=True)):
            left.text(
                0.1, row, f"{count} × {data(word)}", va="center", fontsize=TITLE, color=NEUTRAL
            )
            lines.append(left.text(4.2, row, "", va="center", fontsize=TITLE, family="monospace"))
        bars = right.barh(range(_BARS), [0.0] * _BARS, color=SERIES[0])
        names = [right.text(0.2, n, "", va="center") for n in range(_BARS)]
        right.set(xlim=(0, 9.5), ylim=(_BARS - 0.5, -0.5))
        right.axis("off")
        heading = right.set_title(say("side by side, so many times"))

        def update(merges: int, counts: str) -> str:
            cut = pieces_after(merges)
            for line, pieces in zip(lines, cut, strict=True):
                line.set_text(data(" ".join(pieces)))
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
        alt=say(
            "Four words with how often they are in a text, cut into tokens, and bars for how "
            "often two tokens are side by side. With each merge the most frequent pair becomes "
            "one token, until frequent words are one token each."
        ),
        size=(8.0, 2.6),
        merges=(0, _MERGES, 1, 0),
        counts=([(say("hidden"), "hidden"), (say("shown"), "shown")], "shown"),
    )


def _merged(merges: int, pieces: int) -> str:
    if merges == 0:
        return say(
            "Merges: 0. The text of {words} words is {pieces} tokens long, all of them letters.",
            words=len(TEXT),
            pieces=pieces,
        )
    return say(
        "Merges: {merges}, the last made {last}. The text of {words} words is {pieces} tokens "
        "long.",
        merges=merges,
        last="".join(best_pair(merges - 1)),
        words=len(TEXT),
        pieces=pieces,
    )
