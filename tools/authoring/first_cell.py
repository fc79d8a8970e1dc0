"""The first code cell of every notebook: says what is missing, and gets the course on Colab."""

import nbformat
from nbformat import NotebookNode

from .execute import NOT_RUN
from .published import repository
from .text import FOLDED

ID = "what-is-missing"

# It is folded, and a learner's eye should meet the lesson: three lines, whatever they hold.
_SOURCE = """\
# Live: says what is missing where you run it, and where your points are kept.
try: {get}from tutor.learner.here import look_around; look_around()
except ModuleNotFoundError: from IPython.core.error import UsageError; raise UsageError({missing!r})
"""
_GET_ON_COLAB = (
    'from importlib.util import find_spec; "google.colab" not in str(get_ipython()) '
    'or find_spec("tutor") or get_ipython().run_line_magic("pip", {line!r}); '
)
_IN_A_CLONE = (
    "The course is missing in this kernel: choose the kernel .venv of the course's folder, or "
    "run make lab there."
)
_PUBLISHED = (
    "The course is missing in this kernel. Run %pip install {course} and restart the kernel."
)


def first_source() -> str:
    """Give the code of the first cell."""
    if not repository():
        return _SOURCE.format(get="", missing=_IN_A_CLONE).strip()
    course = f'"transformer-tutor @ git+{repository()}"'
    get = _GET_ON_COLAB.format(line=f"install -q {course}")
    return _SOURCE.format(get=get, missing=_PUBLISHED.format(course=course)).strip()


def write_first_cell(notebook: NotebookNode) -> None:
    """Put the cell before all other code, or bring it up to date where it stands."""
    codes = [number for number, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
    place = codes[0] if codes else len(notebook.cells)
    if not codes or notebook.cells[place].get("id") != ID:
        notebook.cells.insert(place, nbformat.v4.new_code_cell(id=ID))
    cell = notebook.cells[place]
    cell.source = first_source()
    cell.metadata = nbformat.from_dict(
        {"jupyter": FOLDED, "slideshow": {"slide_type": "skip"}, "tags": [NOT_RUN]}
    )
