"""Names that have changed since a learner copied a lesson, and mending the imports of old ones.

Only import lines are rewritten, and what they bind keeps the name it had: the cell's other lines
go on as they are. Cells in which an answer stands are never touched.
"""

import ast
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tutor.checking.definitions import UNREADABLE
from tutor.files import write_whole

# Old name -> new name: of a module, or of something in one. Whoever renames what a notebook may
# import adds a line.
RENAMED = {
    "tutor.canvas": "tutor.display.canvas",
    "tutor.controls": "tutor.display.controls",
    "tutor.data.batches.by_budget": "tutor.data.batches.by_max_tokens",
    "tutor.diagram": "tutor.display.diagram",
    "tutor.diagram.PLACES": "tutor.display.course_map.PLACES",
    "tutor.diagram.Place": "tutor.display.course_map.Place",
    "tutor.diagram.you_are_here": "tutor.display.course_map.you_are_here",
    "tutor.embedding.train_bpe": "tutor.subwords.train_bpe",
    "tutor.evaluate": "tutor.training.evaluate",
    "tutor.evaluate.Answer": "tutor.training.evaluate.Translation",
    "tutor.evaluate.answers": "tutor.training.evaluate.translate_pairs",
    "tutor.experiment": "tutor.training.experiment",
    "tutor.experiment.Outcome": "tutor.training.experiment.TrainingResult",
    "tutor.experiment.recipe_for": "tutor.training.experiment.config_for",
    "tutor.explorer": "tutor.display.explorer",
    "tutor.inline": "tutor.display.inline",
    "tutor.layers.BENDS": "tutor.layers.ACTIVATIONS",
    "tutor.notebook": "tutor",
    "tutor.plots": "tutor.display.plots",
    "tutor.plots.COLOURS": "tutor.display.palette.KINDS",
    "tutor.plots.FONTS": "tutor.display.style.FONTS",
    "tutor.plots.INK": "tutor.display.palette.INK",
    "tutor.plots.NEUTRAL": "tutor.display.palette.NEUTRAL",
    "tutor.plots.PALETTE": "tutor.display.palette.SERIES",
    "tutor.plots.colour_map": "tutor.display.palette.colour_map",
    "tutor.plots.show_maps": "tutor.display.maps.show_maps",
    "tutor.plots.vendored_fonts": "tutor.display.style.vendored_fonts",
    "tutor.pretrained": "tutor.training.pretrained",
    "tutor.recipe": "tutor.training.config",
    "tutor.recipe.Recipe": "tutor.training.config.TrainingConfig",
    "tutor.recipe.noam_rate": "tutor.schedule.noam_rate",
    "tutor.reports": "tutor.display.reports",
    "tutor.scoring": "tutor.language_model",
    "tutor.scoring.ModelScorer": "tutor.language_model.ModelStep",
    "tutor.scoring.Scorer": "tutor.language_model.StepFunction",
    "tutor.scoring.TableScorer": "tutor.language_model.TrigramStep",
    "tutor.scoring.Translator": "tutor.language_model.EncoderDecoder",
    "tutor.scoring.Writer": "tutor.language_model.LanguageModel",
    "tutor.seq2seq": "tutor.training.seq2seq",
    "tutor.tracing": "tutor.training.tracing",
    "tutor.train": "tutor.training.train",
}
COPY_SUFFIX = ".before-mending"


@dataclass(frozen=True)
class OldImport:
    """An import of an old name in a notebook.

    Attributes:
        cell: the index of its cell.
        start, end: where it stands in the cell's text.
        old: the statement.
        new: what to write instead; "" where that is for the learner to do.
    """

    cell: int
    start: int
    end: int
    old: str
    new: str


def old_imports(notebook: Mapping[str, Any]) -> Iterator[OldImport]:
    """Find the imports of old names in a notebook's code cells.

    Example:
        >>> cell = {"cell_type": "code", "source": "from tutor.plots import show_maps"}
        >>> [found.new for found in old_imports({"cells": [cell]})]
        ['from tutor.display.maps import show_maps']
    """
    for index, cell in enumerate(notebook.get("cells", [])):
        if cell.get("cell_type") != "code" or "tutor" not in (text := _text(cell)):
            continue
        for start, end, new in _rewritten(text):
            yield OldImport(index, start, end, text[start:end], "" if _is_answer(cell) else new)


def old_copies(workspace: Path) -> dict[Path, list[OldImport]]:
    """Find the notebooks of a workspace that import old names, with these imports."""
    paths = sorted(workspace.glob("*/*.ipynb")) + sorted(workspace.glob("*.ipynb"))
    found = {path: [*old_imports(read(path))] for path in paths}
    return {path: imports for path, imports in found.items() if imports}


def read(path: Path) -> dict[str, Any]:
    """Read a notebook; one that cannot be read counts as empty."""
    try:
        notebook = json.loads(path.read_bytes())
        return notebook if all(isinstance(cell, dict) for cell in notebook["cells"]) else {}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}


def mend(path: Path) -> Path:
    """Write a notebook's imports anew where their names are old, and keep a copy beside it.

    Returns:
        The copy.

    Raises:
        OSError: the notebook or the copy cannot be written; the notebook is then as it was.
    """
    copy = path.with_name(path.name + COPY_SUFFIX)
    write_whole(copy, path.read_bytes())
    notebook = read(path)
    for found in reversed([*old_imports(notebook)]):
        cell = notebook["cells"][found.cell]
        text = _text(cell)
        text = text[: found.start] + (found.new or found.old) + text[found.end :]
        cell["source"] = text if isinstance(cell["source"], str) else text.splitlines(keepends=True)
    write_whole(path, json.dumps(notebook, ensure_ascii=False, indent=1) + "\n")
    return copy


def _is_answer(cell: Mapping[str, Any]) -> bool:
    graded = (cell.get("metadata") or {}).get("nbgrader") or {}
    return bool(graded.get("solution"))


def _text(cell: Mapping[str, Any]) -> str:
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(map(str, source))


def _rewritten(text: str) -> Iterator[tuple[int, int, str]]:
    """Give where imports of old names begin and end in a cell's text, and what they become."""
    try:
        nodes = [*ast.walk(ast.parse(_without_magics(text)))]
    except UNREADABLE:
        return
    lines = text.splitlines(keepends=True)
    imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    for node in sorted(imports, key=lambda node: (node.lineno, node.col_offset)):
        if _is_old(node):
            start = _offset(lines, node.lineno, node.col_offset)
            end = _offset(lines, node.end_lineno or 0, node.end_col_offset or 0)
            before = lines[node.lineno - 1].encode()[: node.col_offset].decode()
            yield start, end, ("; " if before.strip() else f"\n{before}").join(_renewed(node))


def _without_magics(text: str) -> str:
    """Blank out IPython's lines, so that all others can be read and stand where they stood."""
    lines = text.splitlines(keepends=True)
    return "".join("\n" if line.lstrip()[:1] in ("%", "!") else line for line in lines)


def _offset(lines: list[str], line: int, column: int) -> int:
    """Turn a line and a column in bytes, as ``ast`` counts them, into a place in the text."""
    return len("".join(lines[: line - 1])) + len(lines[line - 1].encode()[:column].decode())


def _is_old(node: ast.Import | ast.ImportFrom) -> bool:
    if isinstance(node, ast.Import):
        return any(alias.name in RENAMED for alias in node.names)
    module = node.module or ""
    return module in RENAMED or any(f"{module}.{alias.name}" in RENAMED for alias in node.names)


def _renewed(node: ast.Import | ast.ImportFrom) -> list[str]:
    """Write an import with the new names; nothing where other lines would have to change too."""
    if isinstance(node, ast.Import):
        if any(alias.name in RENAMED and not alias.asname for alias in node.names):
            return []  # the old name is used in full wherever it is used
        new = [ast.alias(RENAMED.get(one.name, one.name), one.asname) for one in node.names]
        return [ast.unparse(ast.Import(new))]
    by_module: dict[str, list[ast.alias]] = {}
    for alias in node.names:
        module, name = _new_name(node.module or "", alias.name)
        bound = alias.asname or alias.name
        words = ast.alias(name, None if name == bound else bound)
        by_module.setdefault(module, []).append(words)
    return [ast.unparse(ast.ImportFrom(*new, level=0)) for new in by_module.items()]


def _new_name(module: str, name: str) -> tuple[str, str]:
    """Give the module that now has a name, and the name it has there."""
    full = RENAMED.get(f"{module}.{name}")
    if full is not None:
        return full.rpartition(".")[0], full.rpartition(".")[2]
    return RENAMED.get(module, module), name
