"""A prediction that one can make: written down before the result, shown beside it afterwards.

It is kept with the learner's progress and never graded; whoever skips it loses nothing.
"""

import html
import json
from collections.abc import Sequence
from typing import Any

import ipywidgets

from tutor.display.inline import ipython
from tutor.learner import progress_file
from tutor.say import say

Kind = type[float] | type[str] | Sequence[str]

_PLACEHOLDERS = {float: "a number", str: "a few words"}
_WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def predict(name: str, answer: Kind = str) -> "Prediction":
    """Ask for a prediction; the cell that runs next shows it below its result.

    Args:
        name: under which it is kept; no other prediction of the course has it.
        answer: `float` for a number, `str` for a few words, or a list of what to choose from.

    Returns:
        A `Prediction`; as the last line of a cell it shows itself.

    Raises:
        ValueError: the answer is of another kind, or there is nothing to choose between.

    Example:
        >>> asked = predict("soft-dictionary", ["below 10", "10 to 20", "above 20"])
        >>> asked
        Your prediction: below 10 | 10 to 20 | above 20
        >>> asked.widget.value = "below 10"
        >>> asked
        Your prediction: below 10
    """
    choices = [] if isinstance(answer, type) else list(answer)
    if answer not in (float, str) and len(choices) < 2:
        raise ValueError(
            say(
                "answer={answer!r}; expected float, str or a list of two choices or more",
                answer=answer,
            )
        )
    return Prediction(name, answer if isinstance(answer, type) else None, choices)


def predicted(name: str) -> str:
    """Give the words or number predicted under a name, "" if nothing, for a later picture to show.

    Example:
        >>> predicted("never-asked")
        ''
    """
    return progress_file.load_predictions().get(name, "")


class Prediction:
    """One prediction with its line to fill in, made by `predict`.

    Attributes:
        name: under which it is kept.
        widget: what one fills in; empty until then.
    """

    def __init__(self, name: str, kind: type | None, choices: list[str]) -> None:
        self.name = name
        self._asked = " | ".join(choices) if kind is None else say(_PLACEHOLDERS[kind])
        self._kind = "choice" if kind is None else {float: "number", str: "text"}[kind]
        self._choices = choices
        self.widget = self._made(progress_file.load_predictions().get(name))
        self.widget.observe(self._keep, "value")
        _listening.asked(self)

    @property
    def answer(self) -> str:
        """What was predicted, "" if nothing."""
        return str(self.widget.value or "").strip()

    @property
    def kept(self) -> str:
        """What is kept of it: of a choice its position, which another language does not change."""
        return self._position(self.answer) if self.answer in self._choices else self.answer

    def _position(self, choice: str) -> str:
        return f"choice-{1 + self._choices.index(choice)}-of-{len(self._choices)}"

    def __repr__(self) -> str:
        return say("Your prediction: {answer}", answer=self.answer or self._asked)

    def _made(self, before: str | None) -> ipywidgets.ValueWidget:
        common = {"description": say("Your prediction"), "style": {"description_width": "initial"}}
        if self._choices:
            meant = (one for one in self._choices if before in (one, self._position(one)))
            known = next(meant, None)  # in older files the words are kept
            return ipywidgets.RadioButtons(options=self._choices, value=known, **common)
        return ipywidgets.Text(
            before or "", placeholder=self._asked, continuous_update=False, **common
        )

    def _keep(self, _change: Any) -> None:
        progress_file.save_prediction(self.name, self.kept)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[dict, dict]:
        """Give the line to fill in; where there is no kernel, what a page makes one of."""
        view = {"version_major": 2, "version_minor": 0, "model_id": self.widget.model_id}
        return {_WIDGET_VIEW: view, "text/html": self._html(), "text/plain": repr(self)}, {}

    def _html(self) -> str:
        """Write the question as text with all that a page's script needs to offer an input."""
        data = {"name": self.name, "kind": self._kind, "choices": json.dumps(self._choices)}
        marks = " ".join(f'data-{key}="{html.escape(value)}"' for key, value in data.items())
        return f'<div class="prediction" {marks}>{html.escape(repr(self))}</div>'


class _Listening:
    """Waits for the cell that runs after a prediction, and shows the prediction below its result.

    That cell shows it again whenever it runs again.
    """

    def __init__(self) -> None:
        self._listens = False
        self._asked_now: list[Prediction] = []  # in the cell that runs
        self._waiting: list[Prediction] = []  # in a cell before, for the result to come
        self._below: dict[str, list[Prediction]] = {}  # the id of a result's cell -> what it shows

    def asked(self, prediction: Prediction) -> None:
        """Remember a prediction for the next cell; listen from the first one on."""
        self._asked_now.append(prediction)
        if not self._listens and (shell := ipython()) is not None:
            shell.events.register("post_run_cell", self.ran)
            self._listens = True

    def ran(self, result: Any) -> None:
        """Show what was predicted, if the cell that ended has the result."""
        if self._asked_now:
            self._waiting, self._asked_now = self._asked_now, []
            return
        cell = getattr(result.info, "cell_id", None) or ""
        shown = self._waiting or self._below.get(cell, [])
        self._waiting = []
        if cell and shown:
            self._below[cell] = shown
        if result.success:
            for prediction in filter(lambda one: one.answer, shown):
                _show(say("You predicted: {answer}", answer=prediction.answer))


def _show(line: str) -> None:
    from IPython.display import display

    display({"text/plain": line}, raw=True)


_listening = _Listening()
