"""predict_remarkable: how large a cosine may be by chance."""

from collections.abc import Mapping

from torch import Tensor

from tutor.checking.exercise import Arguments, Exercise, Mistake
from tutor.checking.seeds import Rng
from tutor.say import say


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
