"""What a figure of one's own shows, in words: for those who cannot see it, and for comparisons.

The course's pictures have their own words. A figure that a reader draws with matplotlib or seaborn
would be ``<Figure size 640x480 with 2 Axes>`` to a screen reader.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

from tutor.display.inline import ipython
from tutor.say import say

_MOST = 100  # numbers, or names at an edge, that are worth reading out
_BAR = "<colorbar>"  # what matplotlib calls the scale beside a map


def describe_figures() -> None:
    """Give the figures of the notebook that runs here a text; outside IPython, do nothing."""
    if (
        ipython() is not None
    ):  # not by a formatter: pyplot, once loaded, takes those of figures away
        Figure._repr_pretty_ = _write  # type: ignore[attr-defined]
        Figure._repr_mimebundle_ = _alt  # type: ignore[attr-defined]


def describe(figure: Figure) -> str:
    """Say what stands in a figure: titles, edges, and the numbers written in it.

    Example:
        >>> figure = Figure()
        >>> table = figure.subplots()
        >>> _ = table.set(title="Weights", xlabel="looked at", xticks=[0, 1])
        >>> _ = table.set(xticklabels=["the", "bank"], yticks=[])
        >>> _ = table.text(0, 0, "0.25")
        >>> print(describe(figure))
        A figure of one's own. Weights. Across, looked at: the bank. Written in it: 0.25
    """
    parts = [part for axes in figure.axes if axes.get_label() != _BAR for part in _parts(axes)]
    return " ".join([say("A figure of one's own."), *parts])


def _parts(axes: Axes) -> Iterator[str]:
    if title := axes.get_title():
        yield say("{title}.", title=title)
    across, down = _shown(axes.get_xticklabels()), _shown(axes.get_yticklabels())
    if across:
        yield say("Across, {name}: {labels}.", name=axes.get_xlabel() or "x", labels=across)
    if down:
        yield say("Down, {name}: {labels}.", name=axes.get_ylabel() or "y", labels=down)
    if written := _shown(axes.texts):
        yield say("Written in it: {texts}", texts=written)


def _shown(texts: Sequence[Text]) -> str:
    return " ".join(filter(None, (text.get_text() for text in texts[:_MOST])))


def _write(figure: Figure, printer: Any, _cycle: bool) -> None:
    printer.text(describe(figure))


def _alt(figure: Figure, **_asked: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Add the alt text to the picture that the notebook makes by itself."""
    return {}, {"image/png": {"alt": describe(figure)}}
