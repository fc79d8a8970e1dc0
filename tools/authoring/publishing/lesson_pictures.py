"""A small picture of each lesson, for its card: one that its notebook stores."""

import base64
import io

import numpy as np
from PIL import Image

from ..files import LESSONS, read_notebook

# The cell whose picture a lesson is known by.
CELLS = {
    "01_rnn_limits": "who-waits",
    "02_embeddings": "map-of-words",
    "03_positional_encoding": "counting-wheels",
    "04_self_attention": "meaning-moves",
    "05_multi_head_attention": "four-heads",
    "06_residual_and_layer_norm": "running-sum",
    "07_masking": "try-moved-diagonal",
    "08_full_transformer": "film",
    "09_output_softmax": "beam-tree",
}
SIZE = (520, 260)  # twice as many pixels as a card shows, for fine screens
_EDGE = 6


def lesson_pictures() -> dict[str, str]:
    """Return each lesson's picture, small, as a page's address of data has it."""
    return {name: base64.b64encode(_small(name)).decode() for name in CELLS}


def _small(name: str) -> bytes:
    """Cut a picture's white edges off and fit it into a card."""
    whole = Image.open(io.BytesIO(_stored(name))).convert("RGB")
    rows, columns = np.nonzero((np.asarray(whole) < 250).any(axis=-1))
    ink = whole.crop((columns.min(), rows.min(), columns.max() + 1, rows.max() + 1))
    ink.thumbnail((SIZE[0] - 2 * _EDGE, SIZE[1] - 2 * _EDGE), Image.Resampling.LANCZOS)
    card = Image.new("RGB", SIZE, "white")
    card.paste(ink, ((SIZE[0] - ink.width) // 2, (SIZE[1] - ink.height) // 2))
    file = io.BytesIO()
    card.save(file, "WEBP", lossless=True, method=6, quality=100)
    return file.getvalue()


def _stored(name: str) -> bytes:
    cells = {cell.id: cell for cell in read_notebook(LESSONS / f"{name}.ipynb").cells}
    outputs = cells[CELLS[name]].outputs
    (picture,) = [one.data["image/png"] for one in outputs if "image/png" in one.get("data", {})]
    return base64.b64decode(picture)
