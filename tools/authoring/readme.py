"""The README's badges and its table of lessons, whose minutes the notebooks themselves give."""

import re

from .files import LESSONS, ROOT, SOLUTIONS, read_notebook
from .first_cell import repository
from .times import core_minutes, sittings

README = ROOT / "README.md"
_FIRST = "01_rnn_limits"
_COLAB, _BINDER = "https://colab.research.google.com", "https://mybinder.org"
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
    return (
        f"[![Open in Colab]({_COLAB}/assets/colab-badge.svg)]({in_colab('notebooks', _FIRST)}) "
        f"[![Launch on Binder]({_BINDER}/badge_logo.svg)]({on_binder()})"
    )


def in_colab(folder: str, name: str) -> str:
    """Give the address that opens a notebook in Colab."""
    path = repository().removeprefix("https://")
    path = path.replace("github.com", "github", 1)
    return f"{_COLAB}/{path}/blob/main/{folder}/{name}.ipynb"


def on_binder(folder: str = "", name: str = "") -> str:
    """Give the address that opens the course on Binder, or one of its notebooks."""
    address = f"{_BINDER}/v2/gh/{repository().removeprefix('https://github.com/')}/main"
    return f"{address}?urlpath=lab/tree/{folder}/{name}.ipynb" if name else address


def _row(row: re.Match[str]) -> str:
    """Write one line of the table."""
    name = row["name"]
    lesson = " + ".join(map(str, sittings(read_notebook(LESSONS / f"{name}.ipynb"))))
    exercises = " + ".join(map(str, core_minutes(read_notebook(SOLUTIONS / f"{name}.ipynb"))))
    places = f"[lesson]({in_colab('notebooks', name)}), "
    places += f"[exercises]({in_colab('exercises', name)})"
    return f"{row['lesson']} {lesson} |{row['exercises']} {exercises} | {places} |"
