"""Lesson 4's live pictures: the worked computation cell by cell, the scale, and tokens to edit."""

import math
from collections.abc import Mapping
from typing import Any

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from torch import Tensor

from tutor.attention import attend, dot_product_scores, scaled_dot_product_attention
from tutor.display.explorer import Explorer, Update, live
from tutor.display.plots import ATTENTION, COLOURS, HIGHLIGHT, INK, NEUTRAL, SmallMap
from tutor.explorers.worked_example import W_K, W_Q, W_V, Matrix, Step, X, worked_steps

_CELL = 58  # pixels a cell of a map takes in step_by_step
_WIDTH, _HEIGHT = 800, 400
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
        names = _path(fig, steps)
        scenes = [_Scene(fig, step) for step in steps]

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
        axes = fig.subplots(1, 4, width_ratios=[4, 3, 3, 3], gridspec_kw={"wspace": 0.08})
        tokens = [f"token {row}" for row in (1, 2, 3)]
        zero = torch.zeros(3, 3)
        x_map = SmallMap(axes[0], X, kind="signed", limit=2, decimals=1, title="X", rows=tokens)
        score_map = SmallMap(axes[1], zero, kind="signed", limit=24, decimals=1, title="Q Kᵀ / √3")
        weight_map = SmallMap(axes[2], zero, kind="attention", decimals=2, title="weights")
        output_map = SmallMap(axes[3], zero, kind="signed", limit=12, decimals=1, title="output")

        def update(**cells: float) -> str:
            x = torch.tensor([cells[name] for name in names]).view(3, 4)
            scaled, weights, output = _attention_of(x)
            for small, numbers in (
                (x_map, x),
                (score_map, scaled),
                (weight_map, weights),
                (output_map, output),
            ):
                small.set(numbers)
            return "Weights: " + " | ".join(_row_text(row, weights[row]) for row in range(3))

        return update

    start = dict(zip(names, X.flatten().tolist(), strict=True))
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
        **{name: (-2.0, 2.0, 0.5, value) for name, value in start.items()},
    )


class _Scene:
    """The maps of one step of `step_by_step`, shown while that step is looked at."""

    def __init__(self, fig: Figure, step: Step) -> None:
        self._step = step
        matrices = [*step.operands, step.result]
        signs = ["·", "="] if len(step.operands) == 2 else ["→"]
        gap = _CELL
        width = sum(matrix.numbers.size(1) * _CELL for matrix in matrices) + gap * len(signs)
        left = (_WIDTH - width) / 2
        self._maps, self._signs = [], []
        for place, matrix in enumerate(matrices):
            self._maps.append(_map_at(fig, matrix, left))
            left += matrix.numbers.size(1) * _CELL
            if place < len(signs):
                self._signs.append(_sign_at(fig, signs[place], left + gap / 2))
            left += gap
        self._marks = [small.mark() for small in self._maps]
        self._work = fig.text(0.5, 0.09, "", ha="center", va="center", fontsize=15)

    def show(self, visible: bool) -> None:
        """Show all of the scene or nothing of it."""
        for small in self._maps:
            small.ax.set_visible(visible)
        for text in (*self._signs, self._work):
            text.set_visible(visible)

    def work_out(self, row: int, column: int) -> str:
        """Fill the result up to this cell, mark what the cell comes from, and return its sum."""
        *operands, result = self._maps
        known = self._step.result.numbers.clone()
        known.view(-1)[row * known.size(1) + column + 1 :] = math.nan
        result.set(known)
        result.put_mark(self._marks[-1], row=row, column=column)
        if self._step.looks_at == "cell":
            operands[0].put_mark(self._marks[0], row=row, column=column)
        else:
            operands[0].put_mark(self._marks[0], row=row)
        if len(operands) == 2:
            operands[1].put_mark(self._marks[1], column=column)
        work = self._step.work(row, column)
        self._work.set_text(work)
        return work


def _map_at(fig: Figure, matrix: Matrix, left: float) -> SmallMap:
    """Draw a matrix with its left edge so many pixels from the picture's, in the middle rows."""
    rows, columns = matrix.numbers.shape
    bottom = 190 - rows * _CELL / 2
    ax = fig.add_axes(
        (
            left / _WIDTH,
            bottom / _HEIGHT,
            columns * _CELL / _WIDTH,
            rows * _CELL / _HEIGHT,
        )
    )
    ax.set_facecolor("#f2f2f2")
    whole = bool((matrix.numbers == matrix.numbers.round()).all())
    decimals = 0 if whole else 3 if matrix.name == "weights" else 2
    limit = 1.0 if matrix.name == "weights" else matrix.numbers.max().item()
    return SmallMap(
        ax, matrix.numbers, kind=matrix.kind, limit=limit, decimals=decimals, title=matrix.name
    )


def _sign_at(fig: Figure, sign: str, middle: float) -> Text:
    return fig.text(
        middle / _WIDTH, 190 / _HEIGHT, sign, ha="center", va="center", fontsize=18, color=INK
    )


def _path(fig: Figure, steps: list[Step]) -> list[Text]:
    """Write the names of all results in a row at the top, an arrow between two."""
    names = []
    for place, step in enumerate(steps):
        x = (place + 0.5) / len(steps)
        names.append(fig.text(x, 0.94, step.result.name, ha="center", va="center", fontsize=13))
        if place:
            x = place / len(steps)
            fig.text(x, 0.94, "→", ha="center", va="center", color=NEUTRAL)
    return names


def _light(name: Text, result: Matrix, ahead: int) -> None:
    """Write a step's name bold if it is looked at, dark if it is behind, grey if it is ahead."""
    name.set_fontweight("bold" if ahead == 0 else "normal")
    name.set_color(COLOURS[result.kind] if ahead == 0 else INK if ahead < 0 else NEUTRAL)


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
