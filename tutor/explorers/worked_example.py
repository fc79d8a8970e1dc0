"""The worked example of the course: three tokens, small integers, every number in reach of a pen.

Lesson 4 works it out by hand; later lessons carry it on.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from tutor.attention import dot_product_scores, scaled_dot_product_attention
from tutor.say import later

WORDS = ("the", "river", "bank")
X = torch.tensor([[1.0, 0.0, 1.0, 0.0], [0.0, 2.0, 0.0, 2.0], [1.0, 1.0, 1.0, 1.0]])
SAVINGS = torch.tensor([3.0, 0.0, 3.0, 0.0])  # stands in for *river*
W_Q = torch.tensor([[1.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
W_K = torch.tensor([[0.0, 0.0, 1.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]])
W_V = torch.tensor([[0.0, 2.0, 0.0], [0.0, 3.0, 0.0], [1.0, 0.0, 3.0], [1.0, 1.0, 0.0]])


def phrase(middle: str) -> tuple[list[str], Tensor]:
    """Give the words and the rows of *the river bank*, or of *the savings bank*.

    Example:
        >>> phrase("savings")[1][1]
        tensor([3., 0., 3., 0.])
    """
    x = X.clone()
    if middle == "savings":
        x[1] = SAVINGS
    return [WORDS[0], middle, WORDS[2]], x


class Operand(NamedTuple):
    """A matrix of the computation: its name, its numbers, and what kind they are of."""

    name: str
    numbers: Tensor
    kind: str


class WorkedStep(NamedTuple):
    """One step: what goes in, what comes out, and how a cell of it is worked out.

    Attributes:
        formula: the step in symbols.
        operands: the matrices it takes, one or two.
        result: the matrix it gives.
        looks_at: what of the operands cell (row, column) of the result is made from: "cell",
            "row", or "row and column" for a product.
        work: the sum that gives the cell (row, column), in figures.
    """

    formula: str
    operands: tuple[Operand, ...]
    result: Operand
    looks_at: str
    work: Callable[[int, int], str]


def worked_steps() -> list[WorkedStep]:
    """Return the seven steps from tokens to outputs, each with all its numbers.

    Example:
        >>> steps = worked_steps()
        >>> [step.result.name for step in steps]
        ['Q', 'K', 'V', 'scores', 'scaled', 'weights', 'output']
        >>> steps[3].work(1, 2)
        '2·2 + 2·3 + 2·1 = 12'
    """
    x = Operand("X", X, "neutral")  # (3 tokens, 4 features)
    q = Operand("Q", X @ W_Q, "query")  # (3, 3), as all that follow
    k = Operand("K", X @ W_K, "key")
    v = Operand("V", X @ W_V, "value")
    raw = Operand(later("scores"), dot_product_scores(q.numbers, k.numbers), "attention")
    scaled = Operand(later("scaled"), raw.numbers / math.sqrt(k.numbers.size(-1)), "attention")
    output, weights = scaled_dot_product_attention(q.numbers, k.numbers, v.numbers)
    share = Operand(later("weights"), weights, "attention")
    return [
        _product("Q = X W_q", x, Operand("W_q", W_Q, "query"), q),
        _product("K = X W_k", x, Operand("W_k", W_K, "key"), k),
        _product("V = X W_v", x, Operand("W_v", W_V, "value"), v),
        _product(later("scores = Q Kᵀ"), q, Operand("Kᵀ", k.numbers.T, "key"), raw),
        WorkedStep(later("scaled = scores / √3"), (raw,), scaled, "cell", _scaling(raw, scaled)),
        WorkedStep(
            later("weights = row softmax"), (scaled,), share, "row", _softmax(scaled, share)
        ),
        _product(later("output = weights V"), share, v, Operand(later("output"), output, "value")),
    ]


def short(number: float) -> str:
    """Write a number as one would by hand: whole if it is whole, else with up to three decimals.

    Example:
        >>> short(4.0), short(0.43194), short(6.3194)
        ('4', '.432', '6.319')
    """
    if float(number).is_integer():
        return f"{number:.0f}"
    return f"{number:.3f}".replace("0.", ".", 1) if abs(number) < 1 else f"{number:.3f}"


def _product(formula: str, left: Operand, right: Operand, result: Operand) -> WorkedStep:
    def work(row: int, column: int) -> str:
        pairs = zip(left.numbers[row].tolist(), right.numbers[:, column].tolist(), strict=True)
        sum_of_products = " + ".join(f"{short(a)}·{short(b)}" for a, b in pairs)
        return f"{sum_of_products} = {short(result.numbers[row, column].item())}"

    return WorkedStep(formula, (left, right), result, "row and column", work)


def _scaling(scores: Operand, scaled: Operand) -> Callable[[int, int], str]:
    def work(row: int, column: int) -> str:
        return (
            f"{short(scores.numbers[row, column].item())} / √3 = "
            f"{short(scaled.numbers[row, column].item())}"
        )

    return work


def _softmax(scaled: Operand, weights: Operand) -> Callable[[int, int], str]:
    def work(row: int, column: int) -> str:
        powers = [f"e^{short(number)}" for number in scaled.numbers[row].tolist()]
        return (
            f"{powers[column]} / ({' + '.join(powers)}) = "
            f"{short(weights.numbers[row, column].item())}"
        )

    return work
