"""Eight answers in a row, each right, the waiter's, or neither: two pictures show such rows."""

from collections.abc import Sequence
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from tutor.display.palette import HIGHLIGHT, INK, NEUTRAL, PAPER, STATUS, mixed
from tutor.display.style import SMALL
from tutor.say import data, say

GUESTS = 8
_LONGEST = 9  # letters of an answer that fit its cell


class AnswerRow(NamedTuple):
    """A name, a box and a word for each guest, and a count."""

    name: Text
    boxes: list[Rectangle]
    words: list[Text]
    tally: Text


def rows_on(ax: Axes, names: Sequence[str]) -> list[AnswerRow]:
    """Make empty rows of these names on axes of their own, from above to below."""
    ax.set(xlim=(-1.5, GUESTS + 0.9), ylim=(len(names), -0.15))
    ax.set_axis_off()
    return [_row(ax, name, place) for place, name in enumerate(names)]


def _row(ax: Axes, name: str, place: int) -> AnswerRow:
    middle = place + 0.5
    boxes = [Rectangle((n + 0.03, place + 0.06), 0.94, 0.88, linewidth=1.0) for n in range(GUESTS)]
    for box in boxes:
        ax.add_patch(box)
    return AnswerRow(
        ax.text(-0.1, middle, name, ha="right", va="center"),
        boxes,
        [
            ax.text(n + 0.5, middle, "", ha="center", va="center", fontsize=SMALL)
            for n in range(GUESTS)
        ],
        ax.text(GUESTS + 0.15, middle, "", va="center"),
    )


def write_orders(row: AnswerRow, ordered: Sequence[str]) -> None:
    """Write what was ordered, neither right nor wrong."""
    for box, word, drink in zip(row.boxes, row.words, ordered, strict=True):
        box.set(facecolor=PAPER, edgecolor=NEUTRAL)
        word.set_text(data(drink))


def write_answers(row: AnswerRow, answers: Sequence[str], ordered: Sequence[str]) -> None:
    """Write answers, each as it is right, the hand's most common drink, or neither."""
    common = most_common(ordered)
    for box, word, answer, drink in zip(row.boxes, row.words, answers, ordered, strict=True):
        word.set_text(data(answer))
        if answer == drink:
            box.set(facecolor=STATUS["right"], edgecolor=STATUS["right"])
            word.set(color=PAPER, weight="bold")
            continue
        waiter = answer in common
        box.set(facecolor=mixed(HIGHLIGHT, 0.22) if waiter else PAPER)
        box.set(edgecolor=HIGHLIGHT if waiter else NEUTRAL)
        word.set(color=INK, weight="normal")
    row.tally.set_text(say("{right} of 8", right=right_of(answers, ordered)))


def show(row: AnswerRow, shown: bool) -> None:
    """Show or hide a whole row."""
    for part in (row.name, *row.boxes, *row.words, row.tally):
        part.set_visible(shown)


def right_of(answers: Sequence[str], ordered: Sequence[str]) -> int:
    """Count the right ones.

    Example:
        >>> right_of(["tea", "tea"], ["tea", "milk"])
        1
    """
    return sum(map(str.__eq__, answers, ordered))


def most_common(ordered: Sequence[str]) -> list[str]:
    """Give the drink that was ordered most often, or those if there are several.

    Example:
        >>> most_common(["tea", "milk", "tea", "mate"])
        ['tea']
    """
    most = max(map(ordered.count, ordered))
    return [drink for drink in dict.fromkeys(ordered) if ordered.count(drink) == most]


def written(text: str) -> list[str]:
    """Read eight drinks that somebody wrote with commas or spaces, a ? for each that is missing.

    Example:
        >>> written("Tea, milk ? ")
        ['tea', 'milk', '?', '?', '?', '?', '?', '?']
        >>> written("")
        []
    """
    words = text.replace(",", " ").lower().split()
    return [word[:_LONGEST] for word in (words + ["?"] * GUESTS)[:GUESTS]] if words else []
