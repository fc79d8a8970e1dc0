"""Example texts and made-up outputs for the tests of the notebook tool."""

import base64
import io

import numpy as np
from nbformat import NotebookNode
from nbformat.v4 import new_output
from PIL import Image

from tools.authoring.files import ROOT

EXAMPLES = ROOT / "tests" / "notebooks" / "data"
LESSON = (EXAMPLES / "example_lesson.txt").read_text("utf-8")
EXERCISE = (EXAMPLES / "example_exercise.txt").read_text("utf-8")


def cell_of(notebook: NotebookNode, cell_id: str) -> NotebookNode:
    return next(cell for cell in notebook.cells if cell.id == cell_id)


def picture(shade: int = 255, *, spot: int = 0) -> str:
    """A picture of 200 × 100 pixels, one shade of grey with `spot` black pixels."""
    pixels = np.full((100, 200), shade, dtype=np.uint8)
    pixels.reshape(-1)[:spot] = 0
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()


def shows(stored: str, text: str = "A grey field.") -> NotebookNode:
    data = {"image/png": stored, "text/plain": text}
    return new_output("display_data", data=data)
