"""Write the pages and decks of some lessons, and the pages beside them."""

import base64
from collections.abc import Sequence
from pathlib import Path

from nbformat import NotebookNode

from tutor.display.course_map import ALT, PIECES
from tutor.say import say

from ..claims_page import measured_page
from ..published import authors, project
from .checked import EXERCISE, checked_answers, first_checks
from .course import lessons, open_in
from .course_map import LIT, course_map
from .exercises import listed_exercises
from .first_picture import preview
from .frames import FRAMES, held
from .glossary import terms
from .html import REGIONS, deck, frames_script, korean_font, markdown, page
from .lesson_pictures import lesson_pictures
from .lessons import first_picture
from .package import modules, shown_modules
from .search import search_script
from .site import code_style, plain_page


def write_page(notebook: NotebookNode, name: str, folder: Path, *, lecturer: bool = False) -> Path:
    """Write a lesson's page to `folder`/site and return its file."""
    return _write(page(notebook, name, lecturer=lecturer), folder / "site", f"{name}.html")


def write_deck(notebook: NotebookNode, name: str, folder: Path) -> Path:
    """Write a lesson's deck to `folder`/slides and return its file."""
    return _write(deck(notebook, name), folder / "slides", f"{name}.html")


def write_frames(notebook: NotebookNode, name: str, folder: Path) -> Path:
    """Write what page and deck of a lesson share to `folder`/slides/frames and return its file."""
    return _write(frames_script(notebook), folder / "slides" / "frames", f"{name}.js")


def to_open(files: Sequence[Path]) -> Path:
    """Give the file at which one begins: the index, or where there is none the first deck."""
    pages = [file for file in files if file.suffix == ".html"]
    return next((page for page in pages if page.stem == "index"), pages[0])


def write_others(folder: Path) -> list[Path]:
    """Write the pages that are no lessons, the index last, and return their files."""
    writers = (write_exercises, write_glossary, write_search, write_home)
    return [*write_code(folder), *write_measured(folder), *(write(folder) for write in writers)]


def write_home(folder: Path) -> Path:
    """Write where the site begins to `folder`/site and return its file."""
    picture = first_picture()
    first = picture.data[FRAMES]
    html = plain_page(
        "index",
        first=first,
        held=held(first),
        regions=REGIONS.read_text("utf-8"),
        pictures=lesson_pictures(),
        project=project(),
        authors=authors(),
        map=course_map(),
        lit=LIT,
        pieces=PIECES,
        alt=say(ALT),
        hours=_hours([sum(lesson.minutes) for lesson in lessons()]),
        exercise_hours=_hours([sum(lesson.exercise_minutes) for lesson in lessons()]),
        exercise_count=sum(len(asked) for asked in listed_exercises().values()),
        open_in=open_in("notebooks", lessons()[0].name),
    )
    file = _write(html, folder / "site", "index.html")
    file.with_name("preview.png").write_bytes(preview(base64.b64decode(picture.data["image/png"])))
    return file


def write_exercises(folder: Path) -> Path:
    """Write the page of all exercises to `folder`/site and return its file."""
    shown = {"exercises": listed_exercises(), "code_style": code_style("xcode")}
    shown |= {"checked": checked_answers(), "checked_name": EXERCISE}
    shown |= {"first_checks": first_checks()}
    html = plain_page("exercises", open_in=open_in, **shown)
    return _write(html, folder / "site", "exercises.html")


def write_code(folder: Path) -> list[Path]:
    """Write the pages of the package to `folder`/site and return their files."""
    by_name = {module.name: module for module in modules()}
    shown = {"modules": by_name, "groups": shown_modules(), "code_style": code_style("xcode")}
    files = [_write(plain_page("code", **shown), folder / "site", "code.html")]
    for module in by_name.values():
        root = "../" * module.address.count("/")
        html = plain_page("code", "module", root=root, module=module, **shown)
        files.append(_write(html, folder / "site", module.address))
    return files


def write_measured(folder: Path) -> list[Path]:
    """Write what each lesson measured to `folder`/site and return the files."""
    return [
        _write(
            plain_page(
                f"measured_{lesson.name}",
                "measured",
                lesson=lesson,
                text=markdown(measured_page(lesson.name)),
            ),
            folder / "site",
            f"measured_{lesson.name}.html",
        )
        for lesson in lessons()
    ]


def write_glossary(folder: Path) -> Path:
    """Write the page of terms to `folder`/site and return its file."""
    every = terms()
    html = plain_page("glossary", terms=every, korean_font=korean_font(str(every)))
    return _write(html, folder / "site", "glossary.html")


def write_search(folder: Path) -> Path:
    """Write the script that searches to `folder`/site and return its file."""
    return _write(search_script(), folder / "site", "search.js")


def _hours(minutes: list[int]) -> str:
    """Give a sum of minutes in hours, rounded to halves."""
    return f"{round(sum(minutes) / 30) / 2:g}"


def _write(text: str, folder: Path, name: str) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file
