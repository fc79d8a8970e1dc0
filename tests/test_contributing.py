"""The pictures of CONTRIBUTING, held to the code: files that are there, and who names whom."""

import ast
import re
from pathlib import Path

import pytest

import tutor

PACKAGE = Path(tutor.__file__).parent
PAGE = Path(__file__).parents[1] / "CONTRIBUTING.md"
PICTURES = re.findall(r"```mermaid\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
FILES = dict(re.findall(r'(\w+)\["(\S+\.py)"\]', "".join(PICTURES)))
ADDRESSES = re.findall(r"^\| .* \| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
ARROWS = re.findall(r'(\w+)(?:\["\S+"\])? -- "(?:\d )?(\w+)" --> (\w+)', "".join(PICTURES))


def names_in(file: str) -> set[str]:
    """Every name that a file uses."""
    nodes = list(ast.walk(ast.parse((PACKAGE / file).read_text(encoding="utf-8"))))
    plain = {node.id for node in nodes if isinstance(node, ast.Name)}
    return plain | {node.attr for node in nodes if isinstance(node, ast.Attribute)}


def defined_in(file: str) -> set[str]:
    """Every function and class that a file defines."""
    nodes = ast.walk(ast.parse((PACKAGE / file).read_text(encoding="utf-8")))
    return {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


@pytest.mark.parametrize(("caller", "name", "called"), ARROWS)
def test_an_arrow_of_the_pictures_is_a_call(caller: str, name: str, called: str):
    assert name in names_in(FILES[caller])
    assert name in defined_in(FILES[called])


def test_every_arrow_that_bears_a_name_was_read():
    solid = sum(picture.count('" -->') for picture in PICTURES)
    assert len(PICTURES) == 2
    assert len(ARROWS) == solid
    assert all((PACKAGE / file).is_file() for file in FILES.values())


def test_every_question_leads_to_a_file_that_is_there():
    named = [path for line in ADDRESSES for path in re.findall(r"`(\w+/[\w/.-]+)`", line)]
    assert len(named) >= 9
    assert [path for path in named if not (PAGE.parent / path).is_file()] == []
