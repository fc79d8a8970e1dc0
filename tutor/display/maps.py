"""`show_maps`: the matrices of a formula side by side, with who stands at their edges."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from tutor.display.diagram import Diagram
from tutor.display.matrix import CELL, Matrix
from tutor.display.parts import Part
from tutor.display.plots import Picture
from tutor.say import data, say

_WIDEST = 18.0  # units: a picture of nine inches
_EDGE = 0.25
_SIGNS = ("·", "+", "−", "=", "→")
_TYPED = {"@": "·", "*": "·", "-": "−", "->": "→"}

# What a name of the course stands for; what follows it ("weights_1", "head_0") changes nothing.
_KINDS: Mapping[str, str] = {
    **dict.fromkeys(("Q", "W_q"), "query"),
    **dict.fromkeys(("K", "W_k"), "key"),
    **dict.fromkeys(("V", "W_v", "output", "head", "joined"), "value"),
    **dict.fromkeys(("scores", "scaled", "masked", "weights"), "attention"),
}


class _Edges(NamedTuple):
    """Who asks and who is looked at, as far as they are named."""

    asking: Sequence[str]
    looked_at: Sequence[str]


def show_maps(
    formula: str = "",
    *,
    tokens: Sequence[str] = (),
    looked_at: Sequence[str] | None = None,
    **matrices: ArrayLike,
) -> Picture:
    """Show the matrices of a formula side by side, the numbers in their cells.

    Colours come from the names and the alt text from the numbers, so that a cell says neither. Q,
    K, V, W_q, scores, weights and so on have the colours of their kind; where numbers lie on both
    sides of 0 they are red and blue.

    Args:
        formula: names and operators with spaces between, such as "Q · Kᵀ = scores", where Kᵀ is K
            transposed. Words before an arrow stand over it: "scaled softmax → weights". Names
            without an operator stand side by side; without a formula all do.
        tokens: the words that ask: one for each row.
        looked_at: the words that are looked at: one for each row of K and V and each column of a
            table of attention. Unless given they are those that ask.
        matrices: the numbers, by name.

    Raises:
        ValueError: if the formula and the names of the matrices do not fit together.

    Example:
        >>> import torch
        >>> show_maps("Q · Kᵀ = scores", Q=torch.eye(2), K=torch.eye(2), scores=torch.eye(2))
        Matrices: Q · Kᵀ = scores. Q: 1 0 / 0 1. Kᵀ: 1 0 / 0 1. scores: 1 0 / 0 1.
    """
    pieces = _pieces(formula, matrices)
    edges = _Edges(tokens, tokens if looked_at is None else looked_at)

    def place(fig: Figure, scale: float, at: tuple[float, float] = (0.0, 0.0)) -> list[Part]:
        d = Diagram(fig)
        drawn = [_drawn(d, piece, matrices, edges, scale) for piece in pieces]
        return d.row(*drawn, at=at)

    whole = place(Figure(), 1.0)
    cells = sum(part.width for part in whole if isinstance(part, Matrix))
    scale = min(1.0, 1.0 - (_room(whole)[0] - _WIDEST) / cells)  # names do not shrink
    width, height, below = _room(place(Figure(), scale))

    def draw(fig: Figure) -> None:
        place(fig, scale, at=(width / 2, below))

    names = formula.strip() or ", ".join(matrices)
    return Picture(draw, alt=say("Matrices: {names}.", names=names), size=(width / 2, height / 2))


def _pieces(formula: str, matrices: Mapping[str, ArrayLike]) -> list[str]:
    """Split a formula into names and operators, the words over an arrow with their arrow."""
    if not formula:
        return list(matrices)
    pieces: list[str] = []
    waiting: list[str] = []
    for word in formula.replace(".T", "ᵀ").split():
        waiting.append(_TYPED.get(word, word))
        if waiting[-1] in _SIGNS or (len(waiting) == 1 and _name(word) in matrices):
            pieces.append(" ".join(waiting))
            waiting.clear()
    named = {_name(piece) for piece in pieces} & set(matrices)
    if waiting or named != set(matrices):
        raise ValueError(
            say(
                "the formula is {formula!r} and the matrices are {matrices}; expected each "
                "of them in it, and nothing else but {signs} and words before an arrow",
                formula=formula,
                matrices=[*matrices],
                signs=", ".join(_SIGNS),
            )
        )
    return pieces


def _name(piece: str) -> str:
    return piece.removesuffix("ᵀ")


def _drawn(
    d: Diagram, piece: str, matrices: Mapping[str, ArrayLike], edges: _Edges, scale: float
) -> Part | str:
    """Draw a matrix with the names that fit its rows and columns; leave an operator as it is."""
    if _name(piece) not in matrices:
        return piece
    numbers = np.asarray(matrices[_name(piece)])
    kind = _kind(_name(piece))
    if numbers.dtype == bool:  # who may look at whom
        kind = "attention"
    is_table = kind == "attention"
    rows: Sequence[str] = edges.looked_at if kind in ("key", "value") else edges.asking
    if piece.startswith(("output", "head", "joined")):
        rows = edges.asking
    columns: Sequence[str] = edges.looked_at if is_table else ()
    if piece.startswith("W_"):
        rows = columns = ()
    if piece.endswith("ᵀ"):
        numbers, rows, columns = numbers.T, columns, rows
    return d.matrix(
        numbers,
        name=data(piece),  # of the code
        kind=kind,
        rows=rows if len(rows) == len(numbers) else (),
        columns=columns if len(columns) == numbers.shape[-1] else (),
        asks=say("who asks") if is_table and rows else "",
        looked_at=say("is looked at") if is_table and columns else "",
        cell=_cell(numbers.shape[-1], scale),
    )


def _kind(name: str) -> str:
    """Return what kind of numbers a name of the course stands for."""
    stem = name if name in _KINDS else name.rpartition("_")[0]
    return _KINDS.get(stem, "neutral")


def _cell(columns: int, scale: float) -> tuple[float, float]:
    """Return the size of a cell: as usual, or smaller where there are too many for numbers."""
    side = CELL[0] if columns <= 12 else 12 * CELL[0] / columns
    return (scale * side, scale * CELL[1] * side / CELL[0])


def _room(parts: Sequence[Part]) -> tuple[float, float, float]:
    """Return width and height that parts in a row need, and where the middle of the row stands."""
    margins = [part.margins if isinstance(part, Matrix) else (0.0, 0.0, 0.0, 0.0) for part in parts]
    pairs = list(zip(parts, margins, strict=True))
    wide = [part.width + left + right for part, (left, right, _, _) in pairs]
    below = max(part.height / 2 + low for part, (_, _, low, _) in pairs)
    above = max(part.height / 2 + high for part, (_, _, _, high) in pairs)
    width = max(part.right[0] for part in parts) - min(part.left[0] for part in parts)
    width = max(width + margins[0][0] + margins[-1][1], max(wide))
    return width + 2 * _EDGE, below + above + 2 * _EDGE, below + _EDGE
