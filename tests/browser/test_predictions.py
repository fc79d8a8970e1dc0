"""A prediction in JupyterLab: made with mouse and keyboard, shown below the result, kept."""

import json

import pytest

from tests.browser.conftest import write_notebook

pytestmark = pytest.mark.long

ASK = 'from tutor import predict\npredict("browser-choice", ["less", "the same", "more"])'
ASK_NUMBER = 'predict("browser-number", float)'


def printed(notebook, place: int) -> str:
    texts = [output.get("data", {}).get("text/plain", "") for output in notebook.outputs(place)]
    return "".join(texts).strip()


def test_a_prediction_is_made_shown_and_kept(lab, folder):
    write_notebook(folder / "predict.ipynb", ASK, "1 + 1", ASK_NUMBER, "2 + 2")
    with lab.notebook("predict.ipynb") as notebook:
        for place in range(4):
            notebook.run_cell(place)
        assert printed(notebook, 1) == "2"  # skipped, nothing is said
        notebook.page.get_by_label("the same").check()
        number = notebook.page.get_by_label("Your prediction").last
        number.fill("5")
        number.press("Enter")
        notebook.run_cell(1)
        assert printed(notebook, 1) == "2You predicted: the same"
        notebook.run_cell(3)
        assert printed(notebook, 3) == "4You predicted: 5"
    kept = json.loads((folder / "predictions.json").read_text())
    assert (kept["browser-choice"], kept["browser-number"]) == ("choice-2-of-3", "5")
    with lab.notebook("predict.ipynb") as notebook:  # the next day
        notebook.run_cell(0)
        assert notebook.page.get_by_label("the same").is_checked()
    assert lab.complaints == []
