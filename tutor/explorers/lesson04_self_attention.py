"""Lesson 4's live pictures: the worked computation cell by cell, the scale, and tokens to edit."""

import math
from collections.abc import Mapping
from typing import Any

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import Tensor

from tutor.attention import attend, dot_product_scores, scaled_dot_product_attention
from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.matrix import Matrix
from tutor.display.palette import ATTENTION, HIGHLIGHT, INK, KINDS, NEUTRAL, readable
from tutor.display.shapes import Words
from tutor.explorers.worked_example import W_K, W_Q, W_V, Operand, Step, X, worked_steps

_SIZES = [4, 8, 16, 32, 64, 128, 256, 512]
_KEYS = 8
_DRAWS = 200


def step_by_step() -> Explorer:
    """Walk through the worked computation, from the tokens to their outputs, one cell at a time.

    Example:
        >>> step_by_step().frame(step=4, cell=6).caption
        'Step 4 of 7: scores = Q Kᵀ, shape (3, 3). Row 2, column 3: 2·2 + 2·3 + 2·1 = 12'
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
            return (
                f"Step {step} of {len(steps)}: {steps[step - 1].formula}, shape (3, 3). "
                f"Row {row + 1}, column {column + 1}: {work}"
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


def scale_and_saturation() -> Explorer:
    """Show what the division by √d_k does to one query's weights and to the gradient.

    Example:
        >>> scale_and_saturation().frame(d_k=4, scale=True).caption[:18]
        'd_k = 4, scale on:'
    """
    measured = {(d_k, scale): _middle_case(d_k, scale) for d_k in _SIZES for scale in (True, False)}

    def draw(fig: Figure, **_start: Any) -> Update:
        left, right = fig.subplots(1, 2)
        bars = left.bar(range(1, _KEYS + 1), [0.0] * _KEYS, color=ATTENTION)
        left.set(ylim=(0, 1), xlabel="key, the best first", title="Weights of one query")
        _draw_gradients(right, measured)
        (here,) = right.plot([], [], "o", markersize=14, fillstyle="none", color=HIGHLIGHT)

        def update(d_k: int, scale: bool) -> str:
            weights, gradient = measured[d_k, scale]
            for bar, weight in zip(bars, weights.tolist(), strict=True):
                bar.set_height(weight)
            here.set_data([d_k], [gradient])
            return (
                f"d_k = {d_k}, scale {'on' if scale else 'off'}: largest weight {weights[0]:.2f}, "
                f"gradient {gradient:.1e}; each the median of {_DRAWS} queries"
            )

        return update

    return live(
        draw,
        alt=(
            "Bars show the weights one query gives to eight keys, the best first; two curves show "
            "the size of the gradient that reaches q against d_k. With the scale off, the first "
            "key takes nearly all the weight as d_k grows, and beyond 32 the gradient of the query "
            "in the middle falls more than a hundredfold; with it on, the bars stay spread and the "
            "gradient keeps its size."
        ),
        d_k=(_SIZES, 64),
        scale=False,
        labels={"scale": "divide by √d_k"},
    )


def edit_the_tokens() -> Explorer:
    """Change the numbers of the three tokens and watch who looks at whom.

    Example:
        >>> edit_the_tokens().caption
        'Weights: token 1 .14 .43 .43 | token 2 .00 .91 .09 | token 3 .01 .75 .24'
    """
    names = [f"x{row}{column}" for row in (1, 2, 3) for column in (1, 2, 3, 4)]

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        tokens, zero = [f"token {row}" for row in (1, 2, 3)], torch.zeros(3, 3)
        cell = (1.0, 0.85)
        matrices = [
            d.matrix(X, name="X", kind="signed", limit=2, decimals=1, rows=tokens, cell=cell),
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
            return "Weights: " + " | ".join(_row_text(row, weights[row]) for row in range(3))

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
            "token 1 is like token 3": dict.fromkeys(names[:4], 1.0),
            "all tokens are alike": dict.fromkeys(names, 1.0),
            "token 2 has other signs": {"x22": -2.0, "x24": -2.0},
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
        cell=(1.2, 1.1),
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


def _middle_case(d_k: int, scale: bool) -> tuple[Tensor, float]:
    """Return the weights of the query whose largest weight is the median, largest first.

    Beside them stands the median size of the gradient that reaches a query. Queries, keys, values
    and the gradient at the output hold independent normal numbers.
    """
    generator = torch.Generator().manual_seed(4)
    q, k, v, at_output = (
        torch.randn(_DRAWS, rows, width, generator=generator, dtype=torch.float64)
        for rows, width in ((1, d_k), (_KEYS, d_k), (_KEYS, 8), (1, 8))
    )
    q.requires_grad_()
    scores = dot_product_scores(q, k) / (math.sqrt(d_k) if scale else 1.0)  # (draws, 1, keys)
    output, weights = attend(scores, v)
    (gradient,) = torch.autograd.grad(output, q, at_output)
    best_first = weights.detach()[:, 0].sort(descending=True).values  # (draws, keys)
    middle = best_first[:, 0].median(0).indices
    return best_first[middle], gradient.norm(dim=-1).median().item()


def _draw_gradients(ax: Axes, measured: Mapping[tuple[int, bool], tuple[Tensor, float]]) -> None:
    for scale, colour, dash in ((True, INK, "-"), (False, NEUTRAL, "--")):
        sizes = [measured[d_k, scale][1] for d_k in _SIZES]
        label = f"scale {'on' if scale else 'off'}"
        ax.plot(_SIZES, sizes, marker=".", color=colour, linestyle=dash, label=label)
    ax.set_xscale("log", base=2)
    ax.set_yscale("log")
    ax.set_xticks(_SIZES, [str(d_k) for d_k in _SIZES])
    ax.set(xlabel="d_k", title="Size of the gradient reaching q")
    ax.grid(visible=True)
    ax.legend(loc="lower left")


def _attention_of(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return scaled scores, weights and outputs of the worked example's matrices for tokens x."""
    q, k, v = x @ W_Q, x @ W_K, x @ W_V  # each (3, 3)
    output, weights = scaled_dot_product_attention(q, k, v)
    return dot_product_scores(q, k) / math.sqrt(k.size(-1)), weights, output


def _row_text(row: int, weights: Tensor) -> str:
    numbers = " ".join(f"{weight:.2f}".removeprefix("0") for weight in weights.tolist())
    return f"token {row + 1} {numbers}"


EXPLORERS = (step_by_step, scale_and_saturation, edit_the_tokens)
