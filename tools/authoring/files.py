"""Where the notebooks are, and how one is read and written."""

from pathlib import Path

import nbformat
from nbformat import NotebookNode

from tutor.files import write_whole

ROOT = Path(__file__).resolve().parents[2]
LESSONS = ROOT / "notebooks"
SOLUTIONS = ROOT / "solutions"
EXERCISES = ROOT / "exercises"


def shown(path: Path) -> str:
    """Give a path as it is printed: from the root of the course where it lies there."""
    path = path.resolve()
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


def read_notebook(path: Path) -> NotebookNode:
    """Read a notebook.

    Raises:
        ValueError: the file is no notebook of nbformat 4.
    """
    try:
        notebook = nbformat.read(path, as_version=nbformat.NO_CONVERT)
    except Exception as problem:  # nbformat lets through what JSON and its own schemas raise
        raise ValueError(f"{path} cannot be read as a notebook: {problem}") from problem
    if notebook.nbformat != 4:
        raise ValueError(f"{path} has notebook format {notebook.nbformat}; expected 4")
    return notebook


def notebook_text(notebook: NotebookNode) -> str:
    """Give a notebook's file content: keys sorted, texts as lists of lines, as Jupyter does."""
    return str(nbformat.writes(notebook, version=nbformat.NO_CONVERT)) + "\n"


def write_notebook(notebook: NotebookNode, path: Path) -> bool:
    """Write a notebook unless the file already says the same; say whether it was written.

    The file is replaced in one step: stopped at any moment, it is the old one or the new one.
    """
    return write_whole(path, notebook_text(notebook))


def notebooks_in(*folders: Path) -> list[Path]:
    """List the notebooks of some folders in the order of the lessons."""
    return [path for folder in folders for path in sorted(folder.glob("[0-9][0-9]_*.ipynb"))]
