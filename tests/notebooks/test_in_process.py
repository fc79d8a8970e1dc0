"""The quick run of lessons can fail: a changed number and an error are seen."""

from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from tests.notebooks.in_process import stale_cells

SHOWN = {"text/plain": "0.375"}


def notebook(printed: str = "0.25\n", source: str = "print(1 / 4)\n3 / 8"):
    outputs = [
        new_output("stream", text=printed),
        new_output("execute_result", data=SHOWN, execution_count=1),
    ]
    return new_notebook(cells=[new_code_cell(source, outputs=outputs, id="quarter")])


@pytest.mark.parametrize(
    ("changed", "seen"),
    [
        ({}, ""),
        ({"printed": "0.26\n"}, "('0.25\\n', ['0.375'])"),
        ({"source": "print(1 / 4)\n3 / 7"}, "0.428"),
        ({"source": "1 / 0"}, "ZeroDivisionError"),
    ],
)
def test_what_is_stale_is_seen(changed: dict[str, str], seen: str, tmp_path: Path):
    nbformat.write(notebook(**changed), tmp_path / "made.ipynb")
    stale = stale_cells(tmp_path / "made.ipynb")
    assert len(stale) == bool(seen)
    assert all("cell quarter" in one and seen in one for one in stale)


def test_a_figure_of_ones_own_is_read_out_as_in_a_kernel(tmp_path: Path):
    source = "from matplotlib import pyplot\npyplot.subplots()[1].set(title={!r}, xticks=[]);"
    text = "A figure of one's own. Weights. Down, y: 0.0 0.2 0.4 0.6 0.8 1.0."
    stored = [new_output("display_data", data={"text/plain": text})]
    for title, stale in (("Weights", 0), ("Scores", 1)):
        cell = new_code_cell(source.format(title), outputs=stored, id="own")
        nbformat.write(new_notebook(cells=[cell]), tmp_path / "made.ipynb")
        assert len(stale_cells(tmp_path / "made.ipynb")) == stale
