"""The page of all exercises: what each asks, what it is worth and how long it takes."""

import re
from dataclasses import dataclass
from functools import cache

from nbformat import NotebookNode

from ..exercises import is_answer
from ..files import EXERCISES, read_notebook
from ..ids import heading_of
from .course import lessons
from .html import highlighted, markdown

_CARD = re.compile(
    r"^`(?P<name>\w+)` · (?P<points>\d+) points? · (?P<difficulty>[●○]+) · (?P<minutes>\d+) minutes"
    r"(?P<extra> · extra)?$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Asked:
    """An exercise as its card has it.

    Attributes:
        heading: with its number.
        name: of the function to write, or of the prediction.
        points, minutes: what it is worth and how long it takes.
        difficulty: filled dots out of three.
        extra: it is no part of the core.
        text: what is asked, in HTML.
        code: the cell to fill in, in HTML.
    """

    heading: str
    name: str
    points: int
    minutes: int
    difficulty: str
    extra: bool
    text: str
    code: str

    @property
    def level(self) -> int:
        """Its difficulty from 1 to 3."""
        return self.difficulty.count("●")


@cache
def listed_exercises() -> dict[str, list[Asked]]:
    """List every lesson's exercises in the order of its notebook."""
    return {
        lesson.name: _in_notebook(read_notebook(EXERCISES / f"{lesson.name}.ipynb"))
        for lesson in lessons()
    }


def _in_notebook(notebook: NotebookNode) -> list[Asked]:
    found = []
    for place, cell in enumerate(notebook.cells):
        card = _CARD.search(cell.source) if cell.cell_type == "markdown" else None
        if card:
            code = next(filter(is_answer, notebook.cells[place:]))
            found.append(_asked(cell, card, code))
    return found


def _asked(cell: NotebookNode, card: re.Match[str], code: NotebookNode) -> Asked:
    return Asked(
        heading=heading_of(cell) or card["name"],
        name=card["name"],
        points=int(card["points"]),
        minutes=int(card["minutes"]),
        difficulty=card["difficulty"],
        extra=bool(card["extra"]),
        text=markdown(cell.source[card.end() :]),
        code=highlighted(code.source),
    )
