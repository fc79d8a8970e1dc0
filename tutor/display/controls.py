"""The short way to write a slider, a menu, a box to tick, and the positions each can take.

`ipywidgets.interactive` has such short forms too; it has none with a start of its own, redraws from
nothing, and cannot list the positions from which pages and slides are made.
"""

import math
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from typing import Any

import ipywidgets
from traitlets import validate

from tutor.say import data, say

_STYLE = {"description_width": "initial"}


def control(name: str, meaning: Any, label: str | None = None) -> ipywidgets.ValueWidget:
    """Make the control that a short form stands for.

    Args:
        name: the name the value is passed under; also the label, unless one is given.
        meaning: one of

            - `(low, high, step, start)`: a slider over numbers, whole if all four are whole;
            - `[4, 8, 16]`: a slider over these numbers, starting at the first;
            - `[("shown", value), ...]`: a menu, starting at the first; what is shown is said, or
              it is words of the data (`as_said`, `as_data`), and programs compare values alone;
            - `([...], start)`: either of these two with another start;
            - `True` or `False`: a box to tick;
            - a string: a line to type in, read when Enter is pressed;
            - any ipywidget with a value, as it is.
        label: what stands beside the control.

    Raises:
        ValueError: if `meaning` has none of these forms, or starts outside what it offers.

    Example:
        >>> control("d_k", ([4, 8, 16], 8)).value
        8
        >>> control("position", (0, 49, 1, 10)).max
        49
    """
    if isinstance(meaning, ipywidgets.ValueWidget):
        return meaning
    shown = label or label_of(name)
    common = {
        "description": say(shown),
        "style": _STYLE,
        "layout": ipywidgets.Layout(width="auto"),
    }
    match meaning:
        case bool():
            return ipywidgets.Checkbox(meaning, indent=False, **common)
        case str():
            return ipywidgets.Text(meaning, continuous_update=False, **common)
        case (list() as options, start):
            return _choice(name, options, start, common)
        case [_, *_] if isinstance(meaning, list):
            return _choice(name, meaning, _value(meaning[0]), common)
        case (Real(), Real(), Real(), Real()):
            return _slider(name, meaning, common)
    raise ValueError(
        say(
            "control {name!r} is {meaning!r}; expected (low, high, step, start), a list "
            "of options, (options, start), True, False, a string or an ipywidget",
            name=name,
            meaning=meaning,
        )
    )


def as_data(words: Iterable[str]) -> list[tuple[str, str]]:
    """Offer words of the data in a menu, as they are in every language.

    Example:
        >>> as_data(["river", "savings"])
        [('river', 'river'), ('savings', 'savings')]
    """
    return [(data(word), word) for word in words]


def as_said(names: Iterable[str]) -> list[tuple[str, str]]:
    """Offer names in a menu by what they are called in the reader's language.

    Example:
        >>> as_said(["with a mask", "without"])
        [('with a mask', 'with a mask'), ('without', 'without')]
    """
    return [(say(name), name) for name in names]


def positions(widget: ipywidgets.ValueWidget) -> list[Any]:
    """Return every value the control can take, in order.

    Raises:
        ValueError: if there is no end to them, as with typed text.

    Example:
        >>> positions(control("heads", (1, 8, 1, 2)))
        [1, 2, 3, 4, 5, 6, 7, 8]
    """
    if isinstance(widget, ipywidgets.Checkbox):
        return [False, True]
    if hasattr(widget, "options"):
        return [value for _, value in choices(widget)]
    if all(hasattr(widget, end) for end in ("min", "max", "step")):
        return [_step(widget, place) for place in range(_last_step(widget) + 1)]
    raise ValueError(
        say(
            "control {description!r} can take any value: name the values yourself",
            description=widget.description,
        )
    )


def choices(widget: ipywidgets.ValueWidget) -> list[tuple[str, Any]]:
    """Return what a menu or a slider over given values offers: label and value of each.

    Example:
        >>> choices(control("heads", [4, 8])), choices(control("norm", [("pre-norm", "pre")]))
        ([('4', 4), ('8', 8)], [('pre-norm', 'pre')])
    """
    given = widget.options
    pairs = given.items() if isinstance(given, Mapping) else given
    return [pair if isinstance(pair, tuple) else (str(pair), pair) for pair in pairs]


def longest(slider: ipywidgets.ValueWidget) -> int:
    """Return how many letters the longest value needs that a slider can show.

    Example:
        >>> longest(control("rate", (0.5, 12.25, 0.25, 1.0))), longest(control("heads", [4, 128]))
        (5, 3)
    """
    if hasattr(slider, "options"):
        return max(len(label) for label, _ in choices(slider))
    return max(len(format(end, slider.readout_format)) for end in (slider.min, slider.max))


def spread(count: int, most: int, kept: int) -> list[int]:
    """Choose from places 0 to count - 1 about evenly spread ones: both ends and `kept` among them.

    Args:
        count: how many places there are; more than are chosen.
        most: how many are chosen, at least 3.
        kept: the place to choose in any case, instead of its nearest neighbour.

    Example:
        >>> spread(50, 6, kept=12)
        [0, 12, 20, 29, 39, 49]
    """
    chosen = [round(n * (count - 1) / (most - 1)) for n in range(most)]
    if 0 < kept < count - 1:
        chosen[min(range(1, most - 1), key=lambda n: abs(chosen[n] - kept))] = kept
    return chosen


def _slider(name: str, bounds: tuple, common: Mapping[str, Any]) -> ipywidgets.ValueWidget:
    low, high, step, start = bounds
    if not (low <= start <= high and low < high and step > 0):
        raise ValueError(
            say(
                "slider {name!r} is (low, high, step, start) = {bounds}; expected low <= "
                "start <= high, low < high and a step above 0",
                name=name,
                bounds=bounds,
            )
        )
    if all(isinstance(bound, Integral) for bound in bounds):
        return _WholeSteps(start, low, high, step, **common)
    decimals = max(0, len(f"{step:.10f}".rstrip("0").split(".")[1]))
    return _Steps(start, min=low, max=high, step=step, readout_format=f".{decimals}f", **common)


def _last_step(slider: ipywidgets.ValueWidget) -> int:
    return math.floor((slider.max - slider.min) / slider.step + 1e-9)


def _step(slider: ipywidgets.ValueWidget, place: int) -> Any:
    return type(slider.value)(round(slider.min + place * slider.step, 10))


def _nearest(slider: ipywidgets.ValueWidget, value: float) -> Any:
    return _step(slider, min(round((value - slider.min) / slider.step), _last_step(slider)))


class _Steps(ipywidgets.FloatSlider):
    """A slider that stands on its steps only: a number typed beside it becomes the nearest."""

    @validate("value")
    def _validate_value(self, proposal: Any) -> Any:
        return _nearest(self, super()._validate_value(proposal))


class _WholeSteps(ipywidgets.IntSlider):
    """The same over whole numbers."""

    @validate("value")
    def _validate_value(self, proposal: Any) -> Any:
        return _nearest(self, super()._validate_value(proposal))


def _choice(
    name: str, options: list, start: Any, common: Mapping[str, Any]
) -> ipywidgets.ValueWidget:
    values = [_value(option) for option in options]
    if start not in values:
        raise ValueError(
            say(
                "control {name!r} starts at {start!r}; expected one of {values}",
                name=name,
                start=start,
                values=values,
            )
        )
    numbers = all(isinstance(option, Real) for option in options)
    make = ipywidgets.SelectionSlider if numbers else ipywidgets.Dropdown
    return make(options=options, value=start, **common)


def _value(option: Any) -> Any:
    return option[1] if isinstance(option, tuple) else option


def label_of(name: str) -> str:
    """Return a control's name in words, leaving symbols such as d_k as they are.

    Example:
        >>> label_of("hidden_word"), label_of("d_k")
        ('hidden word', 'd_k')
    """
    return name if name.find("_") == 1 else name.replace("_", " ")
