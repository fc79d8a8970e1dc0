"""Copies of lessons that import names which have changed since."""

import json
from importlib import import_module
from pathlib import Path

import pytest

from tutor.learner.renames import COPY_SUFFIX, RENAMED, mend, old_copies, old_imports

# What notebooks could import in the first edition: a module and a name in each line. Something
# that is taken out for good leaves this list; what is renamed goes into RENAMED.
NAMES = Path(__file__).with_name("data") / "first_edition_names.txt"


def cell(source: str | list[str], **nbgrader: bool) -> dict:
    metadata = {"nbgrader": nbgrader} if nbgrader else {}
    return {"cell_type": "code", "source": source, "metadata": metadata, "id": "a"}


def renewed(source: str) -> list[str]:
    return [found.new for found in old_imports({"cells": [cell(source)]})]


def test_every_import_of_the_first_edition_runs_once_mended():
    for line in NAMES.read_text().splitlines():
        module, name = line.split()
        old = f"from {module} import {name}"
        bound: dict[str, object] = {}
        exec((renewed(old) or [old])[0], bound)
        assert name in bound, line


def is_there(full: str) -> bool:
    """Whether something of this name can be imported, a module or what is in one."""
    module, _, name = full.rpartition(".")
    try:
        return not module or hasattr(import_module(module), name) or bool(import_module(full))
    except ImportError:
        return False


@pytest.mark.parametrize(("old", "new"), RENAMED.items())
def test_the_new_name_is_there_and_the_old_one_is_not(old: str, new: str):
    assert is_there(new)
    assert not is_there(old)


@pytest.mark.parametrize(
    ("source", "new"),
    [
        ("import math\nfrom tutor.attention import causal", []),
        ("from tutor import check", []),
        ("# from tutor.plots import a\nx = 'from tutor.plots import a'", []),
        (
            "from tutor import plots, check",
            ["from tutor.display import plots\nfrom tutor import check"],
        ),
        ("from tutor import plots as p", ["from tutor.display import plots as p"]),
        ("import tutor.plots as p, math", ["import tutor.display.plots as p, math"]),
        (
            "from tutor.recipe import Recipe as R",
            ["from tutor.training.config import TrainingConfig as R"],
        ),
        (
            "from tutor.recipe import (\n    Recipe,  # ours\n    noam_rate,\n)",
            [
                "from tutor.training.config import TrainingConfig as Recipe\n"
                "from tutor.schedule import noam_rate"
            ],
        ),
        ("%time x = 3\nfrom tutor.plots import a", ["from tutor.display.plots import a"]),
        (
            "x = 1; from tutor.recipe import Recipe, noam_rate; y = 2",
            [
                "from tutor.training.config import TrainingConfig as Recipe; "
                "from tutor.schedule import noam_rate"
            ],
        ),
        ("import tutor.plots\ntutor.plots.show_maps()", [""]),
        ("from tutor.plots import (", []),
    ],
)
def test_what_becomes_of_a_line(source: str, new: list[str]):
    assert renewed(source) == new


def test_mending_touches_these_lines_only_and_keeps_a_copy(tmp_path: Path):
    path = tmp_path / "exercises" / "08.ipynb"
    path.parent.mkdir()
    answer = "from tutor.plots import show_maps\ndef f(x):\n    return x"
    cells = [
        cell("if True:\n    from tutor.recipe import Recipe, noam_rate\n'한국어'; x = 1"),
        cell(["from tutor.plots import a\n", "a(3)\n"]),
        cell(answer, solution=True),
        {"cell_type": "markdown", "source": "from tutor.plots import a", "metadata": {}},
        cell("import tutor.plots"),
    ]
    notebook = {"cells": cells, "metadata": {"mine": 1}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(notebook), encoding="utf-8")
    (found,) = old_copies(tmp_path).values()
    assert [(one.cell, bool(one.new)) for one in found] == [
        *((0, True), (1, True)),
        *((2, False), (4, False)),  # an answer, and a name that other lines use in full
    ]
    copy = mend(path)
    assert json.loads(copy.read_text(encoding="utf-8")) == notebook
    assert copy.name == f"08.ipynb{COPY_SUFFIX}"
    mended = json.loads(path.read_text(encoding="utf-8"))
    assert mended["cells"][0]["source"] == (
        "if True:\n    from tutor.training.config import TrainingConfig as Recipe\n"
        "    from tutor.schedule import noam_rate\n'한국어'; x = 1"
    )
    assert mended["cells"][1]["source"] == ["from tutor.display.plots import a\n", "a(3)\n"]
    assert [*mended["cells"][2:], mended["metadata"]] == [*cells[2:], {"mine": 1}]


ODD = ["", "{", "[]", '{"cells": 3}', '{"cells": [3, {}, null]}', "3"]


@pytest.mark.parametrize("content", ODD)
def test_what_is_no_notebook_has_no_old_imports(content: str, tmp_path: Path):
    (tmp_path / "exercises").mkdir()
    (tmp_path / "exercises" / "a.ipynb").write_text(content)
    assert old_copies(tmp_path) == {}
