"""Take the pictures of README.md and TEACHING.md anew, in JupyterLab and in Chromium.

    python -m tests.browser.docs_pictures

`docs/readme.png` is a live picture of lesson 4 above the checker's report on a wrong answer;
`docs/class.png` is the top of the page that `tutor grade` writes for a class of made-up learners.
"""

import io
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Locator, Page, sync_playwright

from tests.browser.conftest import write_notebook
from tests.browser.driver import CHROMIUM_FLAGS, ROOT, Lab, Notebook, Server, chromium_path
from tests.grading.classroom import LESSON, RIGHT, WRONG, as_bytes, filled, predictions

WALK = """\
from tutor.explorers.lesson04_self_attention import step_by_step
walk = step_by_step()
walk.controls["step"].value, walk.controls["cell"].value = 7, 2
walk"""
IMPORTS = "import math\nimport torch\nfrom tutor import check"
OVER_QUERIES = """\
def scaled_dot_product_attention(q, k, v):
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.size(-1)), dim=1)
    return weights @ v, weights

check(scaled_dot_product_attention)"""
WIDTH, MARGIN = 848, 16  # of readme.png, in pixels
FIRST_NAMES = "Ada", "Bo", "Chloé", "Dmitri", "Eun-ji", "Fay", "Gil", "Minji"
LAST_NAMES = "Kim", "Lovelace", "O'Neil", "Wu", "van Dyk"


def main() -> None:
    """Write both pictures."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as place:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_FLAGS)
        save(lesson_and_report(browser, Path(place)), "readme.png")
        save(class_page(browser, Path(place)), "class.png")
        browser.close()


def save(picture: Image.Image, name: str) -> None:
    """Write a picture with 64 colours, which are enough for text and flat areas."""
    picture.convert("RGB").quantize(64, dither=Image.Dither.NONE).save(
        ROOT / "docs" / name, optimize=True
    )


def lesson_and_report(browser: Browser, place: Path) -> Image.Image:
    """Show the walk through self-attention, and below it softmax over queries, found out."""
    with lab(browser, place) as opened:
        workspace = place / "workspace"
        write_notebook(workspace / "pictures.ipynb", WALK, IMPORTS, OVER_QUERIES)
        with opened.notebook("pictures.ipynb") as notebook, notebook.in_window(1200, 1000):
            notebook.run_all()
            notebook.pictures()[0].settle()
            output = notebook.pictures()[0].output
            return below(shot(output), shot(cell(notebook, 2)))


@contextmanager
def lab(browser: Browser, place: Path) -> Iterator[Lab]:
    """Open JupyterLab, and end it."""
    server = Server(place / "workspace", place / "state")
    try:
        yield Lab(browser.new_page(device_scale_factor=2), server.url)
    finally:
        server.stop()


def cell(notebook: Notebook, number: int) -> Locator:
    """Give a cell, as it stands in the page."""
    return notebook.page.locator(".jp-NotebookPanel:visible .jp-Cell").nth(number)


def shot(part: Locator) -> Image.Image:
    """Give a part of the page as a picture."""
    return Image.open(io.BytesIO(part.screenshot()))


def below(above: Image.Image, under: Image.Image) -> Image.Image:
    """Put one picture under the other, each as wide as the whole."""
    parts = [one.resize((WIDTH, round(one.height * WIDTH / one.width))) for one in (above, under)]
    heights = [part.height + MARGIN for part in parts]
    whole = Image.new("RGB", (WIDTH + 2 * MARGIN, MARGIN + sum(heights)), "white")
    for part, top in zip(parts, (MARGIN, MARGIN + heights[0]), strict=True):
        whole.paste(part, (MARGIN, top))
    return whole


def class_page(browser: Browser, place: Path) -> Image.Image:
    """Grade a class and show the top of its page, the first mistake opened."""
    for number, (first, last) in enumerate(product(FIRST_NAMES, LAST_NAMES)):
        hand_in(place / "class", f"{first} {last}", number)
    command = [sys.executable, "-m", "tutor", "grade", str(place / "class")]
    subprocess.run([*command, "--out", str(place / "results"), "--seed", "1"], check=True)
    page: Page = browser.new_page(viewport={"width": 800, "height": 900})
    page.goto((place / "results" / "class.html").as_uri())
    page.locator("details summary").first.click()
    return Image.open(io.BytesIO(page.screenshot()))


def hand_in(folder: Path, learner: str, number: int) -> None:
    """Write a learner's notebook: one in three leaves the scale out, one in four has one open."""
    answers = RIGHT | predictions(learner)
    if number % 3 == 0:
        answers["scaled_dot_product_attention"], _ = WRONG["scaled_dot_product_attention"]
    elif number % 7 == 1:
        answers["scaled_dot_product_attention"] = OVER_QUERIES.rpartition("\n\n")[0]
    if number % 4 == 0:
        answers["project_by_hand"], _ = WRONG["project_by_hand"]
    if number % 5 == 0:
        del answers["additive_attention"]
    file = folder / learner / f"{LESSON}.ipynb"
    file.parent.mkdir(parents=True)
    file.write_bytes(as_bytes(filled(answers, learner)))


if __name__ == "__main__":
    main()
