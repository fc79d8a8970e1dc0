"""Lesson 4's worked computation, from the tokens to their outputs, one cell at a time."""

import math
from typing import Any

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.matrix import Matrix
from tutor.display.palette import INK, KINDS, NEUTRAL, readable
from tutor.display.regions import touch, touch_cells
from tutor.display.shapes import Words
from tutor.display.style import TITLE
from tutor.explorers.worked_example import WORDS, Operand, WorkedStep, worked_steps
from tutor.say import say

_TABLES = ("scores", "scaled", "weights")


def step_by_step() -> Explorer:
    """Walk through the worked computation, from the tokens to their outputs, one cell at a time.

    Example:
        >>> step_by_step().frame(step=4, cell=6).caption
        'Step 4 of 7: scores = Q Kᵀ, shape (3, 3). Row river, column bank: 2·2 + 2·3 + 2·1 = 12'
    """
    steps = worked_steps()

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        names = _path(d, steps)
        scenes = [_Scene(d, step) for step in steps]
        for number, name in enumerate(names, 1):
            touch(name, step=number)

        def update(step: int, cell: int) -> str:
            row, column = divmod(cell - 1, 3)
            for number, (scene, name) in enumerate(zip(scenes, names, strict=True), 1):
                scene.show(number == step)
                _light(name, steps[number - 1].result, number - step)
            work = scenes[step - 1].work_out(row, column)
            is_table = steps[step - 1].result.name in _TABLES
            return say(
                "Step {step} of {steps}: {formula}, shape (3, 3). Row {row}, column {column}: "
                "{work}",
                step=step,
                steps=len(steps),
                formula=say(steps[step - 1].formula),
                row=WORDS[row],
                column=WORDS[column] if is_table else column + 1,
                work=work,
            )

        return update

    return live(
        draw,
        alt=say(
            "The matrices of one step of self-attention side by side, numbers printed in their "
            "cells. A frame marks the cell being worked out and the rows and columns it comes "
            "from; the sum that gives it stands below."
        ),
        play="cell",
        step=(1, len(steps), 1, 1),
        cell=(1, 9, 1, 9),
    )


class _Scene:
    """The matrices of one step of `step_by_step`, shown while that step is looked at."""

    def __init__(self, d: Diagram, step: WorkedStep) -> None:
        self._step = step
        self._matrices = [_matrix(d, operand) for operand in (*step.operands, step.result)]
        *operands, result = self._matrices
        signs = ["·", "="] if len(operands) == 2 else ["→"]
        formula = [part for pair in zip(operands, signs, strict=True) for part in pair]
        self._parts = d.row(*formula, result, at=(8, 4.1))
        self._work = d.words("", (8, 0.8), size=TITLE)
        touch_cells(result, each=("cell", range(1, 10)))

    def show(self, visible: bool) -> None:
        """Show all of the scene or nothing of it."""
        for part in (*self._parts, self._work):
            part.show(visible)

    def work_out(self, row: int, column: int) -> str:
        """Fill the result up to this cell, mark what the cell comes from, and return its sum."""
        *operands, result = self._matrices
        known = self._step.result.numbers.clone()
        known.view(-1)[row * known.size(1) + column + 1 :] = math.nan
        result.set(known)
        result.mark(row=row, column=column)
        operands[0].mark(row=row, column=column if self._step.looks_at == "cell" else None)
        if len(operands) == 2:
            operands[1].mark(column=column)
        work = self._step.work(row, column)
        self._work.write(work)
        return work


def _matrix(d: Diagram, operand: Operand) -> Matrix:
    numbers, is_share = operand.numbers, operand.name == "weights"
    whole = bool((numbers == numbers.round()).all())
    return d.matrix(
        numbers,
        name=say(operand.name),
        kind=operand.kind,
        limit=1.0 if is_share else numbers.max().item(),
        decimals=0 if whole else 3 if is_share else 2,
        rows=() if operand.name in ("W_q", "W_k", "W_v", "Kᵀ") else WORDS,
        columns=WORDS if operand.name in (*_TABLES, "Kᵀ") else (),
        cell=(1.1, 1.1),
    )


def _path(d: Diagram, steps: list[WorkedStep]) -> list[Words]:
    """Write the names of all results in a row at the top, an arrow between two."""
    names = []
    for place, step in enumerate(steps):
        x = (place + 0.5) * d.width / len(steps)
        names.append(d.words(say(step.result.name), (x, 7.5), size=TITLE))
        if place:
            d.words("→", (place * d.width / len(steps), 7.5), colour=NEUTRAL)
    return names


def _light(name: Words, result: Operand, ahead: int) -> None:
    """Write a step's name bold if it is looked at, dark if it is behind, grey if it is ahead."""
    name.text.set_fontweight("bold" if ahead == 0 else "normal")
    colour = KINDS[result.kind] if ahead == 0 else INK if ahead < 0 else NEUTRAL
    name.text.set_color(readable(colour))
