"""Predictions: an embedded batch's shape, the nearest of three rows, a remarkable cosine."""

import math
from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Exercise, Mistake
from tutor.checking.seeds import Rng
from tutor.say import say


def _shape_case(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    words = sorted((rng.permutation(6) + 2)[:3].tolist())
    words = [words[index] for index in rng.permutation(3).tolist()]
    return {
        "yours": {
            "words": torch.tensor(words),
            "max_length": max(words) + 4 + rng.number(1, 3),
            "D": rng.choice([16, 32, 64]),
        }
    }


def _shape(words: Tensor, max_length: int, D: int) -> list[int]:
    return [len(words), min(int(words.max()) + 2, max_length), D]


predict_embedded_shape = Exercise(
    "predict_embedded_shape",
    points=1,
    reference=_shape,
    cases=_shape_case,
    question=lambda words, max_length, D: say(
        "Sentences of {words} words are encoded by encode_batch with max_length "
        "{max_length} and embedded with d_model {D}. What shape has the result? Answer "
        "with a list of numbers.",
        words=", ".join(map(str, words.tolist())),
        max_length=max_length,
        D=D,
    ),
    mistakes=[
        Mistake(
            "shape-without-special",
            lambda words, max_length, D: [len(words), int(words.max()), D],
            "You counted the words of the longest sentence. What stands around them?",
        ),
        Mistake(
            "shape-one-special",
            lambda words, max_length, D: [len(words), int(words.max()) + 1, D],
            "You counted one special token. Which two are added?",
        ),
        Mistake(
            "shape-maximum",
            lambda words, max_length, D: [len(words), max_length, D],
            "You filled every row to max_length. Up to which length are rows filled?",
        ),
        Mistake(
            "shape-shortest",
            lambda words, max_length, D: [len(words), int(words.min()) + 2, D],
            "You took the shortest sentence. Are the others cut, or is it filled?",
        ),
        Mistake(
            "shape-all-words",
            lambda words, max_length, D: [int(words.sum()) + 2 * len(words), D],
            "You put all tokens in one row. How does a batch keep sentences apart?",
        ),
        Mistake(
            "shape-ids-only",
            lambda words, max_length, D: [len(words), int(words.max()) + 2],
            "That is the shape of the ids. What does each id become?",
        ),
        Mistake(
            "shape-width-second",
            lambda words, max_length, D: [len(words), D, int(words.max()) + 2],
            "The three numbers are right. In which order do they come?",
        ),
    ],
    hints=["First the ids: how many rows, how long is the longest with bos and eos?"],
)


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


def _tables_case(seed: int) -> Mapping[str, Arguments]:
    """Draw a pair's cosine in three tables; each stands out by one measure."""
    rng = Rng(seed)
    while True:
        cosine = rng.integers(6, 18, 3) / 20  # steps of .05
        mean = rng.integers(0, 5, 3) / 10
        deviation = rng.integers(1, 4, 3) / 20
        given = {"cosine": cosine, "mean": mean, "deviation": deviation}
        above = (cosine - mean).sort().values
        steps = ((cosine - mean) / deviation).sort().values
        winners = {_by_deviations(**given), _by_difference(**given), int(cosine.argmax())}
        gaps = (cosine.sort().values.diff()[-1], above.diff()[-1], steps.diff()[-1] / 10)
        if len(winners) == 3 and min(gaps) > 0.04 and above[0] > 0:
            return {"yours": given}


def _listed(numbers: Tensor) -> str:
    return ", ".join(f"{number:.2f}" for number in numbers.tolist())


def _by_deviations(cosine: Tensor, mean: Tensor, deviation: Tensor) -> int:
    return int(((cosine - mean) / deviation).argmax())


def _by_difference(cosine: Tensor, mean: Tensor, deviation: Tensor) -> int:
    return int((cosine - mean).argmax())


predict_remarkable = Exercise(
    "predict_remarkable",
    points=1,
    reference=_by_deviations,
    cases=_tables_case,
    question=lambda cosine, mean, deviation: say(
        "In three tables (0, 1, 2) two words have the cosines {cosines}. The cosines of random "
        "pairs have the means {means} there, and the standard deviations {deviations}. In which "
        "table would so large a cosine come about by chance least easily? Answer 0, 1 or 2.",
        cosines=_listed(cosine),
        means=_listed(mean),
        deviations=_listed(deviation),
    ),
    mistakes=[
        Mistake(
            "remarkable-by-cosine",
            lambda cosine, mean, deviation: int(cosine.argmax()),
            "That is the largest cosine. How large are cosines in its table anyway?",
        ),
        Mistake(
            "remarkable-by-difference",
            _by_difference,
            "That cosine is farthest above its table's mean. How far from the mean do cosines lie "
            "there by chance?",
        ),
    ],
    hints=[
        "Take each table's mean off. What is left is how far the pair lies above a usual one.",
        "Now count in standard deviations: how many of its table's does each pair lie above?",
    ],
)

EXERCISES = (predict_embedded_shape, predict_nearest_row, predict_remarkable)
