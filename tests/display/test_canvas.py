"""The quick picture must be the whole picture, whatever moves and whatever lies over it."""

import io
import threading
from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from PIL import Image

from tutor.display.canvas import DRAWING, Canvas, smaller

RANDOM = np.random.default_rng(0)


def pixels(png: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB")).astype(int)


def quick_and_whole(canvas: Canvas) -> tuple[np.ndarray, np.ndarray]:
    quick = canvas.png()
    canvas.redraw()
    return pixels(quick), pixels(canvas.png())


def moving_image(ax: Axes) -> Callable[[int], None]:
    image = ax.imshow(RANDOM.random((8, 16)), aspect="auto")
    return lambda step: image.set_data(RANDOM.random((8, 16)))


def moving_image_under_a_grid(ax: Axes) -> Callable[[int], None]:
    ax.grid(visible=True, color="black")
    return moving_image(ax)


def moving_image_under_a_still_line(ax: Axes) -> Callable[[int], None]:
    ax.plot([0, 15], [0, 7], color="red", linewidth=6, alpha=0.5)
    return moving_image(ax)


def moving_bars(ax: Axes) -> Callable[[int], None]:
    bars = ax.bar([0, 1, 2], [0.2, 0.5, 1.0])
    ax.axhline(0.4, color="black")
    return lambda step: bars[step % 3].set_height(RANDOM.random())


def moving_line_with_legend(ax: Axes) -> Callable[[int], None]:
    (line,) = ax.plot([0, 1], [0, 1], label="before")
    legend = ax.legend(loc="center")

    def move(step: int) -> None:
        line.set_ydata([step / 5, 1 - step / 5])
        legend.get_texts()[0].set_text(f"step {step}")

    return move


def moving_title_and_axis_label(ax: Axes) -> Callable[[int], None]:
    ax.plot([0, 1], [0, 1])
    ax.set(title="step", xlabel="x")

    def move(step: int) -> None:
        ax.set_title(f"step {step}")
        ax.set_xlabel("x" * (step + 1))

    return move


def moving_colour_of_a_tick_label(ax: Axes) -> Callable[[int], None]:
    ax.plot([0, 1], [0, 1])
    ax.set_xticks([0, 1, 2, 3, 4], "abcde")
    return lambda step: ax.get_xticklabels()[step].set_color("red")


def moving_limits(ax: Axes) -> Callable[[int], None]:
    ax.plot([0, 1], [0, 1])
    return lambda step: ax.set_xlim(0, 1 + step)


def moving_annotation(ax: Axes) -> Callable[[int], None]:
    note = ax.annotate("here", xy=(0.1, 0.1), xytext=(0.8, 0.8), arrowprops={"arrowstyle": "->"})

    def move(step: int) -> None:
        note.xy = (0.1 * step, 0.2)

    return move


def coming_and_going(ax: Axes) -> Callable[[int], None]:
    marks = [ax.add_patch(Rectangle((0.2 * n, 0.2), 0.15, 0.5)) for n in range(5)]

    def move(step: int) -> None:
        for place, mark in enumerate(marks):
            mark.set_visible(place == step % 5)

    return move


def new_artists(ax: Axes) -> Callable[[int], None]:
    return lambda step: ax.plot([0, 1], [0, step])


def axes_turned_off(ax: Axes) -> Callable[[int], None]:
    ax.plot([0, 1], [0, 1])
    return lambda step: ax.axis("off" if step % 2 else "on")


def moving_background_colour(ax: Axes) -> Callable[[int], None]:
    ax.plot([0, 1], [0, 1])
    return lambda step: ax.set_facecolor((0.1 * step, 0.5, 0.5))


MOVES = [
    moving_image,
    moving_image_under_a_grid,
    moving_image_under_a_still_line,
    moving_bars,
    moving_line_with_legend,
    moving_title_and_axis_label,
    moving_colour_of_a_tick_label,
    moving_limits,
    moving_annotation,
    coming_and_going,
    new_artists,
    axes_turned_off,
    moving_background_colour,
]


@pytest.mark.parametrize("make", MOVES, ids=lambda make: make.__name__)
def test_quick_picture_is_the_whole_picture(make):
    canvas, reference = Canvas(3, 2), None
    move = make(canvas.figure.subplots())
    canvas.freeze_layout()
    canvas.png()
    for step in range(1, 5):
        move(step)
        quick = canvas.png()
        assert quick == canvas.png(), "drawing the same twice gives another picture"
        assert reference is None or quick != reference, "nothing moved: the test could not fail"
        reference = quick
    last, whole = quick_and_whole(canvas)
    np.testing.assert_array_equal(last, whole)


def test_what_moves_later_joins_what_moved_before():
    canvas = Canvas(4, 2)
    left, right = canvas.figure.subplots(1, 2)
    first, second = moving_bars(left), moving_image(right)
    canvas.freeze_layout()
    canvas.png()
    for move in (first, second, first, second):
        move(1)
        canvas.png()
    first(2)
    np.testing.assert_array_equal(*quick_and_whole(canvas))


def test_overlapping_axes_are_drawn_whole():
    canvas = Canvas(3, 2)
    ax = canvas.figure.subplots()
    move = moving_image(ax)
    ax.twinx().plot([0, 15], [0, 1], linewidth=8, color="black")
    canvas.freeze_layout()
    canvas.png()
    move(1)
    canvas.png()
    move(2)
    np.testing.assert_array_equal(*quick_and_whole(canvas))


def test_an_inset_hides_what_moves_below_it():
    canvas = Canvas(3, 2)
    move = moving_image(canvas.figure.subplots())
    canvas.figure.add_axes((0.4, 0.4, 0.3, 0.3)).plot([0, 1], [0, 1])
    canvas.freeze_layout()
    canvas.png()
    for step in range(2):
        move(step)
        quick = pixels(canvas.png())
    np.testing.assert_array_equal(quick, quick_and_whole(canvas)[1])


@pytest.mark.parametrize("what_moves", ["behind", "in front", "both"])
def test_a_rectangle_of_the_figure_behind_its_axes(what_moves):
    canvas = Canvas(3, 2)
    behind = Rectangle((0, 0), 1, 1, transform=canvas.figure.transFigure, zorder=-1, color="pink")
    canvas.figure.add_artist(behind)
    ax = canvas.figure.subplots()
    move = moving_bars(ax)
    ax.set_facecolor("none")
    canvas.freeze_layout()
    before = canvas.png()
    for step in range(1, 4):
        if what_moves != "in front":
            behind.set_width(step / 4)
        if what_moves != "behind":
            move(step)
        quick = canvas.png()
        assert quick != before
    np.testing.assert_array_equal(*quick_and_whole(canvas))


def test_axes_shown_in_turn_in_one_place():
    canvas = Canvas(3, 2)
    scenes = [canvas.figure.add_axes((0.2, 0.2, 0.6, 0.6)) for _ in range(2)]
    moves = [moving_bars(scenes[0]), moving_image(scenes[1])]
    canvas.freeze_layout()
    for step in range(4):
        for place, scene in enumerate(scenes):
            scene.set_visible(place == step % 2)
        moves[step % 2](step)
        quick = pixels(canvas.png())
    np.testing.assert_array_equal(quick, quick_and_whole(canvas)[1])


def test_the_figures_own_texts_lie_over_what_moves():
    canvas = Canvas(3, 2)
    move = moving_image(canvas.figure.subplots())
    canvas.figure.text(0.5, 0.5, "over it", color="white", fontsize=20)
    canvas.freeze_layout()
    canvas.png()
    move(1)
    canvas.png()
    move(2)
    np.testing.assert_array_equal(*quick_and_whole(canvas))


@pytest.mark.parametrize("height", [None, 0.9])
def test_a_title_is_drawn_again_only_where_something_moves_below_it(height):
    canvas = Canvas(3, 2)
    ax = canvas.figure.subplots()
    title = ax.set_title("over it", y=height)
    move = moving_image(ax)
    canvas.freeze_layout()
    for step in range(3):
        move(step)
        quick = pixels(canvas.png())
    assert (title in canvas._on_top) == (height is not None)
    np.testing.assert_array_equal(quick, quick_and_whole(canvas)[1])


def test_layout_stays_when_labels_grow():
    canvas = Canvas(3, 2)
    ax = canvas.figure.subplots()
    canvas.freeze_layout()
    before = ax.get_position().bounds
    ax.set_ylabel("a much\nlonger\nlabel")
    canvas.png()
    assert ax.get_position().bounds == before


def test_layout_arranges_itself_before_it_is_frozen():
    bounds = []
    for label in ("", "a\nlong\nlabel"):
        canvas = Canvas(3, 2)
        ax = canvas.figure.subplots()
        ax.set_ylabel(label)
        canvas.freeze_layout()
        bounds.append(ax.get_position().x0)
    assert bounds[1] > bounds[0] + 0.05


def test_axes_placed_by_hand_raise_no_warning(recwarn):
    canvas = Canvas(3, 2)
    canvas.figure.add_axes((0.1, 0.1, 0.8, 0.8))
    canvas.freeze_layout()
    canvas.png()
    assert not recwarn.list


def test_picture_has_the_size_asked_for_and_no_transparency():
    image = Image.open(io.BytesIO(Canvas(3.2, 1.6).png()))
    assert image.size == (640, 320)  # twice as sharp as a page at 100 pixels an inch
    assert image.mode == "RGB"


def test_small_file_keeps_the_colour_of_every_field():
    """In many colours, one for each of them would be another: pale grey turned pink."""
    canvas = Canvas(4, 2)
    axes = canvas.figure.subplots()
    axes.imshow(RANDOM.random((40, 40)), cmap="hsv")
    canvas.figure.patches.append(field := Rectangle((0, 0), 0.3, 1, facecolor="#f8f8f8"))
    field.set_transform(canvas.figure.transFigure)
    small = pixels(smaller(canvas.png()))
    assert small[200, 20].tolist() == [0xF8] * 3
    assert small[200, 780].tolist() == [0xFF] * 3


def test_small_file_shows_the_same_to_the_eye():
    canvas = Canvas(4, 2)
    moving_image(canvas.figure.subplots())
    quick = canvas.png()
    small = smaller(quick)
    assert np.abs(pixels(quick) - pixels(small)).max() <= 10  # of 255
    assert len(small) < len(quick)


def test_picture_is_what_was_drawn():
    canvas = Canvas(3, 2)
    moving_image(canvas.figure.subplots())
    drawn = pixels(canvas.png())
    np.testing.assert_array_equal(drawn, np.asarray(canvas._agg.buffer_rgba())[..., :3])


def test_drawing_waits_for_the_lock():
    canvas = Canvas(2, 1)
    drawn = threading.Event()

    def draw() -> None:
        canvas.png()
        drawn.set()

    with DRAWING:
        thread = threading.Thread(target=draw)
        thread.start()
        assert not drawn.wait(0.2)
    assert drawn.wait(60)
    thread.join()
