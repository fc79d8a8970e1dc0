"""Page through decks as a class sees them, and measure what is on the screen.

    python -m tests.browser.screens [--only 05] [--kind live|static]

Every deck, live in JupyterLab and as a file from the disk, in the windows of `SCREENS`: so many
slides and presses, presses that show nothing new, the size of the type in pixels of the screen, and
ink that leaves the window or is clipped. A limit that is broken is named below the table.
"""

import argparse
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright
from tqdm import tqdm

from tests.browser.driver import CHROMIUM_FLAGS, ROOT, Lab, Notebook, Server, chromium_path

INK = Path(__file__).with_name("ink.js").read_text("utf-8")
KINDS = ("live", "static")
DECKS = ROOT / "build" / "slides"
HEADER = "lesson kind   screen      slides presses empty   body: least median   code: least   cuts"
READABLE = 16  # pixels of 720: prose is no smaller


class Screen(NamedTuple):
    """A window, in pixels of the screen, and the browser's zoom."""

    width: int
    height: int
    zoom: float = 1

    def __str__(self) -> str:
        size = f"{self.width}×{self.height}"
        return size if self.zoom == 1 else f"{self.zoom:.0%} {self.height}"

    @property
    def viewport(self) -> dict[str, int]:
        """The window in pixels of the page."""
        return {"width": round(self.width / self.zoom), "height": round(self.height / self.zoom)}

    @property
    def least(self) -> float:
        """How small prose may be."""
        return READABLE * min(self.width / 1280, self.height / 720)


SCREENS = (Screen(1024, 768), Screen(1280, 720), Screen(1920, 1080), Screen(1280, 720, 1.5))


class Found(NamedTuple):
    """What was found of a deck on a screen."""

    lesson: str
    kind: str
    screen: Screen
    presses: int
    empty: list[str]
    slides: list[dict[str, Any]]

    def line(self) -> str:
        """Return the table's row."""
        body = [slide["body"] for slide in self.slides if slide["body"]]
        code = [slide["code"] for slide in self.slides if slide["code"]]
        cuts = sum(len(slide["cuts"]) for slide in self.slides)
        return (
            f"{self.lesson:6} {self.kind:6} {self.screen!s:11} {len(self.slides):6} "
            f"{self.presses:7} {len(self.empty):5} {min(body):13.1f} {statistics.median(body):6.1f}"
            f" {min(code, default=0):13.1f} {cuts:6}"
        )

    def broken(self) -> Iterator[str]:
        """Name what breaks a limit."""
        where = f"{self.lesson} {self.kind} {self.screen}"
        for title in self.empty:
            yield f"{where}: a press shows nothing new on “{title}”"
        for slide in self.slides:
            if slide["cuts"]:
                yield f"{where}: “{slide['title']}” is cut by {', '.join(slide['cuts'][:3])}"
            if slide["body"] and slide["body"] < self.screen.least:
                yield f"{where}: “{slide['title']}” is set in {slide['body']:.1f} px"


def page_through(page: Page, kind: str, lesson: str, screen: Screen) -> Found:
    """Page through the deck that is shown, in a window that is already so large."""
    # Playwright's own zoom is the screen's pixel ratio, which a page takes from its context.
    script = f"async ratio => {{ {INK}\nreturn pageThrough(decks.{kind}, ratio); }}"
    found = page.evaluate(script, screen.zoom)
    return Found(lesson, kind, screen, found["presses"], found["empty"], found["slides"])


def static(browser: Browser, lesson: Path) -> Iterator[Found]:
    """Page through a deck that was published, in each window."""
    page = browser.new_page()
    for screen in SCREENS:
        page.set_viewport_size(screen.viewport)
        page.goto((DECKS / f"{lesson.stem}.html").as_uri())
        yield page_through(page, "static", lesson.stem[:2], screen)
    page.close()


def live(lab: Lab, lesson: Path) -> Iterator[Found]:
    """Run a lesson and page through it in each window."""
    with lab.notebook(f"notebooks/{lesson.name}") as notebook:
        notebook.run_all()
        for screen in SCREENS:
            yield on_screen(notebook, lesson, screen)


def on_screen(notebook: Notebook, lesson: Path, screen: Screen) -> Found:
    """Page through an open notebook as slides."""
    with notebook.as_slides(*screen.viewport.values()):
        return page_through(notebook.page, "live", lesson.stem[:2], screen)


def all_found(kinds: Sequence[str], lessons: Sequence[Path]) -> Iterator[Found]:
    """Page through everything."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_FLAGS)
        if "static" in kinds:
            for lesson in lessons:
                yield from static(browser, lesson)
        if "live" in kinds:
            server = Server(Path(folder) / "workspace", Path(folder) / "state")
            try:
                lab = Lab(browser.new_page(), server.url)
                for lesson in lessons:
                    yield from live(lab, lesson)
            finally:
                server.stop()
        browser.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; give 1 if a limit is broken."""
    parser = argparse.ArgumentParser(
        prog="screens", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", metavar="05", help="one lesson")
    parser.add_argument("--kind", choices=KINDS, help="live or static decks only")
    options = parser.parse_args(arguments)
    lessons = sorted((ROOT / "notebooks").glob(f"{options.only or ''}*.ipynb"))
    kinds = (options.kind,) if options.kind else KINDS
    broken: list[str] = []
    print(HEADER, flush=True)
    with tqdm(total=len(kinds) * len(lessons) * len(SCREENS), unit="deck") as bar:
        for found in all_found(kinds, lessons):
            tqdm.write(found.line())
            broken += found.broken()
            bar.update()
    print(*broken, f"Limits broken: {len(broken) or 'none'}.", sep="\n")
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
