"""What is written into the README: the lessons' minutes, and where the course is published."""

import re

from .files import LESSONS, ROOT, SOLUTIONS, read_notebook
from .published import BINDER, COLAB, in_colab, on_binder, repository
from .times import core_minutes, sittings

README = ROOT / "README.md"
_FIRST = "01_rnn_limits"
_TITLE = re.compile(r"\A(# .*\n\n)(?:\[!\[.*\n\n)?")
_ROW = re.compile(
    r"^(?P<lesson>\|[^|]*\|[^|]*\(notebooks/(?P<name>\w+)\.ipynb\) \|[^|]*\|)[^|]*\|"
    r"(?P<exercises>[^|]*\|)[^|]*\|.*$",
    re.MULTILINE,
)
_HEAD = re.compile(r"^(\| \| lesson \|(?:[^|\n]*\|){4}).*\n(\|(?:---\|){6}).*$", re.MULTILINE)
_WITHOUT_A_CLONE = re.compile(r"(?<=<!-- without a clone -->\n).*?(?=<!-- end -->)", re.DOTALL)
_TOLD = """
Without a clone:

```
pip install "transformer-tutor[lab] @ git+{repository}"
tutor lab    # in any folder: your copies go into transformer-course/ there
```

In Google Colab, by the links below, the first cell installs the course in about a minute; your \
points are kept once your Drive is mounted, your answers if you save a copy there. Binder, by the \
badge above, keeps nothing.

"""


def readme() -> str:
    """Give the README with lessons' minutes and addresses as they are now."""
    text = _ROW.sub(_row, README.read_text("utf-8"))
    text = _HEAD.sub(
        lambda head: f"{_wide(head[1], ' in Colab |')}\n{_wide(head[2], '---|')}", text
    )
    text = _WITHOUT_A_CLONE.sub(_wide("", _TOLD.format(repository=repository())), text)
    return _TITLE.sub(lambda title: title[1] + _wide("", _badges() + "\n\n"), text)


def _wide(always: str, published: str) -> str:
    """Add to a text what holds once the course is published."""
    return always + (published if repository() else "")


def _badges() -> str:
    """Link the first lesson in Colab, and the whole course on Binder."""
    return (
        f"[![Open in Colab]({COLAB}/assets/colab-badge.svg)]({in_colab('notebooks', _FIRST)}) "
        f"[![Launch on Binder]({BINDER}/badge_logo.svg)]({on_binder()})"
    )


def _row(row: re.Match[str]) -> str:
    """Write one line of the table."""
    name = row["name"]
    lesson = " + ".join(map(str, sittings(read_notebook(LESSONS / f"{name}.ipynb"))))
    exercises = " + ".join(map(str, core_minutes(read_notebook(SOLUTIONS / f"{name}.ipynb"))))
    places = f" [lesson]({in_colab('notebooks', name)}),"
    places += f" [exercises]({in_colab('exercises', name)}) |"
    return _wide(f"{row['lesson']} {lesson} |{row['exercises']} {exercises} |", places)
