"""Lesson 6: which numbers of a batch share a mean, for six norms."""

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.style import TITLE
from tutor.say import later, say

BATCH, PLACES, FEATURES = 4, 5, 6
_NORMS = [
    (later("batch norm"), "batch"),
    (later("layer norm, one token"), "token"),
    (later("layer norm, whole example"), "example"),
    (later("instance norm"), "instance"),
    (later("group norm, two groups"), "group"),
    (later("RMSNorm"), "rms"),
]


def shared_with(norm: str, example: int, place: int, feature: int) -> NDArray[np.bool_]:
    """Mark the cells (4 examples, 5 places, 6 features) that are normalised with the given one.

    Example:
        >>> [int(shared_with(norm, 0, 0, 5).sum()) for _, norm in _NORMS]
        [20, 6, 30, 5, 15, 6]
    """
    b, t, d = np.indices((BATCH, PLACES, FEATURES))
    same_example, same_place, same_feature = b == example, t == place, d == feature
    half = FEATURES // 2
    cells: dict[str, NDArray[np.bool_]] = {
        "batch": same_feature,
        "token": same_example & same_place,
        "example": same_example,
        "instance": same_example & same_feature,
        "group": same_example & (d // half == feature // half),
        "rms": same_example & same_place,
    }
    return cells[norm]


def shared_means() -> Explorer:
    """Light the numbers that share a mean with one, in a block of examples, places and features.

    Example:
        >>> shared_means().caption
        'batch norm: 6 means, each of 20 numbers'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        cube = d.cube(
            (BATCH, PLACES, FEATURES),
            (4.6, 3.0),
            cell=0.58,
            axes=(say("4 examples"), say("5 places"), say("6 features")),
            name=say("the batch"),
        )
        name = d.words("", (9.6, 4.5), size=TITLE, align="left")
        counts = d.words("", (9.6, 3.4), align="left")
        over = d.words("", (9.6, 2.3), align="left")

        def update(norm: str, example: int, place: int, feature: int) -> str:
            cells = shared_with(norm, example - 1, place - 1, feature - 1)
            shades = 0.55 * cells
            shades[example - 1, place - 1, feature - 1] = 1.0
            cube.light(shades)
            number = int(cells.sum())
            title = next(label for label, value in _NORMS if value == norm)
            name.write(say(title))
            over.write(say(_OVER[norm]))
            means = cells.size // number
            counts.write(_counts(norm, number, means))
            return _counted(norm, say(title), number, means)

        return update

    return live(
        draw,
        alt=say(
            "A block of four examples, five places and six features. One cell is dark; those that "
            "are normalised together with it are coloured: a whole feature through all examples, "
            "one row of features, or a part of one example, as the norm has it."
        ),
        size=(8.0, 2.8),
        columns=4,
        norm=([(say(label), norm) for label, norm in _NORMS], "batch"),
        example=(1, BATCH, 1, 1),
        place=(1, PLACES, 1, 1),
        feature=(1, FEATURES, 1, 6),
        kept={"example": [1, BATCH], "place": [1, 3], "feature": [1, 4, FEATURES]},
    )


_OVER = {
    "batch": later("runs over examples and places"),
    "token": later("runs over features"),
    "example": later("runs over places and features"),
    "instance": later("runs over places"),
    "group": later("runs over places and\nthe features of a group"),
    "rms": later("runs over features"),
}


def _counts(norm: str, number: int, means: int) -> str:
    if norm == "rms":
        return say("no mean, {sizes} sizes,\neach of {number} numbers", sizes=means, number=number)
    return say("{means} means,\neach of {number} numbers", means=means, number=number)


def _counted(norm: str, title: str, number: int, means: int) -> str:
    if norm == "rms":
        return say(
            "{norm}: no mean, {sizes} sizes, each of {number} numbers",
            norm=title,
            sizes=means,
            number=number,
        )
    return say(
        "{norm}: {means} means, each of {number} numbers", norm=title, means=means, number=number
    )
