"""The code cells of a notebook as honest hands leave it: other formats, line ends, cell types."""

import ast
import hashlib
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from tutor.checking.definitions import defined, parsed, python_of
from tutor.grading.inside.magics import not_run
from tutor.grading.inside.reading import Note, RefusedError, read_json

MOST_CELLS = 1000
LONGEST_ANSWER = 4000  # characters of a cell that are shown beside the verdict
_MOST_SHOWN = 80_000  # of all cells


@dataclass(frozen=True)
class Cell:
    """One code cell.

    Attributes:
        source: its text.
        grade_id: the exercise that its metadata names, or "".
        defines: the names that it gives a value.
        checks: the exercises of which it checks an answer.
        magic: what keeps it from being run as the notebook's own, such as `skip` for `%%skip`, or
            ""; then `defines` are the names below it.
    """

    source: str
    grade_id: str
    defines: tuple[str, ...]
    checks: tuple[str, ...] = ()
    magic: str = ""

    @property
    def digest(self) -> str:
        """A short digest of its text, the same for every class seed; "" for an empty cell."""
        text = _CLASS_SEED.sub("", "\n".join(line.rstrip() for line in self.source.splitlines()))
        digest = hashlib.sha256(text.strip().encode(errors="replace")).hexdigest()
        return digest[:10] if text.strip() else ""


_CLASS_SEED = re.compile(r""",\s*class_seed=(["'])(?:\\.|(?!\1).)*\1""")


@dataclass(frozen=True)
class Notebook:
    """A notebook.

    Attributes:
        cells: its code cells, in order.
        notes: what was odd about the file.
        python: the version of Python that it was last run with, or "".
    """

    cells: list[Cell]
    notes: list[Note]
    python: str = ""


def read_notebook(content: bytes, exercises: Collection[str] = ()) -> Notebook:
    """Read the code cells from a file's bytes.

    Args:
        content: the file's.
        exercises: names of exercises; an answer to one is read out of prose, too.

    Raises:
        RefusedError: it is no notebook.
    """
    notes: list[Note] = []
    parsed = read_json(content, notes)
    cells = []
    for number, raw in enumerate(_raw_cells(parsed, notes), start=1):
        cell = _cell(raw, number, exercises, notes)
        if cell is not None:
            cells.append(cell)
        if len(cells) > MOST_CELLS:
            raise RefusedError("too-many-cells", most=MOST_CELLS)
    return Notebook(cells, notes, _python_of(parsed))


def shown_texts(cells: Iterable[Cell], exercises: Collection[str]) -> list[str]:
    """Give the text of each cell that may hold an answer to one of the exercises, else ""."""
    texts, left = [], _MOST_SHOWN
    for cell in cells:
        is_answer = not {cell.grade_id, *cell.defines}.isdisjoint(exercises)
        texts.append(cell.source[: min(left, LONGEST_ANSWER)] if is_answer else "")
        left -= len(texts[-1])
    return texts


def _python_of(parsed: dict[str, Any]) -> str:
    language = _part(_part(parsed, "metadata"), "language_info")
    version = language.get("version")
    return version[:20] if isinstance(version, str) else ""


def _part(parsed: Any, name: str) -> dict[str, Any]:
    part = parsed.get(name) if isinstance(parsed, dict) else None
    return part if isinstance(part, dict) else {}


def _raw_cells(parsed: dict[str, Any], notes: list[Note]) -> list[Any]:
    cells = parsed.get("cells")
    if cells is None and isinstance(sheets := parsed.get("worksheets"), list):
        notes.append(("format-3", {}))
        sheets = [sheet for sheet in sheets if isinstance(sheet, dict)]
        cells = [cell for sheet in sheets for cell in sheet.get("cells") or []]
    if not isinstance(cells, list):
        raise RefusedError("no-cells")
    return cells


def _cell(raw: Any, number: int, exercises: Collection[str], notes: list[Note]) -> Cell | None:
    if not isinstance(raw, dict):
        return None
    source = _source(raw.get("source", raw.get("input", "")))
    grade_id, is_answer = _graded(raw.get("metadata"))
    if raw.get("cell_type") != "code":
        code = _code_in(source, is_answer, exercises)
        if code is None:
            return None
        notes.append(("no-code-cell", {"number": str(number)}))
        source = code
    magic, body = not_run(source)
    names = _few(defined(body if magic else source))
    return Cell(source, grade_id, names, _few(_checked(source)), magic[:80])


def _source(raw: Any) -> str:
    if isinstance(raw, list):
        lines = [line for line in raw if isinstance(line, str)]
        raw = ("" if "\n" in "".join(lines) else "\n").join(lines)  # some tools drop line ends
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


def _code_in(source: str, is_answer: bool, exercises: Collection[str]) -> str | None:
    """Take the code out of a cell that is no code cell; None if it is prose.

    In prose a fence is an example, unless an exercise is answered in it.
    """
    if _is_python(source):
        return source
    for code in _FENCED.findall(source):
        if (is_answer and _is_python(code)) or not set(exercises).isdisjoint(defined(code)):
            return str(code)
    return None


_FENCED = re.compile(r"^(?:```|~~~)[ \w]*\n(.*?)^(?:```|~~~)", flags=re.MULTILINE | re.DOTALL)


def _is_python(source: str) -> bool:
    """Say whether a text is code that defines or imports something; prose hardly ever is."""
    tree = parsed(source)
    return tree is not None and any(isinstance(step, _GIVES_NAMES) for step in tree.body)


_GIVES_NAMES = ast.FunctionDef | ast.Assign | ast.Import | ast.ImportFrom


def _checked(source: str) -> list[str]:
    """List what a cell hands to `check`: names of functions, and of exercises."""
    if "check(" not in source:
        return []
    tree = parsed(python_of(source))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)] if tree else []
    words = [
        word
        for call in calls
        if getattr(call.func, "id", getattr(call.func, "attr", "")) == "check"
        for word in [*call.args, *(named.value for named in call.keywords)]
    ]
    return [str(getattr(word, "id", getattr(word, "value", ""))) for word in words]


def _few(names: Iterable[str]) -> tuple[str, ...]:
    """Keep so many names that the judge need not fear their number."""
    return tuple(name[:80] for name in list(names)[:50])
