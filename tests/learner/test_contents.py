"""Saved explorers, handed out with and without the kernel that keeps them alive."""

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import pytest
import traitlets
from nbformat.v4 import new_code_cell, new_notebook, new_output
from traitlets.config import Configurable

from tutor.learner.contents import CourseContents

VIEW = "application/vnd.jupyter.widget-view+json"
EXPLORER = {VIEW: {"model_id": "a"}, "image/png": "aGk=", "text/plain": "A bar."}


class Server(Configurable):
    """As much of a Jupyter server as knows which notebooks have a kernel."""

    session_manager = traitlets.Any()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    outputs = [new_output("display_data", data=data) for data in (EXPLORER, {VIEW: {}})]
    outputs.append(new_output("stream", text="printed"))
    cells = [new_code_cell("x", outputs=outputs)]
    nbformat.write(new_notebook(cells=cells), tmp_path / "lesson.ipynb")
    (tmp_path / "notes.txt").write_text("notes")
    return tmp_path


def get(folder: Path, path: str, *with_kernel: str, **options: Any) -> dict:
    async def list_sessions() -> list[dict]:
        return [{"path": name} for name in with_kernel]

    server = Server(session_manager=SimpleNamespace(list_sessions=list_sessions))
    contents = CourseContents(parent=server, root_dir=str(folder))
    return asyncio.run(contents.get(path, **options))


def kinds(model: dict) -> list[list[str]]:
    (cell,) = model["content"]["cells"]
    return [list(output.get("data", {})) for output in cell["outputs"]]


@pytest.mark.parametrize("others", [[], ["other/lesson.ipynb"]])
def test_without_its_kernel_the_picture_is_handed_out_alone(folder, others):
    before = (folder / "lesson.ipynb").read_bytes()
    model = get(folder, "lesson.ipynb", *others)
    assert kinds(model) == [["image/png", "text/plain"], [VIEW], []]
    assert (folder / "lesson.ipynb").read_bytes() == before


def test_with_its_kernel_the_view_stays(folder):
    model = get(folder, "lesson.ipynb", "/lesson.ipynb")
    assert kinds(model) == [list(EXPLORER), [VIEW], []]


def test_all_else_is_as_jupyter_has_it(folder):
    assert get(folder, "notes.txt")["content"] == "notes"
    assert get(folder, "lesson.ipynb", content=False)["content"] is None
    names = {model["name"] for model in get(folder, "", type="directory")["content"]}
    assert names == {"lesson.ipynb", "notes.txt"}
