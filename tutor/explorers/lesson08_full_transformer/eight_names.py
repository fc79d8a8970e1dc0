"""Eight names read, six written: which ones, with their English beside them (lesson 8)."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from matplotlib.figure import Figure

from tutor.data.batches import collate
from tutor.decode import translate
from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.embedding import EOS
from tutor.explorers.lesson08_full_transformer.traced_phrase import trained
from tutor.say import data, say

_BETWEEN = {",", "and", "or", "및", "또는"}
_LISTS = 6


def names_in(words: Sequence[str]) -> list[str]:
    """Divide a list of names at its commas and its "and".

    Example:
        >>> names_in(["Marshall", "Islands", ",", "Belize", ",", "and", "Cambodia"])
        ['Marshall Islands', 'Belize', 'Cambodia']
    """
    names: list[list[str]] = [[]]
    for word in words:
        if word in _BETWEEN:
            names.append([])
        else:
            names[-1].append(word)
    return [" ".join(name) for name in names if name]


@cache
def read_and_written(number: int) -> tuple[list[str], list[str], list[str]]:
    """Give a list's English names, their Korean, and what the trained model wrote.

    Args:
        number: of the list, from 1, among those longer than any it learned from.
    """
    model, task = trained()
    pair = task.long[number - 1]
    ids = collate(task.encode([pair])).source
    words = task.tokens(translate(model, ids, task.target_words, max_length=40)[0])
    written = names_in([word for word in words if word != EOS])
    return names_in(pair.source), names_in(pair.target), written


def eight_names() -> Explorer:
    """Show lists of eight names as tiles; what the model skipped has no Korean.

    Example:
        >>> eight_names().frame(phrase=1).caption
        '8 names read, 6 written, none that was not read; skipped: Swati, Scottish Gaelic.'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        places = [1.1 + 1.97 * n for n in range(8)]
        read = [d.box("", (x, 3.4), width=1.8, height=1.0) for x in places]
        told = [d.box("", (x, 1.2), width=1.8, height=1.0, kind="value") for x in places]
        for one, other in zip(read, told, strict=True):
            d.link(one, other)

        def update(phrase: int) -> str:
            english, korean, written = read_and_written(phrase)
            for top, bottom, name, right in zip(read, told, english, korean, strict=True):
                top.write(data(name).replace(" ", "\n"))
                bottom.write(data(right).replace(" ", "\n"))
                bottom.empty(right not in written)
            skipped = [e for e, k in zip(english, korean) if k not in written]
            extra = [name for name in written if name not in korean]
            return _caption(len(english), len(written), extra, skipped)

        return update

    return live(
        draw,
        alt=say(
            "Eight tiles with the English names that were read; under each its Korean, or a dashed "
            "outline where the model did not write it. Two of eight are hollow."
        ),
        size=(8.0, 2.2),
        phrase=(1, _LISTS, 1, 1),
    )


def _caption(read: int, written: int, extra: Sequence[str], skipped: Sequence[str]) -> str:
    numbers = {"read": read, "written": written, "skipped": ", ".join(skipped)}
    if extra:
        return say(
            "{read} names read, {written} written, not read: {extra}; skipped: {skipped}.",
            extra=", ".join(extra),
            **numbers,
        )
    return say(
        "{read} names read, {written} written, none that was not read; skipped: {skipped}.",
        **numbers,
    )
