"""What an explorer offers where no kernel runs: all of it if it is small, else a chosen part.

Pages and decks show ready pictures. A few controls with few positions each are offered in every
combination, so that they move as freely as in the notebook. Where that would be too many pictures
sliders lose positions, evenly; an explorer may name those that are kept, above all what a text
asks for. An explorer with too many controls names some settings of all of them instead: a tour.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import ipywidgets

from tutor.display.controls import positions, spread
from tutor.say import say

MOST = 150  # pictures of one explorer
_FEWEST = 3  # positions that a slider keeps in any case

Kept = Mapping[str, Sequence[Any]]
Tour = Mapping[str, Mapping[str, Any]]


def offered(controls: Mapping[str, ipywidgets.ValueWidget], kept: Kept) -> dict[str, list[Any]]:
    """Return the values that each control can take on a page, its present one among them.

    Args:
        controls: the control widgets by name. One that can take any value, a line to type in,
            stays as it is, unless values are named for it.
        kept: for some controls, the values that a page offers.

    Raises:
        ValueError: if values are named that a control cannot take, or the combinations are too
            many and no slider can lose positions.

    Example:
        >>> from tutor.display.controls import control
        >>> radius, cut = control("radius", (0, 200, 1, 90)), control("cut", True)
        >>> offered({"radius": radius, "cut": cut}, kept={"radius": [50, 150]})
        {'radius': [50, 90, 150], 'cut': [False, True]}
    """
    values = {name: _values(name, widget, kept) for name, widget in controls.items()}
    counts = {name: len(every) for name, every in values.items()}
    sliders = [name for name in controls if name not in kept and is_slider(controls[name])]
    while math.prod(counts.values()) > MOST:
        longest = max(sliders, key=counts.__getitem__, default=None)
        if longest is None or counts[longest] <= _FEWEST:
            raise ValueError(
                say(
                    "a page would need {count} pictures, and {most} are allowed: name the values "
                    "that are kept, or a tour of settings",
                    count=math.prod(counts.values()),
                    most=MOST,
                )
            )
        counts[longest] -= 1
    for name, count in counts.items():
        if count < len(values[name]):
            now = values[name].index(controls[name].value)
            places = spread(len(values[name]), count, now)
            values[name] = [values[name][place] for place in places]
    return values


def is_slider(widget: ipywidgets.ValueWidget) -> bool:
    """Tell whether a control is a slider, over numbers or over options."""
    return hasattr(widget, "step") or isinstance(widget, ipywidgets.SelectionSlider)


def _values(name: str, widget: ipywidgets.ValueWidget, kept: Kept) -> list[Any]:
    """Return all values of a control, or those that are kept with its present one."""
    try:
        every = positions(widget)
    except ValueError:
        return list(dict.fromkeys([widget.value, *kept.get(name, ())]))
    if name not in kept:
        return every
    if missing := [value for value in kept[name] if value not in every]:
        raise ValueError(
            say(
                "control {name!r} cannot be {missing}; expected some of {every}",
                name=name,
                missing=missing,
                every=every,
            )
        )
    return [value for value in every if value in kept[name] or value == widget.value]
