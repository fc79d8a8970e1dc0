"""The figure that opens every lesson."""

import base64
import io
from functools import cache

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from PIL import Image

from tutor.display.diagram import PLACES, you_are_here
from tutor.display.plots import HIGHLIGHT, Picture

LESSONS = (
    "01_rnn_limits",
    "02_embeddings",
    "03_positional_encoding",
    "04_self_attention",
    "05_multi_head_attention",
    "06_residual_and_layer_norm",
    "07_masking",
    "08_full_transformer",
    "09_output_softmax",
)


@cache
def picture(lesson: str) -> Picture:
    return you_are_here(lesson)


def pixels(lesson: str) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(picture(lesson).png)).convert("RGB"), dtype=int)


def lit(lesson: str) -> np.ndarray:
    """Say for each pixel whether it has the colour of a lit frame."""
    colour = np.array([round(255 * part) for part in to_rgb(HIGHLIGHT)])
    return (abs(pixels(lesson) - colour) < 12).all(axis=-1)


def test_every_lesson_has_its_place() -> None:
    assert tuple(PLACES) == LESSONS


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_lights_something_and_leaves_most_dark(lesson: str) -> None:
    assert 200 < lit(lesson).sum() < 0.1 * lit(lesson).size


def test_each_lesson_lights_another_part() -> None:
    pictures = {lit(lesson).tobytes() for lesson in LESSONS}
    assert len(pictures) == len(LESSONS)


def test_lesson_4_lights_the_inside_of_an_attention_and_nothing_of_the_stacks() -> None:
    columns = lit("04_self_attention").any(axis=0)
    assert columns[610:].any()
    assert not columns[:610].any()


@pytest.mark.parametrize("lesson", LESSONS)
def test_nothing_is_cut_off_at_the_edges(lesson: str) -> None:
    image = pixels(lesson)
    edges = np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]])
    assert (edges == 255).all()


def test_the_text_says_what_is_lit() -> None:
    data, _ = picture("09_output_softmax")._repr_mimebundle_()
    assert "Lit: linear, output softmax." in data["text/plain"]
    assert "Lesson 9" in data["text/plain"]
    assert "Lit: embedding." not in data["text/plain"]


def test_notebooks_can_store_it() -> None:
    data, _ = picture("06_residual_and_layer_norm")._repr_mimebundle_()
    assert len(base64.b64decode(data["image/png"])) < 60_000


def test_an_unknown_lesson_is_named_in_the_error() -> None:
    with pytest.raises(ValueError, match=r"10_more.*04_self_attention"):
        you_are_here("10_more")
