"""The README's badges, its table of lessons with the notebooks' minutes, and that of benchmarks."""

import json
import re
from typing import Any

from .files import LESSONS, ROOT, SOLUTIONS, read_notebook
from .first_cell import repository
from .times import core_minutes, sittings

README = ROOT / "README.md"
LATEST = ROOT / "benchmarks" / "latest.json"
_FIRST = "01_rnn_limits"
_COLAB, _BINDER = "https://colab.research.google.com", "https://mybinder.org"
_ROW = re.compile(
    r"^(?P<lesson>\|.*\(notebooks/(?P<name>\w+)\.ipynb\) \| [^|]* \|) [^|]* \|"
    r"(?P<exercises>[^|]*\|) [^|]* \| [^|]* \|$",
    re.MULTILINE,
)
_BADGES = re.compile(r"^\[!\[Open in Colab\].*$", re.MULTILINE)
_BENCHMARKS = re.compile(r"(?<=<!-- make bench -->\n).*(?=<!-- end -->)", re.DOTALL)


def readme() -> str:
    """Give the README with lessons' minutes, addresses and measured times as they are now."""
    text = _BADGES.sub(_badges(), _ROW.sub(_row, README.read_text("utf-8")))
    return _BENCHMARKS.sub(lambda _: _benchmarks(json.loads(LATEST.read_text("utf-8"))), text)


def _benchmarks(kept: dict[str, dict[str, Any]]) -> str:
    """Write the table that `make bench` last printed, and what it was measured on."""
    settings = [
        f"{entry['processors']} processors ({entry['processor']}, {entry['system']}), "
        f"Python {entry['versions']['python']}, torch {entry['versions']['torch']}, {entry['date']}"
        for entry in kept.values()
    ]
    head = ("what", "ours", "peer", "ratio (range)", "goal", "verdict")
    rows = [head, ("---",) * len(head), *(row["cells"] for e in kept.values() for row in e["rows"])]
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in rows)
    return f"Measured on {'; '.join(dict.fromkeys(settings))}.\n\n{table}\n"


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
