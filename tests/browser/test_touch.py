"""A picture in real JupyterLab that is touched, painted by its own widget, and read by hovering."""

import pytest
from playwright.sync_api import Locator

from tests.browser.conftest import write_notebook

pytestmark = pytest.mark.long

SHOW = """\
from tutor import live
from tutor.display.diagram import Diagram
from tutor.display.regions import touch, touch_cells

WORDS = ["the", "bank", "river"]

def draw(fig, **_start):
    d = Diagram(fig)
    tiles = d.tokens(WORDS, at=(6, 1))
    for place, tile in enumerate(tiles):
        touch(tile, word=place)
    numbers = [[0.0, 0.1, 0.2], [0.3, 0.4, 0.5]]
    matrix = d.matrix(numbers, at=(6, 4), rows=["a", "b"], name="scores")
    touch_cells(matrix, rows=("row", [1, 2]), columns=("word", [0, 1, 2]))

    def update(word, row):
        for place, tile in enumerate(tiles):
            tile.light(place == word)
        matrix.mark(row - 1, word)
        return f"{WORDS[word]} {row}"

    return update

live(draw, alt="Words and numbers.", size=(6, 3), word=(0, 2, 1, 0), row=(1, 2, 1, 1))"""


@pytest.fixture
def touched(lab, server, folder):
    """The explorer on its page, once it can be touched."""
    pytest.importorskip("anywidget")
    write_notebook(folder / "touch.ipynb", SHOW)
    with lab.notebook("touch.ipynb") as notebook:
        assert notebook.run_all() == []
        notebook.page.locator(".tutor-region[data-acts]").first.wait_for()
        (picture,) = notebook.pictures()
        yield picture
    assert lab.complaints == []
    assert server.complaints() == []


def point(picture, region: int, across: float = 0.5, down: float = 0.5) -> tuple[Locator, dict]:
    """A region, and a place in it for Playwright, which waits until nothing moves any more."""
    node = picture.output.locator(".tutor-region[data-acts]").nth(region)
    box = node.bounding_box()
    return node, {"x": across * box["width"], "y": down * box["height"]}


def click(picture, *where: float) -> None:
    node, position = point(picture, *where)
    node.click(position=position)


def hover(picture, *where: float) -> None:
    node, position = point(picture, *where)
    node.hover(position=position)


TILE, TABLE = 2, 3  # the last word, and the table, among what can be touched


def test_a_word_and_a_cell_do_what_their_controls_do(touched):
    page = touched.notebook.page
    click(touched, TILE)
    page.get_by_text("river 1").wait_for()
    assert touched.settle() == {"word": 2, "row": 1}
    click(touched, TABLE, 0.5, 0.8)
    page.get_by_text("bank 2").wait_for()
    assert touched.settle() == {"word": 1, "row": 2}


def test_a_drag_over_cells_ends_at_the_last(touched):
    mouse = touched.notebook.page.mouse
    hover(touched, TABLE, 0.9, 0.8)
    mouse.down()
    for share in (0.7, 0.5, 0.3, 0.1):
        hover(touched, TABLE, share, share)
    mouse.up()
    touched.notebook.page.get_by_text("the 1").wait_for()
    assert touched.settle() == {"word": 0, "row": 1}


def test_hovering_tells_the_number_and_the_cursor_what_can_be_touched(touched):
    page = touched.notebook.page
    hover(touched, TABLE, 0.5, 0.8)
    page.get_by_text("scores, b → 2: 0.40").wait_for()
    table = touched.output.locator(".tutor-region[data-acts]").nth(TABLE)
    assert table.evaluate("node => getComputedStyle(node).cursor") == "pointer"
    page.mouse.move(5, 5)
    page.locator(".tutor-words").wait_for(state="hidden")


def test_the_layer_lies_on_the_picture_and_the_control_stays_the_way_by_keyboard(touched):
    layer = touched.output.locator(".tutor-layer").bounding_box()
    assert layer == pytest.approx(touched.image.bounding_box(), abs=1)
    touched.sliders[0].press("End")
    touched.notebook.page.get_by_text("river 1").wait_for()
    assert touched.settle() == {"word": 2, "row": 1}
    assert touched.output.locator(".tutor-layer > canvas").count() == 1


def test_a_page_loaded_again_paints_what_was_touched(touched):
    click(touched, TILE)
    touched.notebook.page.get_by_text("river 1").wait_for()
    notebook = touched.notebook
    notebook.save()
    notebook.reload()
    notebook.page.locator(".tutor-layer > canvas").wait_for()
    (again,) = notebook.pictures()
    assert again.settle() == {"word": 2, "row": 1}


IMPATIENT = """() => {
    const timeout = AbortSignal.timeout;
    AbortSignal.timeout = () => timeout.call(AbortSignal, 0);
}"""


def test_where_anywidget_gives_up_the_picture_moves_as_an_image(lab, folder):
    """It does after two seconds, as on a busy machine, and then hears nothing more."""
    pytest.importorskip("anywidget")
    write_notebook(folder / "late.ipynb", SHOW)
    lab.load()
    lab.page.evaluate(IMPATIENT)
    with lab.notebook("late.ipynb") as notebook:
        assert notebook.run_all() == []
        notebook.page.locator(".tutor-layer").wait_for(state="attached")
        (picture,) = notebook.pictures()
        picture.sliders[0].press("End")
        notebook.page.get_by_text("river 1").wait_for()
        assert picture.settle() == {"word": 2, "row": 1}
        assert lab.gave_up
    lab.load()
