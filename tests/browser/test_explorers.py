"""Explorers in real JupyterLab, where other courses' pictures die: one trap a test."""

import io

import numpy as np
import pytest
from PIL import Image

from tests.browser.axe import grave_findings
from tests.browser.conftest import write_notebook
from tests.browser.sample import IMPORT, SHOW

pytestmark = pytest.mark.long

LESSON = "from tutor.explorers import lesson04_self_attention as explore"
FIGURE = 'from tutor.display.course_map import you_are_here\nyou_are_here("04_self_attention")'
SHOW_WITH_ERROR = """\
from tutor import live

def draw(fig, **_start):
    (bar,) = fig.subplots().bar([0], [1])
    def update(height):
        if height == 3:
            raise ValueError("three is not allowed")
        bar.set_height(height / 5)
        return f"height {height}"
    return update

live(draw, alt="A bar.", height=(1, 5, 1, 2))"""


@pytest.fixture
def written(folder, request):
    def write(*cells: str) -> str:
        name = f"{request.node.name}.ipynb"
        write_notebook(folder / name, *cells)
        return name

    return write


@pytest.fixture(autouse=True)
def nothing_complained(lab, server):
    yield
    assert lab.complaints == []
    assert server.complaints() == []


def widgets_in_kernel(notebook) -> int:
    code = "import ipywidgets.widgets.widget as w; print(len(w._instances))"
    return int(notebook.execute(code))


def test_cell_run_again_leaves_neither_widgets_nor_pictures_behind(lab, written):
    with lab.notebook(written(IMPORT, SHOW, SHOW)) as notebook:
        assert notebook.run_all() == []
        before = widgets_in_kernel(notebook)
        for _ in range(3):
            notebook.run_cell(1)
        pictures = notebook.pictures()
        assert len(pictures) == 2
        assert widgets_in_kernel(notebook) == before
        for picture in pictures:  # the new one lives, the other never stopped
            start = picture.settle()
            picture.move(picture.sliders[0], "key")
            assert picture.settle() != start


def test_error_shows_under_the_picture_and_goes(lab, written):
    with lab.notebook(written(SHOW_WITH_ERROR)) as notebook:
        assert notebook.run_all() == []
        (picture,) = notebook.pictures()
        picture.settle()
        with picture.watched() as height:
            picture.sliders[0].press("ArrowRight")
            picture.output.get_by_text("ValueError: three is not allowed").wait_for()
            picture.sliders[0].press("ArrowRight")
            picture.output.get_by_text("height 4").wait_for()  # the kernel is past three
            assert picture.settle() == {"height": 4}
        assert picture.caption() == "height 4"
        assert height["least"] >= 0.98 * height["start"]


def test_saved_and_opened_again_without_its_kernel_the_picture_is_there(lab, written):
    name = written(IMPORT, SHOW)
    with lab.notebook(name) as notebook:
        assert notebook.run_all() == []
        notebook.save()
    with lab.notebook(name) as notebook:
        panel = notebook.page.locator(".jp-NotebookPanel:visible")
        still = panel.get_by_role("img", name="Bars show the weights")
        still.wait_for()
        assert still.evaluate("image => image.decode().then(() => image.naturalWidth)") == 1600
        assert panel.get_by_role("figure", name="d_k = 64, scale off").is_visible()
        assert panel.get_by_text("run the cells again").is_visible()
        assert panel.get_by_text("model not found").count() == 0
        assert panel.locator(".noUi-handle").count() == 0


def test_kernel_started_again_leaves_a_word_what_to_do(lab, written):
    with lab.notebook(written(IMPORT, SHOW)) as notebook:
        assert notebook.run_all() == []
        advice = notebook.page.get_by_text("run the cells again")
        assert not advice.is_visible()
        notebook.restart()
        advice.wait_for()
        notebook.run_all()
        notebook.page.locator("img.widget-image").wait_for()
        assert not advice.is_visible()


def test_screen_readers_hear_names_values_and_pictures(lab, written):
    with lab.notebook(written(FIGURE, IMPORT, SHOW)) as notebook:
        assert notebook.run_all() == []
        page = notebook.page
        page.get_by_role("img", name="The Transformer: encoder and decoder").wait_for()
        page.get_by_role("img", name="Bars show the weights one query gives").wait_for()
        page.get_by_role("checkbox", name="divide by √d_k").wait_for()
        slider = page.get_by_role("slider", name="d_k", exact=True)
        for key, value in (("ArrowRight", "128"), ("ArrowLeft", "64")):
            slider.press(key)
            page.locator(f'[role=slider][aria-valuetext="{value}"]').wait_for()


NAMES = {
    "img.widget-image": ("alt", "image-alt"),
    "figure img": ("alt", "image-alt"),
    "[role=slider]": ("aria-label", "aria-input-field-name"),
    ".tutor-play button": ("aria-label", "button-name"),
}


def test_what_keeps_somebody_out_is_noticed(lab, written):
    outputs = ".jp-NotebookPanel .jp-OutputArea"
    with lab.notebook(written(FIGURE, LESSON, "explore.turning_space()")) as notebook:
        assert notebook.run_all() == []
        page = notebook.page
        page.locator("[aria-label='Play how far']").wait_for()
        assert grave_findings(page, outputs) == []
        for part, (attribute, finding) in NAMES.items():
            node = page.locator(f"{outputs} {part}").first
            name = node.get_attribute(attribute)
            node.evaluate("(node, name) => node.removeAttribute(name)", attribute)
            assert [one.partition(":")[0] for one in grave_findings(page, outputs)] == [finding]
            node.evaluate("(node, both) => node.setAttribute(...both)", [attribute, name])


def test_dark_pages_have_dark_pictures(lab, written):
    with lab.notebook(written(FIGURE, IMPORT, SHOW)) as notebook:
        assert notebook.run_all() == []
        page = notebook.page
        page.locator("img.tutor-picture").last.wait_for()
        lab.use_theme("JupyterLab Dark")
        try:
            page.locator('body[data-jp-theme-light="false"]').wait_for(state="attached")
            for picture in page.locator("img.tutor-picture").all():
                shown = np.asarray(Image.open(io.BytesIO(picture.screenshot())).convert("L"))
                assert np.median(shown) < 40  # paper is 18, a box nobody lit 29
                assert shown.max() > 190  # the ink
        finally:
            lab.use_theme("JupyterLab Light")


def test_page_loaded_again_finds_its_sliders_alive(lab, written):
    with lab.notebook(written(IMPORT, SHOW)) as notebook:
        assert notebook.run_all() == []
        notebook.save()
        notebook.reload()
        notebook.page.locator("img.widget-image").wait_for()
        (picture,) = notebook.pictures()
        start = picture.settle()
        picture.move(picture.sliders[0], "key")
        assert picture.settle() != start


def test_closing_takes_the_explorer_off_the_page(lab, written):
    with lab.notebook(
        written(LESSON, "shown = explore.step_by_step()\nshown", "shown.close()")
    ) as notebook:
        notebook.run_cell(0)
        notebook.run_cell(1)
        assert len(notebook.pictures()) == 1
        notebook.run_cell(2)
        notebook.page.wait_for_function(
            "() => !document.querySelector('.jp-NotebookPanel img.widget-image')"
        )
