"""Read a table of weights: a number that is missing, two equal words, and what no weight can be."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Exercise, Mistake
from tutor.checking.seeds import Rng
from tutor.say import data, say

WORDS = ("YOUR", "CAT", "IS", "A", "LOVELY", "CAT")
_FIRST_CAT, _SECOND_CAT = 1, 5
_PRINTED = (6.319, 0.909, -0.072, 0.432)
_LEAST = 3  # hundredths that every word gets


def _table_case(seed: int) -> Mapping[str, Arguments]:
    """Draw a table whose missing weight is none that the usual slips give."""
    rng = Rng(seed)
    while True:
        hundredths = _told_apart(rng) if rng.number(0, 1) else _without_positions(rng)
        row, column = (int(place) for place in rng.permutation(6)[:2])
        table = hundredths.double() / 100
        yours = {"table": table, "row": row, "column": column, "printed": rng.choice(_PRINTED)}
        slips = (_column_rest(table, row, column), table[column, row].item(), 1 / 6)
        if all(abs(table[row, column].item() - slip) > 0.02 for slip in slips):
            return {"yours": yours}


def _shares(rng: Rng, count: int, total: int) -> Tensor:
    """Divide a total into so many whole numbers, none below the least."""
    free = total - _LEAST * count
    cuts = rng.integers(0, free, count - 1).sort().values
    ends = torch.cat([torch.tensor([0]), cuts, torch.tensor([free])])
    return ends.diff() + _LEAST


def _told_apart(rng: Rng) -> Tensor:
    return torch.stack([_shares(rng, 6, 100) for _ in WORDS])


def _without_positions(rng: Rng) -> Tensor:
    """Let equal words ask alike and be looked at alike."""
    rows = []
    for _ in range(5):
        cat = rng.number(_LEAST, 20)
        your, is_, a, lovely = _shares(rng, 4, 100 - 2 * cat).tolist()
        rows.append(torch.tensor([your, cat, is_, a, lovely, cat]))
    return torch.stack([*rows, rows[_FIRST_CAT]])


def _read(table: Tensor, row: int, column: int, printed: float) -> list[float]:
    alike = torch.equal(table[_FIRST_CAT], table[_SECOND_CAT])
    return [table[row, column].item(), 0.0 if alike else 1.0, 1.0 if 0 <= printed <= 1 else 0.0]


def _column_rest(table: Tensor, row: int, column: int) -> float:
    """Fill a column up to 1, as if columns were shares."""
    return 1 - (table[:, column].sum() - table[row, column]).item()


def _question(table: Tensor, row: int, column: int, printed: float) -> str:
    """Write the table with the missing weight as a question mark, then the three questions."""
    cells = [[f"{weight:.2f}".removeprefix("0") for weight in line] for line in table.tolist()]
    cells[row][column] = "?"
    lines = [data("".join(f"{cell:>8}" for cell in ("", *WORDS)))]
    lines += [
        data("".join(f"{cell:>8}" for cell in (word, *line))) for word, line in zip(WORDS, cells)
    ]
    asked = say(
        "A model's weights, one row for each word that asks. (1) Which weight stands at the "
        "question mark? (2) Had the words been given positions: 1 for yes, 0 for no? (3) A "
        "program prints {printed} as a weight. Can it be one: 1 for yes, 0 for no? Answer with "
        "a list of three numbers.",
        printed=printed,
    )
    return "\n".join([*lines, asked])


def _slip(missing: Callable[[Tensor, int, int], float]) -> Callable[..., list[float]]:
    """Read all right but the missing weight."""

    def read(table: Tensor, row: int, column: int, printed: float) -> list[float]:
        return [missing(table, row, column), *_read(table, row, column, printed)[1:]]

    return read


def _turned(place: int) -> Callable[..., list[float]]:
    """Read all right, but say no for yes or yes for no at one place."""

    def read(*case: Any) -> list[float]:
        answers = _read(*case)
        answers[place] = 1.0 - answers[place]
        return answers

    return read


predict_table = Exercise(
    "predict_table",
    points=1,
    reference=_read,
    cases=_table_case,
    absolute=0.005,
    question=_question,
    mistakes=[
        Mistake(
            "table-column-filled",
            _slip(lambda table, row, column: _column_rest(table, row, column)),
            "You filled the column up to 1. Who shares out one whole: the word that asks, or the "
            "word that is looked at?",
        ),
        Mistake(
            "table-rest-of-row",
            _slip(lambda table, row, column: 1 - table[row, column].item()),
            "You have what the other five words get together. How much is left for this one?",
        ),
        Mistake(
            "table-percent",
            _slip(lambda table, row, column: 100 * table[row, column].item()),
            "Your first number is a hundred times too large. What does a row of weights sum to?",
        ),
        Mistake(
            "table-mirrored",
            _slip(lambda table, row, column: table[column, row].item()),
            "You read the weight on the other side of the diagonal. Does a word give back what it "
            "is given?",
        ),
        Mistake(
            "table-even-share",
            _slip(lambda table, row, column: 1 / len(WORDS)),
            "You gave the word an even share. What do the other five weights of its row leave?",
        ),
        Mistake(
            "table-positions-confused",
            _turned(1),
            "Compare the rows of the two CATs, number by number. If nothing told them apart, could "
            "they ask differently?",
        ),
        Mistake(
            "table-no-weight",
            _turned(2),
            "The first two answers are right. Between which two numbers does every weight lie?",
        ),
        Mistake(
            "table-number-alone",
            lambda *case: _read(*case)[0],
            "Your weight is right. How many questions are asked?",
        ),
    ],
    hints=[
        "Softmax goes along a row: what do the six weights of a word that asks sum to?",
        "Equal words without positions have equal queries and equal keys. What does that mean for "
        "their rows, and for their columns?",
    ],
)
