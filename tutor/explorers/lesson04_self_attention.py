"""Lesson 4's live pictures: here the worked computation cell by cell, and tokens to edit.

The others stand in modules of their own beside this one and are imported here.
"""

import math
from typing import Any

import torch
from matplotlib.figure import Figure
from torch import Tensor

from tutor.attention import dot_product_scores, scaled_dot_product_attention
from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.lettering import short
from tutor.display.matrix import Matrix
from tutor.display.palette import INK, KINDS, NEUTRAL, readable
from tutor.display.shapes import Words
from tutor.explorers.all_or_nothing import all_or_nothing
from tutor.explorers.bank import bank_and_its_neighbour, bank_in_sentences
from tutor.explorers.looking_up import drawers, growing_table
from tutor.explorers.triangle import output_among_values
from tutor.explorers.turning import turning_space
from tutor.explorers.worked_example import W_K, W_Q, W_V, WORDS, Operand, Step, X, worked_steps
from tutor.say import say

__all__ = ["EXPLORERS", "drawers"]

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
                formula=steps[step - 1].formula,
                row=WORDS[row],
                column=WORDS[column] if is_table else column + 1,
                work=work,
            )

        return update

    return live(
        draw,
        alt=(
            "The matrices of one step of self-attention side by side, numbers printed in their "
            "cells. A frame marks the cell being worked out and the rows and columns it comes "
            "from; the sum that gives it stands below."
        ),
        play="cell",
        step=(1, len(steps), 1, 1),
        cell=(1, 9, 1, 9),
    )


def edit_the_tokens() -> Explorer:
    """Change the numbers of the three tokens and watch who looks at whom.

    Example:
        >>> edit_the_tokens().caption
        'Weights: the 0.14 0.43 0.43 | river 0.0009 0.91 0.09 | bank 0.01 0.75 0.24'
    """
    names = [f"x{row}{column}" for row in (1, 2, 3) for column in (1, 2, 3, 4)]

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        zero = torch.zeros(3, 3)
        cell = (1.0, 0.85)
        matrices = [
            d.matrix(X, name="X", kind="signed", limit=2, decimals=1, rows=WORDS, cell=cell),
            d.matrix(zero, name="Q Kᵀ / √3", kind="signed", limit=24, decimals=1, cell=cell),
            d.matrix(zero, name="weights", kind="attention", decimals=2, cell=cell),
            d.matrix(zero, name="output", kind="signed", limit=12, decimals=1, cell=cell),
        ]
        d.row(*matrices, at=(8, 1.9))

        def update(**cells: float) -> str:
            x = torch.tensor([cells[name] for name in names]).view(3, 4)
            scaled, weights, output = _attention_of(x)
            for matrix, numbers in zip(matrices, (x, scaled, weights, output), strict=True):
                matrix.set(numbers)
            return say("Weights: {rows}", rows=" | ".join(map(_row_text, WORDS, weights)))

        return update

    start = zip(names, X.flatten().tolist(), strict=True)
    sliders: dict[str, Any] = {name: (-2.0, 2.0, 0.5, value) for name, value in start}
    return live(
        draw,
        alt=(
            "Four small maps side by side: the three tokens, their scaled scores, the weights and "
            "the outputs. Each row of weights sums to 1; editing one token changes its row, as it "
            "asks differently, and its column, as the others see it differently."
        ),
        size=(8.0, 2.2),
        columns=4,
        labels={name: f"x{name[1]},{name[2]}" for name in names},
        tour={
            "as worked out": {},
            "x1,2 is 2": {"x12": 2.0},
            "the is like bank": dict.fromkeys(names[:4], 1.0),
            "all words are alike": dict.fromkeys(names, 1.0),
            "river has other signs": {"x22": -2.0, "x24": -2.0},
        },
        **sliders,
    )


class _Scene:
    """The matrices of one step of `step_by_step`, shown while that step is looked at."""

    def __init__(self, d: Diagram, step: Step) -> None:
        self._step = step
        self._matrices = [_matrix(d, operand) for operand in (*step.operands, step.result)]
        *operands, result = self._matrices
        signs = ["·", "="] if len(operands) == 2 else ["→"]
        formula = [part for pair in zip(operands, signs, strict=True) for part in pair]
        self._parts = d.row(*formula, result, at=(8, 4.1))
        self._work = d.words("", (8, 0.8), size=15)

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
        name=operand.name,
        kind=operand.kind,
        limit=1.0 if is_share else numbers.max().item(),
        decimals=0 if whole else 3 if is_share else 2,
        rows=() if operand.name in ("W_q", "W_k", "W_v", "Kᵀ") else WORDS,
        columns=WORDS if operand.name in (*_TABLES, "Kᵀ") else (),
        cell=(1.1, 1.1),
    )


def _path(d: Diagram, steps: list[Step]) -> list[Words]:
    """Write the names of all results in a row at the top, an arrow between two."""
    names = []
    for place, step in enumerate(steps):
        x = (place + 0.5) * d.width / len(steps)
        names.append(d.words(step.result.name, (x, 7.5), size=13))
        if place:
            d.words("→", (place * d.width / len(steps), 7.5), colour=NEUTRAL)
    return names


def _light(name: Words, result: Operand, ahead: int) -> None:
    """Write a step's name bold if it is looked at, dark if it is behind, grey if it is ahead."""
    name.text.set_fontweight("bold" if ahead == 0 else "normal")
    colour = KINDS[result.kind] if ahead == 0 else INK if ahead < 0 else NEUTRAL
    name.text.set_color(readable(colour))


def _attention_of(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return scaled scores, weights and outputs of the worked example's matrices for tokens x."""
    q, k, v = x @ W_Q, x @ W_K, x @ W_V  # each (3, 3)
    output, weights = scaled_dot_product_attention(q, k, v)
    return dot_product_scores(q, k) / math.sqrt(k.size(-1)), weights, output


def _row_text(word: str, weights: Tensor) -> str:
    return " ".join([word, *(short(weight) for weight in weights.tolist())])


EXPLORERS = (
    bank_and_its_neighbour,
    turning_space,
    output_among_values,
    step_by_step,
    all_or_nothing,
    growing_table,
    bank_in_sentences,
    edit_the_tokens,
)
