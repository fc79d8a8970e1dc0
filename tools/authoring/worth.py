"""What exercises are worth, written into their notebook from where it stands: the `Exercise`.

Points stand in a notebook three times: nbgrader's in the check cells, on the exercise's card, and
in the table at the top. Minutes, difficulty and order are the notebook's own: the table takes them
from the cards.
"""

import re
from collections.abc import Mapping

from nbformat import NotebookNode

from .exercises import is_check

HEAD = "| | exercise | points | difficulty | minutes |\n|---|---|---|---|---|\n"
_CARD = re.compile(
    r"^`(?P<name>\w+)`(?: · \d+ points?)? · (?P<difficulty>[●○]+) · (?P<minutes>\d+) minutes"
    r"(?P<extra> · extra)?$",
    re.MULTILINE,
)
_ROWS = re.compile(re.escape(HEAD) + r"(\|.*\|(\n\|.*\|)*)?")


def write_worth(notebook: NotebookNode, points: Mapping[str, int]) -> None:
    """Bring a solution notebook's points up to date.

    Args:
        notebook: is changed.
        points: what each exercise of the lesson is worth.
    """
    texts = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
    for cell in notebook.cells:
        if is_check(cell):
            graded = cell.metadata.nbgrader
            graded.points = points.get(graded.grade_id.removeprefix("check-"), graded.points)
    for cell in texts:
        cell.source = _CARD.sub(lambda card: _card(card, points), cell.source)
    cards = [card for cell in texts for card in _CARD.finditer(cell.source)]
    rows = "\n".join(_row(number, card, points) for number, card in enumerate(cards, start=1))
    for cell in texts:
        cell.source = _ROWS.sub(HEAD + rows, cell.source)


def _card(card: re.Match[str], points: Mapping[str, int]) -> str:
    worth = points.get(card["name"], 0)
    words = "1 point" if worth == 1 else f"{worth} points"
    extra = card["extra"] or ""
    return f"`{card['name']}` · {words} · {card['difficulty']} · {card['minutes']} minutes{extra}"


def _row(number: int, card: re.Match[str], points: Mapping[str, int]) -> str:
    minutes = card["minutes"] + (" extra" if card["extra"] else "")
    worth = points.get(card["name"], 0)
    return f"| {number} | `{card['name']}` | {worth} | {card['difficulty']} | {minutes} |"
