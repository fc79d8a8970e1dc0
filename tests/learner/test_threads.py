"""With how many threads torch computes: in a real kernel one, unless its user chose otherwise."""

import os
import subprocess
import sys

import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from tools.authoring.files import ROOT

pytestmark = pytest.mark.long  # each starts kernels that load PyTorch

SHOW = "import torch; print(torch.get_num_threads())"
CHOSEN_BY_VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS")


@pytest.fixture
def environment() -> dict[str, str]:
    """The environment of these tests, without the one thread they have chosen."""
    mine = {name: value for name, value in os.environ.items() if name not in CHOSEN_BY_VARIABLES}
    return mine | {"PYTHONPATH": str(ROOT)}


def printed(cells: list[str], environment: dict[str, str]) -> list[int]:
    """Run cells in a plain kernel, and give the numbers they print."""
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, kernel_name="python3", timeout=120).execute(env=environment)
    return [int(output.text) for cell in notebook.cells for output in cell.outputs]


@pytest.mark.parametrize(
    ("cells", "threads"),
    [
        (["import tutor", SHOW, "torch.set_num_threads(3)\nimport tutor.attention", SHOW], [1, 3]),
        (["import torch", "from tutor.attention import scaled_dot_product_attention", SHOW], [1]),
        (["import torch\ntorch.set_num_threads(3)", "from tutor import check", SHOW], [3]),
        (["from importlib.util import find_spec\nimport tutor\n_ = find_spec('torch')", SHOW], [1]),
    ],
    ids=["tutor first", "torch first", "chosen before", "looked for before"],
)
def test_a_kernel_computes_with_one_thread_or_those_chosen(
    cells: list[str], threads: list[int], environment: dict[str, str]
) -> None:
    assert printed(cells, environment) == threads


@pytest.mark.parametrize(("before", "is_on"), [("", 1), ("import gc; gc.disable()", 0)])
def test_torch_is_left_out_of_the_search_for_garbage(
    before: str, is_on: int, environment: dict[str, str]
) -> None:
    frozen, on = "print(int(gc.get_freeze_count() > 100_000))", "print(int(gc.isenabled()))"
    cells = [before, "import gc, tutor, torch", frozen, on]
    assert printed(cells, environment) == [1, is_on]


def test_a_variable_of_the_user_wins(environment: dict[str, str]) -> None:
    chosen = environment | {"OMP_NUM_THREADS": "2"}
    assert printed(["import tutor", SHOW], chosen) == [int(run(SHOW, chosen))]


def test_a_program_keeps_its_threads(environment: dict[str, str]) -> None:
    with_the_course = run(f"import ipykernel, tutor, tutor.attention; {SHOW}", environment)
    assert with_the_course == run(SHOW, environment)


def run(program: str, environment: dict[str, str]) -> str:
    """Run a program and give what it prints."""
    command = [sys.executable, "-c", program]
    return subprocess.run(
        command, env=environment, check=True, capture_output=True, text=True
    ).stdout
