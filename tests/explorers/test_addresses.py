"""A picture lies in the file that is called like it, in the folder of its lesson."""

import re
import subprocess
import sys
from importlib import import_module
from inspect import isfunction
from pathlib import Path

import nbformat
import pytest

import tutor.explorers

EXPLORERS = Path(tutor.explorers.__file__).parent
NOTEBOOKS = EXPLORERS.parents[1] / "notebooks"
LESSONS = sorted(folder.name for folder in EXPLORERS.glob("lesson*"))

LOADED = """
import importlib, pkgutil, sys
import tutor.explorers as package
found = pkgutil.walk_packages(package.__path__, package.__name__ + ".")
names = sorted((module.name for module in found), reverse="backwards" in sys.argv)
for name in names:
    importlib.import_module(name)
for name in names:
    folder, _, last = name.rpartition(".")
    if last in getattr(sys.modules[folder], "__all__", []):
        assert getattr(sys.modules[folder], last) is getattr(sys.modules[name], last), name
print(len(names))
"""


def called(lesson: str) -> set[str]:
    """What a lesson's notebook calls of its pictures."""
    (path,) = NOTEBOOKS.glob(f"{lesson.removeprefix('lesson')}.ipynb")
    cells = nbformat.read(path, as_version=4).cells
    return set(re.findall(r"\bexplore\.(\w+)", "\n".join(cell.source for cell in cells)))


@pytest.mark.parametrize("lesson", LESSONS)
def test_what_a_notebook_calls_is_handed_on_and_nothing_else(lesson: str):
    module = import_module(f"tutor.explorers.{lesson}")
    assert set(module.__all__) == {"EXPLORERS", *called(lesson)}


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_picture_stands_in_the_file_of_its_name(lesson: str):
    module = import_module(f"tutor.explorers.{lesson}")
    for name in module.__all__:
        make = getattr(module, name)
        if isfunction(make) and re.search("Picture|Explorer", str(make.__annotations__["return"])):
            assert make.__module__ == f"tutor.explorers.{lesson}.{name}"


@pytest.mark.long
def test_a_module_never_takes_the_place_of_the_function_it_is_called_like():
    """Whoever loads the file `shelf.py` first must not find a module for `explore.shelf()`."""
    for order in ("forwards", "backwards"):
        done = subprocess.run(
            [sys.executable, "-c", LOADED, order], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert int(done.stdout) > 100
