"""Shows something below the running cell: HTML where there is a notebook, else text."""

import sys
import textwrap
from collections.abc import Sequence
from html import escape
from typing import Any

from tutor.display.inline import ipython

WIDTH = 88  # of text where there is no page to wrap it
_TABLE = ";white-space:pre;font-family:monospace"
_NOTHING = "<div hidden></div>"


def show(plain: str, rich: str) -> None:
    """Show HTML where a notebook can, and text elsewhere.

    Example:
        >>> show("One.", "<p>One.</p>")
        One.
    """
    if ipython() is None:
        print(plain)
        return
    from IPython.display import display

    display({"text/plain": plain, "text/html": rich}, raw=True)


def show_lines(lines: Sequence[str]) -> None:
    """Show sentences, each a paragraph of its own; none is broken inside a word.

    A line with several spaces in a row is part of a table, and they stay.

    Example:
        >>> show_lines(["One.", "Two."])
        One.
        Two.
    """
    paragraphs = "".join(
        f"<p style='margin:2px 0{_TABLE if '  ' in line else ''}'>{escape(line)}</p>"
        for line in lines
    )
    rich = f"<div style='max-width:75ch'>{paragraphs}</div>"
    show("\n".join(textwrap.fill(line, WIDTH) for line in lines), rich)


def show_result(result: Any, plain: str, rich: str) -> None:
    """Show something as the result of the cell, so that other programs can read it as such.

    Args:
        result: has the same HTML, and as text what the programs read.
        plain: the same for people who read text.
        rich: the HTML.
    """
    if running_cell() is None or ipython().displayhook.quiet():  # the cell ends in a semicolon
        show(plain, rich)
    else:
        show(plain, _NOTHING)
        sys.displayhook(result)


def running_cell() -> int | None:
    """Give the number of the notebook's cell that runs; None outside a notebook."""
    shell = ipython()
    return shell.execution_count if getattr(shell, "kernel", None) is not None else None
