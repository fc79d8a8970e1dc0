"""The figure that opens every lesson."""

import base64
import io
from functools import cache

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from PIL import Image

from tutor.display import course_map
from tutor.display.course_map import PLACES, you_are_here
from tutor.display.diagram import Diagram
from tutor.display.palette import HIGHLIGHT
from tutor.display.plots import Picture

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


def test_every_lesson_has_its_place():
    assert tuple(PLACES) == LESSONS


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_lights_something_and_leaves_most_dark(lesson):
    assert 800 < lit(lesson).sum() < 0.1 * lit(lesson).size


def test_each_lesson_lights_another_part():
    pictures = {lit(lesson).tobytes() for lesson in LESSONS}
    assert len(pictures) == len(LESSONS)


def test_lesson_4_lights_the_inside_of_an_attention_and_nothing_of_the_stacks():
    columns = lit("04_self_attention").any(axis=0)
    assert columns[1150:].any()
    assert not columns[:1150].any()


def test_values_reach_the_average_beside_softmax():
    """The paper's figure 2: Q and K lead to softmax, V does not."""
    d = Diagram(Figure(figsize=(8.0, 4.4)))
    course_map.draw_head(d, ())
    arrows = {(part.start.words, part.end.words): part for part in d.sheet.parts if part.is_link}
    into_softmax, reached = {"softmax"}, set()
    while into_softmax != reached:
        reached = into_softmax
        into_softmax = reached | {start for start, end in arrows if end in reached}
    assert into_softmax == {"softmax", "mask", "÷ √d_k", "scores Q Kᵀ", "Q and K"}
    assert ("V", "weights · V") in arrows
    assert ("softmax", "weights · V") in arrows


@pytest.mark.parametrize("lesson", LESSONS)
def test_nothing_is_cut_off_at_the_edges(lesson):
    image = pixels(lesson)
    edges = np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]])
    assert (edges == 255).all()


def test_the_text_says_what_is_lit_in_words():
    data, _ = picture("09_output_softmax")._repr_mimebundle_()
    assert "Lit: the linear layer at the end, the softmax at the end." in data["text/plain"]
    assert "Lesson 9" in data["text/plain"]
    assert "the average of the values" in picture("04_self_attention").alt
    assert "the average of the values" not in picture("09_output_softmax").alt


@pytest.mark.parametrize("lesson", LESSONS)
def test_notebooks_can_store_it(lesson):
    data, _ = picture(lesson)._repr_mimebundle_()
    assert len(base64.b64decode(data["image/png"])) < 60_000


def test_an_unknown_lesson_is_named_in_the_error():
    with pytest.raises(ValueError, match=r"10_more.*04_self_attention"):
        you_are_here("10_more")
