"""The README's table of lessons, whose minutes come from the lessons and exercises themselves."""

import re

from . import converted
from .files import LESSONS, ROOT, SOLUTIONS, read_notebook
from .times import core_minutes, sittings

README = ROOT / "README.md"
_ROW = re.compile(
    r"^(?P<lesson>\|.*\(notebooks/(?P<name>\w+)\.ipynb\) \| [^|]* \|) [^|]* \|"
    r"(?P<exercises>[^|]*\|) [^|]* \|$",
    re.MULTILINE,
)


def readme() -> str:
    """Give the README with the minutes of each lesson and its exercises as they are now."""
    return _ROW.sub(_row, README.read_text("utf-8"))


def _row(row: re.Match[str]) -> str:
    """Write one line of the table; times of lessons that are still to convert are not known."""
    name = row["name"]
    lesson, exercises = "", ""
    if name not in converted.NOT_YET:
        lesson = " + ".join(map(str, sittings(read_notebook(LESSONS / f"{name}.ipynb"))))
        exercises = str(core_minutes(read_notebook(SOLUTIONS / f"{name}.ipynb")))
    return f"{row['lesson']} {lesson or '–'} |{row['exercises']} {exercises or '–'} |"
