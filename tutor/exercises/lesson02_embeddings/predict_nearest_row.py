"""predict_nearest_row: which of three rows points most nearly the same way."""

import math
from collections.abc import Mapping

from torch import Tensor

from tutor.checking.exercise import Arguments, Exercise, Mistake
from tutor.checking.seeds import Rng
from tutor.say import say


def _rows_case(seed: int) -> Mapping[str, Arguments]:
    """Draw three rows: one short and well aimed, one long, one near; each wins by one measure."""
    rng = Rng(seed)
    while True:
        query, table = rng.integers(1, 4, 2), rng.integers(-1, 9, 3, 2)
        winners = {_by_cosine(query, table), _by_dot(query, table), _by_distance(query, table)}
        gaps = _cosines(query, table).sort().values.diff()  # NaN, and so no gap, for a zero row
        if len(winners) == 3 and bool((gaps > 0.02).all()):
            return {"yours": {"query": query, "table": table}}


def _cosines(query: Tensor, table: Tensor) -> Tensor:
    return table @ query / (table.float().norm(dim=-1) * math.hypot(*query.tolist()))


def _by_cosine(query: Tensor, table: Tensor) -> int:
    return int(_cosines(query, table).argmax())


def _by_dot(query: Tensor, table: Tensor) -> int:
    return int((table @ query).argmax())


def _by_distance(query: Tensor, table: Tensor) -> int:
    return int((table - query).float().norm(dim=-1).argmin())


predict_nearest_row = Exercise(
    "predict_nearest_row",
    points=1,
    reference=_by_cosine,
    cases=_rows_case,
    question=lambda query, table: say(
        "The query is {query}, the rows are 0: {first}, 1: {second}, 2: {third}. Which "
        "row (0, 1 or 2) is nearest by cosine similarity? A drawing helps more than a "
        "calculation.",
        query=query.tolist(),
        first=table[0].tolist(),
        second=table[1].tolist(),
        third=table[2].tolist(),
    ),
    mistakes=[
        Mistake(
            "nearest-by-dot-product",
            _by_dot,
            "That row has the largest dot product. Is it the direction that makes it large, or the "
            "length?",
        ),
        Mistake(
            "nearest-by-distance",
            _by_distance,
            "That row lies nearest. Does it also point the way the query points?",
        ),
    ],
    hints=["Draw the four vectors from the origin. Which arrow makes the smallest angle?"],
)
