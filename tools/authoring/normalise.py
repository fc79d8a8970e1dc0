"""Make an executed notebook the same bytes each time: nothing stays that no author wrote."""

from typing import Any

from nbformat import NotebookNode, from_dict

from .ids import name_cells
from .pictures import hardly_differ
from .text import FOLDED, NOTEBOOK_METADATA, is_folded

_CELL_METADATA = ("nbgrader", "slideshow", "tags")
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def normalise(notebook: NotebookNode, former: NotebookNode | None = None) -> NotebookNode:
    """Give a copy with readable ids and without timestamps, widgets and the kernel's noise.

    Args:
        notebook: executed, or not yet.
        former: the version stored until now. Its pictures stay where the new ones hardly differ.
    """
    clean = NotebookNode(
        nbformat=4, nbformat_minor=5, metadata=from_dict(NOTEBOOK_METADATA), cells=[]
    )
    clean.cells = [_normal_cell(cell) for cell in notebook.cells if cell.source.strip()]
    name_cells(clean)
    _number_executed_cells(clean)
    if former is not None:
        _keep_pictures(clean, former)
    return clean


def _normal_cell(cell: NotebookNode) -> NotebookNode:
    kept = {key: cell.metadata[key] for key in _CELL_METADATA if cell.metadata.get(key)}
    if is_folded(cell):
        kept["jupyter"] = FOLDED
    normal = NotebookNode(
        cell_type=cell.cell_type,
        id=cell.get("id", ""),
        metadata=from_dict(kept),
        source="\n".join(line.rstrip() for line in cell.source.strip("\n").splitlines()),
    )
    if cell.cell_type == "code":
        normal.execution_count = cell.execution_count
        normal.outputs = normal_outputs(cell.outputs)
    return normal


def normal_outputs(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Join the pieces of each stream and take out what cannot be shown without a kernel."""
    streams: dict[str, NotebookNode] = {}
    normal = []
    for output in outputs:
        if output.output_type == "stream":
            if output.name in streams:
                streams[output.name].text += output.text
                continue
            streams[output.name] = output = from_dict(dict(output))
            normal.append(output)
        elif output.output_type in ("display_data", "execute_result"):
            normal.append(_normal_display(output))
        else:
            normal.append(from_dict(dict(output)))
    return [output for output in normal if output.get("data") != {}]


def _normal_display(output: NotebookNode) -> NotebookNode:
    data = {kind: content for kind, content in output.data.items() if kind != WIDGET_VIEW}
    if "image/png" in data:  # a kernel may send base64 with line ends
        data["image/png"] = "".join(data["image/png"].split())
    sizes = {kind: size for kind, size in output.metadata.items() if kind in data}
    display: dict[str, Any] = {"output_type": output.output_type, "data": data, "metadata": sizes}
    if output.output_type == "execute_result":
        display["execution_count"] = output.execution_count
    return from_dict(display)


def _number_executed_cells(notebook: NotebookNode) -> None:
    """Number the executed cells 1, 2, ... as a fresh kernel does."""
    number = 0
    for cell in notebook.cells:
        if cell.cell_type != "code" or cell.execution_count is None:
            continue
        number += 1
        cell.execution_count = number
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = number


def _keep_pictures(notebook: NotebookNode, former: NotebookNode) -> None:
    stored = {cell.get("id"): cell.get("outputs", []) for cell in former.cells}
    for cell in notebook.cells:
        outputs, old_outputs = cell.get("outputs", []), stored.get(cell.id, [])
        if len(outputs) == len(old_outputs):
            for output, old in zip(outputs, old_outputs):
                if same_but_for_pixels(output, old):
                    output.data["image/png"] = old.data["image/png"]


def same_but_for_pixels(output: NotebookNode, old: NotebookNode) -> bool:
    """Say whether two outputs are pictures that hardly differ, with the same text."""
    new_data, old_data = output.get("data", {}), old.get("data", {})
    if "image/png" not in new_data or "image/png" not in old_data:
        return False
    if new_data.get("text/plain") != old_data.get("text/plain"):
        return False
    return hardly_differ(new_data["image/png"], old_data["image/png"])
