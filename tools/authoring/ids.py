"""Readable cell ids that stay the same for as long as the cell lives."""

import re
import unicodedata
from collections.abc import Iterable

from nbformat import NotebookNode

# What JupyterLab (a UUID) and nbformat (eight hex digits) give a new cell.
_MACHINE_MADE = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{8}")
_LONGEST = 48  # nbformat allows 64; this leaves room for a suffix and a number


def is_readable(cell_id: str | None) -> bool:
    """Say whether an id was chosen rather than drawn at random."""
    return bool(cell_id) and _MACHINE_MADE.fullmatch(str(cell_id)) is None


def slug(text: str) -> str:
    """Turn a heading into an id: `Why divide by √d_k?` becomes `why-divide-by-d_k`."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9_]+", plain.lower())
    joined = ""
    for word in words:
        if len(joined) + len(word) + 1 > _LONGEST:
            break
        joined = f"{joined}-{word}" if joined else word
    return joined or "cell"


def heading_of(cell: NotebookNode) -> str | None:
    """Find a Markdown cell's first heading, or None."""
    if cell.cell_type != "markdown":
        return None
    found = re.search(r"^#{1,6}\s+(.+?)\s*#*$", cell.source, flags=re.MULTILINE)
    return found.group(1) if found else None


def graded_name(cell: NotebookNode) -> str | None:
    """Give the nbgrader id of an answer or check cell, or None."""
    grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
    return None if grade_id is None else str(grade_id)


def _wishes(cells: Iterable[NotebookNode]) -> list[str]:
    """Name each cell after its exercise, its heading, or the heading it stands under."""
    wishes = []
    section = "start"
    for cell in cells:
        heading = heading_of(cell)
        if heading:
            section = slug(heading)
        kind = "code" if cell.cell_type == "code" else "text"
        wishes.append(graded_name(cell) or (section if heading else f"{section}-{kind}"))
    return wishes


def name_cells(notebook: NotebookNode) -> None:
    """Give every cell a unique readable id; an id that was readable and unique stays.

    Of two cells with one id (a copied cell) the first keeps it.
    """
    taken: set[str] = set()
    unnamed = []
    for cell, wish in zip(notebook.cells, _wishes(notebook.cells)):
        current = cell.get("id")
        if is_readable(current) and current not in taken:
            taken.add(current)
        else:
            unnamed.append((cell, wish))
    for cell, wish in unnamed:
        cell["id"] = _first_free(wish, taken)
        taken.add(cell["id"])


def _first_free(wish: str, taken: set[str]) -> str:
    number = 1
    candidate = wish
    while candidate in taken:
        number += 1
        candidate = f"{wish}-{number}"
    return candidate
