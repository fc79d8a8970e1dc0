"""A play button for a slider: what happens step by step becomes a film."""

from collections.abc import Mapping
from typing import Any

import ipywidgets

from tutor.display.controls import positions


class Player:
    """A play button that moves a slider on, until it ends or somebody touches a control.

    Nothing plays by itself, and a reader who wants no motion gets no button: `markup.STYLE` hides
    it. The button and the slider work by keyboard as by mouse.

    Args:
        controls: all controls of the explorer, by name.
        name: the slider that is moved.
        pace: seconds from one step to the next.

    Attributes:
        button: the widget with the buttons.
        slider: the widget it moves.
    """

    def __init__(
        self, controls: Mapping[str, ipywidgets.ValueWidget], name: str, pace: float
    ) -> None:
        self.slider = controls[name]
        self._values = positions(self.slider)
        self.button = ipywidgets.Play(
            value=self._values.index(self.slider.value),
            min=0,
            max=len(self._values) - 1,
            interval=round(1000 * pace),
            show_repeat=False,
            layout=ipywidgets.Layout(flex="0 0 auto", width="auto"),
        )
        self.button.add_class("tutor-play")
        self.button.observe(self._go_on, "value")
        for control in controls.values():
            control.observe(self._touched, "value")

    def _go_on(self, change: Any) -> None:
        self.slider.value = self._values[change.new]

    def _touched(self, change: Any) -> None:
        """Stop, unless it was the button that moved the slider."""
        place = self._values.index(self.slider.value)
        if place != self.button.value or change.owner is not self.slider:
            self.button.playing = False
            self.button.value = place
