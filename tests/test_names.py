"""One name, one thing: no two classes of the package share a name; names in docstrings exist."""

import ast
import re
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name

import pytest

import tutor

PACKAGE = Path(tutor.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))

# The model on one page builds everything again, under the names that it has in the course.
SHARED = {
    name: {"tutor/paper_model.py"}
    for name in (
        *("MultiHeadAttention", "FeedForward", "LayerNorm", "EncoderLayer", "DecoderLayer"),
        *("Encoder", "Decoder"),
    )
}


def classes() -> dict[str, set[str]]:
    """The public classes of the package by name, with the files that define them."""
    found = defaultdict(set)
    for path in FILES:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].add(path.relative_to(PACKAGE.parent).as_posix())
    return found


def test_no_two_public_classes_share_a_name():
    found = classes()
    doubled = {name: files - SHARED.get(name, set()) for name, files in found.items()}
    doubled = {name: files for name, files in doubled.items() if len(files) > 1}
    assert doubled == {}
    assert all(len(found[name]) == 2 for name in SHARED)  # else it is a name of its own again


def dotted(path: Path) -> list[str]:
    """What docstrings of a file call `tutor.something`, as code."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef
    texts = [ast.get_docstring(node) or "" for node in nodes if isinstance(node, kinds)]
    return re.findall(r"`(tutor(?:\.\w+)+)", "\n".join(texts))


@pytest.mark.parametrize("path", [path for path in FILES if dotted(path)], ids=str)
def test_names_of_the_package_in_docstrings_exist(path: Path):
    for name in dotted(path):
        try:
            resolve_name(name)
        except AttributeError:
            import_module(name)  # a module that nobody has loaded yet


def test_the_guide_for_explorers_names_what_there_is():
    """Its names without a path are of the parts that pictures are made of."""
    guide = import_module("tutor.explorers").__doc__ or ""
    display = ("diagram", "palette", "matrix", "explorer", "plots", "maps")
    parts = [import_module(f"tutor.display.{name}") for name in display]
    named = set(re.findall(r"`([A-Z][A-Za-z_]+)(?:\.\w+)?`", guide)) - {"EXPLORERS"}
    assert {"QUERY", "Matrix", "Diagram"} <= named
    assert {name for name in named if not any(hasattr(part, name) for part in parts)} == set()
