"""The README's badges and its table of lessons, whose minutes the notebooks themselves give."""

import re

from .files import LESSONS, ROOT, SOLUTIONS, read_notebook
from .first_cell import repository
from .times import core_minutes, sittings

README = ROOT / "README.md"
_FIRST = "01_rnn_limits"
_ROW = re.compile(
    r"^(?P<lesson>\|.*\(notebooks/(?P<name>\w+)\.ipynb\) \| [^|]* \|) [^|]* \|"
    r"(?P<exercises>[^|]*\|) [^|]* \| [^|]* \|$",
    re.MULTILINE,
)
_BADGES = re.compile(r"^\[!\[Open in Colab\].*$", re.MULTILINE)


def readme() -> str:
    """Give the README with each lesson's minutes and addresses as they are now."""
    return _BADGES.sub(_badges(), _ROW.sub(_row, README.read_text("utf-8")))


def _badges() -> str:
    """Link the first lesson in Colab, and the whole course on Binder."""
    colab, binder = "https://colab.research.google.com", "https://mybinder.org"
    path = repository().removeprefix("https://github.com/")
    return (
        f"[![Open in Colab]({colab}/assets/colab-badge.svg)]({_in_colab('notebooks', _FIRST)}) "
        f"[![Launch on Binder]({binder}/badge_logo.svg)]({binder}/v2/gh/{path}/main)"
    )


def _in_colab(folder: str, name: str) -> str:
    path = repository().removeprefix("https://")
    path = path.replace("github.com", "github", 1)
    return f"https://colab.research.google.com/{path}/blob/main/{folder}/{name}.ipynb"


def _row(row: re.Match[str]) -> str:
    """Write one line of the table."""
    name = row["name"]
    lesson = " + ".join(map(str, sittings(read_notebook(LESSONS / f"{name}.ipynb"))))
    exercises = " + ".join(map(str, core_minutes(read_notebook(SOLUTIONS / f"{name}.ipynb"))))
    places = f"[lesson]({_in_colab('notebooks', name)}), "
    places += f"[exercises]({_in_colab('exercises', name)})"
    return f"{row['lesson']} {lesson} |{row['exercises']} {exercises} | {places} |"
