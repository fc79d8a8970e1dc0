"""How long a lesson and its exercises take, from the lecturer's notes and the exercises' cards.

A slide is core unless it is tagged "deeper", or follows one that is as a subslide. Each core slide
has minutes in its lecturer's note, under `For the lecturer: 4 min`. A slide tagged "sitting" begins
another sitting, in a lesson as in its exercises: lesson 6 has two, lesson 8 three.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from nbformat import NotebookNode

from .exercises import tags_of
from .ids import heading_of
from .words import count_words

MOST_MINUTES = 45  # in one sitting

DEEPER, SITTING = "deeper", "sitting"
_NOTE = re.compile(r"<summary>For the lecturer: (\d+) min</summary>")
_CARD = re.compile(r"^`(?P<name>\w+)` · .+ · (?P<minutes>\d+) minutes(?P<extra> · extra)?$", re.M)
_ASKED = re.compile(r"\*\*Predict\b")


@dataclass
class Slide:
    """One slide of a lesson with the note to it.

    Attributes:
        cells: all of them but notes and what is skipped.
        minutes: in its note; 0 without one.
        deeper: it is for those who want more.
        sitting: which sitting it is in, 0 for the first.
    """

    cells: list[NotebookNode] = field(default_factory=list)
    minutes: int = 0
    deeper: bool = False
    sitting: int = 0

    @property
    def name(self) -> str:
        """The id of its first cell."""
        return str(self.cells[0].id)

    @property
    def title(self) -> str:
        """Its heading, or ""."""
        return next(filter(None, map(heading_of, self.cells)), "")

    @property
    def predictions(self) -> int:
        """How many predictions it asks for."""
        return sum(len(_ASKED.findall(cell.source)) for cell in self.texts())

    def texts(self) -> list[NotebookNode]:
        """List its Markdown cells."""
        return [cell for cell in self.cells if cell.cell_type == "markdown"]

    def least_minutes(self) -> int:
        """What it takes to read its words, look at its code and think about its predictions."""
        words = sum(count_words(cell.source) for cell in self.texts())
        code = len(self.cells) - len(self.texts())
        return max(1, int(words / 200 + code / 2 + self.predictions))


def slides_in(notebook: NotebookNode) -> Iterator[Slide]:
    """Go through the slides of a lesson, notes taken into account."""
    slide, deeper, sitting = Slide(), False, 0
    for cell in notebook.cells:
        kind = cell.metadata.get("slideshow", {}).get("slide_type")
        if kind in ("slide", "subslide"):
            if slide.cells:
                yield slide
            if kind == "slide" or DEEPER in tags_of(cell):
                deeper = DEEPER in tags_of(cell)
            sitting += SITTING in tags_of(cell)
            slide = Slide(deeper=deeper, sitting=sitting)
        if kind == "notes":
            found = _NOTE.search(cell.source)
            slide.minutes += int(found[1]) if found else 0
        elif kind != "skip":
            slide.cells.append(cell)
    if slide.cells:
        yield slide


def core_slides(notebook: NotebookNode) -> list[Slide]:
    """List the slides that everyone sees."""
    return [slide for slide in slides_in(notebook) if not slide.deeper]


def sittings(notebook: NotebookNode) -> list[int]:
    """Give the minutes of the core, one number for each sitting."""
    minutes: dict[int, int] = {}
    for slide in core_slides(notebook):
        minutes[slide.sitting] = minutes.get(slide.sitting, 0) + slide.minutes
    return list(minutes.values())


@dataclass(frozen=True)
class Card:
    """What stands above an exercise: its name, its minutes, whether it is extra, its sitting."""

    name: str
    minutes: int
    extra: bool
    sitting: int = 0


def cards(notebook: NotebookNode) -> list[Card]:
    """List the exercises of a notebook in their order."""
    found, sitting = [], 0
    for cell in notebook.cells:
        sitting += SITTING in tags_of(cell)
        if cell.cell_type == "markdown":
            found += [
                Card(card["name"], int(card["minutes"]), bool(card["extra"]), sitting)
                for card in _CARD.finditer(cell.source)
            ]
    return found


def core_minutes(notebook: NotebookNode) -> list[int]:
    """Give the minutes of the exercises that everyone does, one number for each sitting."""
    listed = cards(notebook)
    return [
        sum(card.minutes for card in listed if card.sitting == sitting and not card.extra)
        for sitting in sorted({card.sitting for card in listed})
    ]
