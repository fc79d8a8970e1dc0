"""What a check leaves below its cell, run in a real kernel: for people, and for nbgrader."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from tutor.exercises import lessons
from tutor.learner.report import Points

pytestmark = pytest.mark.long  # a kernel loads PyTorch

SETUP = """
import torch
from tutor import check, hint, progress, question
def project_by_hand(x, W): return x @ W.T
def rnn_state(outputs, lengths):
    picked = outputs[torch.arange(len(outputs)), lengths - 1].clone()
    outputs.zero_()
    return picked
def right(outputs, lengths): return outputs[torch.arange(len(outputs)), lengths - 1]
"""
CHECK = "report = check({})\nreport.show()\nreport.points"
CELLS = [
    SETUP,
    CHECK.format("project_by_hand"),
    CHECK.format("rnn_state, name='last_real_state'"),
    CHECK.format("right, name='last_real_state'"),
    "report.points",
    "report.show(); report.points + 0",
    "check(project_by_hand).show();",
    "hint(project_by_hand); question('predict_score')",
    "progress()",
]


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> list[NotebookNode]:
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in CELLS])
    folder: Path = tmp_path_factory.mktemp("notebook")
    NotebookClient(notebook, resources={"metadata": {"path": str(folder)}}).execute()
    nbformat.validate(notebook)
    return notebook.cells


def shown(cell: NotebookNode) -> list[str]:
    """What a reader sees, output by output."""
    forms = [one.data.get("text/html", one.data["text/plain"]) for one in cell.outputs]
    return [form for form in forms if "hidden" not in form]


def test_a_check_shows_its_report_once_and_no_number(cells):
    for cell in cells[1:4]:
        (page,) = shown(cell)
        assert " points)</b>" in page
    assert [output.output_type for output in cells[1].outputs] == ["display_data", "execute_result"]
    assert cells[1].outputs[0].data["text/plain"].startswith("project_by_hand: not yet (0 of 1")


def test_nbgrader_reads_the_points(cells):
    from nbgrader.utils import determine_grade

    for cell, worth, points in zip(cells[1:5], (1, 1, 1, 1), (0, 0.5, 1, 1)):
        grading = {"grade": True, "solution": False, "points": worth}
        graded = NotebookNode(cell | {"metadata": NotebookNode(nbgrader=grading)})
        assert determine_grade(graded) == (points, worth)


def test_points_alone_show_the_report_they_belong_to(cells):
    (page,) = shown(cells[4])
    assert "last_real_state: right" in page


def test_a_sum_of_points_is_a_number(cells):
    assert cells[5].outputs[-1].data == {"text/plain": "1.0"}


def test_a_semicolon_hides_no_report(cells):
    (page,) = shown(cells[6])
    assert "project_by_hand: not yet" in page


def test_words_are_not_broken_in_the_middle(cells):
    """JupyterLab breaks lines of printed text anywhere, and paragraphs between words."""
    hint, question = shown(cells[7])
    assert "<p " in hint
    assert "<p " in question
    assert all(output.output_type == "display_data" for output in cells[7].outputs)


def test_progress_is_a_picture_with_a_text_beside_it(cells):
    (output,) = cells[8].outputs
    assert output.data["text/html"].count("role='img'") == sum(map(len, lessons().values()))
    assert "○ project_by_hand" in output.data["text/plain"]
    for form in output.data.values():
        assert "Next: notebooks/01_rnn_limits.ipynb, then exercises/01_rnn_limits.ipynb." in form


def test_points_are_numbers():
    assert Points(1.5) * 2 == 3
    assert [repr(Points(number)) for number in (0, 1.5, 2)] == ["0", "1.5", "2"]
    assert Points(2)._repr_html_() is None
