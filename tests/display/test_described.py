"""Figures that a reader draws have words, in a notebook and out of it."""

import seaborn
import torch
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.pylabtools import select_figure_formats
from matplotlib.figure import Figure

from tutor.display import described


def heat_map() -> Figure:
    figure = Figure()
    weights = torch.tensor([[0.75, 0.25], [0.5, 0.5]])
    words = ["the", "bank"]
    table = seaborn.heatmap(
        weights, annot=True, ax=figure.subplots(), xticklabels=words, yticklabels=words
    )
    table.set(xlabel="looked at", ylabel="who looks")
    return figure


def test_a_heat_map_is_read_row_by_row_without_its_scale():
    assert described.describe(heat_map()) == (
        "A figure of one's own. Across, looked at: the bank. Down, who looks: the bank. "
        "Written in it: 0.75 0.25 0.5 0.5"
    )


def test_a_notebook_shows_it_as_the_figures_text(monkeypatch):
    shell = InteractiveShell()
    for name in ("_repr_pretty_", "_repr_mimebundle_"):
        monkeypatch.setattr(Figure, name, None, raising=False)  # put back afterwards
    monkeypatch.setattr(described, "ipython", lambda: shell)
    data, _ = shell.display_formatter.format(Figure())
    assert data["text/plain"].startswith("<Figure")
    described.describe_figures()
    select_figure_formats(shell, ["png"])  # as pyplot does when a notebook loads it
    data, told = shell.display_formatter.format(heat_map())
    assert data["text/plain"].startswith("A figure of one's own. Across, looked at: the bank.")
    assert "image/png" in data
    assert told["image/png"]["alt"] == data["text/plain"]
