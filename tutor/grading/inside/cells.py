"""The code cells of a notebook as honest hands leave it: other formats, line ends, cell types."""

import ast
import hashlib
import re
from dataclasses import dataclass
from typing import Any

from tutor.checking.definitions import UNREADABLE, defined
from tutor.grading.inside.reading import RefusedError, read_json

MOST_CELLS = 1000


@dataclass(frozen=True)
class Cell:
    """One code cell.

    Attributes:
        source: its text.
        grade_id: the exercise that its metadata names, or "".
        defines: the names that it gives a value.
    """

    source: str
    grade_id: str
    defines: tuple[str, ...]

    @property
    def digest(self) -> str:
        """A short digest of its text, the same for every class seed; "" for an empty cell."""
        text = _CLASS_SEED.sub("", "\n".join(line.rstrip() for line in self.source.splitlines()))
        digest = hashlib.sha256(text.strip().encode(errors="replace")).hexdigest()
        return digest[:10] if text.strip() else ""


_CLASS_SEED = re.compile(r""",\s*class_seed=(["'])(?:\\.|(?!\1).)*\1""")


@dataclass(frozen=True)
class Notebook:
    """The code cells of a notebook in order, and what was odd about the file."""

    cells: list[Cell]
    notes: list[str]


def read_notebook(content: bytes) -> Notebook:
    """Read the code cells from a file's bytes.

    Raises:
        RefusedError: it is no notebook.
    """
    notes: list[str] = []
    parsed = read_json(content, notes)
    cells = []
    for number, raw in enumerate(_raw_cells(parsed, notes), start=1):
        cell = _cell(raw, number, notes)
        if cell is not None:
            cells.append(cell)
        if len(cells) > MOST_CELLS:
            raise RefusedError(f"The notebook has more than {MOST_CELLS} code cells.")
    return Notebook(cells, notes)


def _raw_cells(parsed: dict[str, Any], notes: list[str]) -> list[Any]:
    cells = parsed.get("cells")
    if cells is None and isinstance(sheets := parsed.get("worksheets"), list):
        notes.append("The notebook has an old format (nbformat 3); it was read as that.")
        sheets = [sheet for sheet in sheets if isinstance(sheet, dict)]
        cells = [cell for sheet in sheets for cell in sheet.get("cells") or []]
    if not isinstance(cells, list):
        raise RefusedError("The file is JSON, but no notebook: it has no cells.")
    return cells


def _cell(raw: Any, number: int, notes: list[str]) -> Cell | None:
    if not isinstance(raw, dict):
        return None
    source = _source(raw.get("source", raw.get("input", "")))
    grade_id, is_answer = _graded(raw.get("metadata"))
    if raw.get("cell_type") != "code":
        code = _fenceless(source) if is_answer else source  # a fence in prose is an example
        if not _is_python(code):
            return None
        notes.append(f"Cell {number} holds code but is no code cell; it was read as code.")
        source = code
    return Cell(source, grade_id, _defined(source))


def _source(raw: Any) -> str:
    if isinstance(raw, list):
        raw = "".join(line for line in raw if isinstance(line, str))
    if not isinstance(raw, str):
        return ""
    return raw.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "").replace("\0", "")


def _graded(metadata: Any) -> tuple[str, bool]:
    """Read nbgrader's metadata: the exercise's name, and whether this is an answer cell."""
    graded = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    if not isinstance(graded, dict) or not isinstance(graded.get("grade_id"), str):
        return "", False
    is_answer = bool(graded.get("solution", not graded.get("grade")))
    return graded["grade_id"] if is_answer else "", is_answer


def _fenceless(source: str) -> str:
    """Take the code out of a Markdown fence, if there is one."""
    fenced = re.search(r"^```\w*\n(.*?)^```", source, flags=re.MULTILINE | re.DOTALL)
    return fenced.group(1) if fenced else source


def _is_python(source: str) -> bool:
    """Say whether a text is code that defines something; prose hardly ever is."""
    try:
        return any(
            isinstance(step, ast.FunctionDef | ast.Assign) for step in ast.parse(source).body
        )
    except UNREADABLE:
        return False


def _defined(source: str) -> tuple[str, ...]:
    """List the names that a cell defines, so many that the judge need not fear their number."""
    return tuple(name[:80] for name in defined(source)[:50])
