"""The first code cell of every notebook: says what is missing, and gets the course on Colab."""

import tomllib
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from .execute import NOT_RUN
from .files import ROOT

ID = "what-is-missing"

_SOURCE = """\
# Live: where something is missing, this says how to get it; on Colab it gets the course.
import os
from importlib.util import find_spec

COURSE = "transformer-tutor @ git+{repository}"
if "COLAB_RELEASE_TAG" in os.environ and not find_spec("tutor"):
    get_ipython().run_line_magic("pip", f'install -q "{{COURSE}}"')
try:
    from tutor.learner.here import look_around
except ImportError:
    class CourseIsMissing(Exception):
        def _render_traceback_(self):  # one line is enough
            return [str(self)]
    get = f'%pip install "{{COURSE}}"'
    raise CourseIsMissing(f"The course is missing. Run {{get}} and restart the kernel.") from None
look_around()"""


def repository() -> str:
    """Give the address of the repository that badges and first cells lead to."""
    project = tomllib.loads(Path(ROOT, "pyproject.toml").read_text("utf-8"))["project"]
    return str(project["urls"]["Repository"])


def first_source() -> str:
    """Give the code of the first cell."""
    return _SOURCE.format(repository=repository())


def write_first_cell(notebook: NotebookNode) -> None:
    """Put the cell before all other code, or bring it up to date where it stands."""
    codes = [number for number, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
    place = codes[0] if codes else len(notebook.cells)
    if not codes or notebook.cells[place].get("id") != ID:
        notebook.cells.insert(place, nbformat.v4.new_code_cell(id=ID))
    cell = notebook.cells[place]
    cell.source = first_source()
    cell.metadata = nbformat.from_dict({"slideshow": {"slide_type": "skip"}, "tags": [NOT_RUN]})
