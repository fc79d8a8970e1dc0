"""top_p_probabilities: as many of the most likely words as it takes to reach a given mass."""

from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.exercises.lesson09_output_softmax.top_p_probabilities_mistakes import MISTAKES
from tutor.output import top_p_probabilities as restrict
from tutor.say import say


def _top_p_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    return {
        "a batch": {"probabilities": _clear(rng, 0.7, 2, 3, 7), "threshold": 0.7},
        "high threshold": {"probabilities": _clear(rng, 0.9, 4, 6), "threshold": 0.9},
        "low threshold": {"probabilities": _clear(rng, 0.3, 3, 8), "threshold": 0.3},
        "one row": {"probabilities": _clear(rng, 0.6, 6), "threshold": 0.6},
        "square": {"probabilities": _clear(rng, 0.8, 5, 5), "threshold": 0.8},
        "batches of batches": {"probabilities": _clear(rng, 0.5, 2, 1, 3, 5), "threshold": 0.5},
        "one word is enough": {
            "probabilities": torch.tensor([[0.9, 0.06, 0.04], [0.05, 0.1, 0.85]]),
            "threshold": 0.8,
        },
        "all words are needed": {"probabilities": _clear(rng, 0.99, 2, 4), "threshold": 0.999},
        "hardly any mass": {"probabilities": _clear(rng, 0.01, 3, 5), "threshold": 0.01},
        "an impossible word": {
            "probabilities": torch.tensor([[0.0, 0.55, 0.25, 0.2], [0.3, 0.13, 0.57, 0.0]]),
            "threshold": 0.7,
        },
        "one word": {"probabilities": torch.ones(2, 1), "threshold": 0.6},
        EXAMPLE: {"probabilities": torch.tensor([0.1, 0.5, 0.25, 0.15]), "threshold": 0.7},
    }


def _clear(rng: Rng, threshold: float, *shape: int) -> Tensor:
    """Draw probabilities with no ties and no running sum near the threshold, unlike row by row."""
    while True:
        probabilities = torch.softmax(1.2 * rng.normal(*shape), dim=-1)
        ranked = probabilities.sort(dim=-1, descending=True).values
        clear = (ranked.cumsum(-1) - threshold).abs().min() > 0.01
        if clear and ranked.diff(dim=-1).abs().min() > 1e-3:
            return probabilities


def _rows_sum_to_one(call: Call) -> str | None:
    total = call(torch.tensor([0.15, 0.5, 0.25, 0.1]), 0.7).sum().item()
    if abs(total - 1) < 1e-3:
        return None
    return say(
        "From [0.15, 0.5, 0.25, 0.1] and 0.7, your probabilities sum to {total:.3f}.",
        total=total,
    )


def _right_words(call: Call) -> str | None:
    found = call(torch.tensor([0.15, 0.5, 0.25, 0.1]), 0.7)
    words = (found > 1e-4).nonzero().flatten().tolist()
    if words == [1, 2]:
        return None
    return say(
        "Of the words 0 … 3 with the probabilities [0.15, 0.5, 0.25, 0.1] it takes 1 "
        "and 2 to reach 0.7. Yours keeps {words}.",
        words=words,
    )


top_p_probabilities = Exercise(
    "top_p_probabilities",
    points=3,
    reference=restrict,
    cases=_top_p_cases,
    returns=("restricted",),
    shapes={"probabilities": "… V", "restricted": "… V"},
    promises={
        "the first word is enough": lambda p, threshold: bool((p.amax(-1) > threshold).any()),
        "all words are needed": lambda p, threshold: bool((1 - p.amin(-1) < threshold).all()),
        "nearly 0": lambda p, threshold: threshold < 0.05,
        "nearly 1": lambda p, threshold: threshold > 0.95,
        "a word of probability 0": lambda p, threshold: bool((p == 0).any()),
    },
    properties=[
        Property("Each row of probabilities sums to 1.", _rows_sum_to_one),
        Property("As few of the most likely words as reach the threshold are kept.", _right_words),
    ],
    mistakes=MISTAKES,
    hints=[
        "Sort each row from the most likely word down and look at the running sum. Which is the "
        "last word that is still needed?",
        "A word is needed as long as the mass before it has not reached the threshold.",
        "Your decision is about ranks. The sort also told you which word has which rank: use that "
        "to put the result back, and then make it sum to 1.",
    ],
)
