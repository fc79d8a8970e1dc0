"""temperature_softmax: shares out of scores, sharper or flatter."""

import math
from collections.abc import Mapping

import torch
import torch.nn.functional as F

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.exercises.extremes import SCORES, levels
from tutor.output import temperature_softmax as soften
from tutor.say import say


def _temperature_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    return {
        "cold": {"logits": 1.5 * rng.normal(2, 3, 5), "temperature": 0.6},
        "hot": {"logits": 2 * rng.normal(4, 6), "temperature": 2.5},
        "one row": {"logits": 2 * rng.normal(4), "temperature": 1.7},
        "square": {"logits": 1.5 * rng.normal(3, 3), "temperature": 0.8},
        "batches of batches": {"logits": 2 * rng.normal(2, 1, 3, 4), "temperature": 1.3},
        "neither hot nor cold": {"logits": 2 * rng.normal(2, 5), "temperature": 1.0},
        "very cold": {"logits": rng.normal(3, 4), "temperature": 0.05},
        "very hot": {"logits": rng.normal(3, 4), "temperature": 500.0},
        "a whole number": {"logits": 2 * rng.normal(2, 4), "temperature": 3},
        "one word": {"logits": rng.normal(3, 1), "temperature": 0.7},
        "scores of ±1000": {
            "logits": 2 * levels(4, 1) + rng.quarters(4, 5),
            "temperature": 2.0,
        },
        EXAMPLE: {"logits": torch.tensor([2.0, 0.0]), "temperature": 2},
    }


def _sums_to_one(call: Call) -> str | None:
    total = call(Rng(1).normal(2, 4), 2.0).sum(-1)
    if torch.allclose(total, torch.ones(2), atol=1e-4):
        return None
    return say(
        "With four words, your probabilities sum to {total:.3f}.",
        total=total[0].item(),
    )


def _hot_is_flat(call: Call) -> str | None:
    found = call(torch.tensor([1.0, 0.0, 0.5, -1.0]), 1000.0)
    if torch.allclose(found, torch.full((4,), 0.25), atol=0.01):
        return None
    return say(
        "At a temperature of 1000 four words should be nearly even; your first one gets"
        " {first:.3f}.",
        first=found[0].item(),
    )


_SAME_AS_NONE = (
    "Change the temperature and your probabilities stay as they are. Where does it act, so that "
    "the differences between scores change?"
)
_WRONG_WAY = (
    "A high temperature makes your probabilities sharper. Should heat sharpen or flatten them?"
)


temperature_softmax = Exercise(
    "temperature_softmax",
    points=1,
    reference=soften,
    cases=_temperature_cases,
    returns=("probabilities",),
    shapes={"logits": "… V", "probabilities": "… V"},
    promises={
        **SCORES,
        "below 1": lambda logits, temperature: temperature < 1,
        "above 1": lambda logits, temperature: temperature > 1,
        "1": lambda logits, temperature: temperature == 1,
        "nearly 0": lambda logits, temperature: temperature < 0.1,
        "in the hundreds": lambda logits, temperature: temperature > 100,
        "a whole number": lambda logits, temperature: isinstance(temperature, int),
    },
    properties=[
        Property("Each row of probabilities sums to 1.", _sums_to_one),
        Property("Great heat makes all words alike.", _hot_is_flat),
    ],
    mistakes=[
        Mistake(
            "temp-multiplied",
            lambda logits, T: torch.softmax(logits * T, dim=-1),
            _WRONG_WAY,
        ),
        Mistake("temp-ignored", lambda logits, T: torch.softmax(logits, dim=-1), _SAME_AS_NONE),
        Mistake("temp-added", lambda logits, T: torch.softmax(logits + T, dim=-1), _SAME_AS_NONE),
        Mistake(
            "temp-after-and-renormalised",
            lambda logits, T: F.normalize(torch.softmax(logits, dim=-1) / T, p=1, dim=-1),
            _SAME_AS_NONE,
        ),
        Mistake(
            "temp-power",
            lambda logits, T: F.normalize(torch.softmax(logits, dim=-1) ** T, p=1, dim=-1),
            _WRONG_WAY,
        ),
        Mistake(
            "temp-after-softmax",
            lambda logits, T: torch.softmax(logits, dim=-1) / T,
            "Your rows do not sum to 1. Is it the scores or the probabilities that are divided?",
        ),
        Mistake(
            "temp-power-not-renormalised",
            lambda logits, T: torch.softmax(logits, dim=-1) ** (1 / T),
            "Your numbers have the right proportions, but they do not sum to 1. What is missing "
            "after the power?",
        ),
        Mistake(
            "temp-squared",
            lambda logits, T: torch.softmax(logits / T**2, dim=-1),
            "The temperature acts too strongly. How often are the scores divided by it?",
        ),
        Mistake(
            "temp-rooted",
            lambda logits, T: torch.softmax(logits / math.sqrt(T), dim=-1),
            "The temperature acts too weakly. Is there a root in the formula?",
        ),
        Mistake(
            "temp-exponential",
            lambda logits, T: torch.softmax(logits / math.exp(T), dim=-1),
            "Even at temperature 0 yours would not be sharp. By what exactly are scores divided?",
        ),
        Mistake(
            "temp-sign",
            lambda logits, T: torch.softmax(-logits / T, dim=-1),
            "Your least likely word should be the most likely. What is the sign of your scores?",
        ),
        Mistake(
            "temp-softmax-over-batch",
            lambda logits, T: torch.softmax(logits / T, dim=0),
            "Your numbers sum to 1 across the batch. Which axis holds the words?",
        ),
        Mistake(
            "temp-softmax-over-time",
            lambda logits, T: torch.softmax(logits / T, dim=-2 if logits.dim() > 1 else -1),
            "Your numbers sum to 1 across the positions. Which axis holds the words?",
        ),
        Mistake(
            "temp-softmax-over-all",
            lambda logits, T: torch.softmax(logits.flatten() / T, dim=0).view_as(logits),
            "All your rows together sum to 1. How many choices are made?",
        ),
        Mistake(
            "temp-not-normalised",
            lambda logits, T: torch.exp(logits / T),
            "Your numbers are positive, but they do not sum to 1. What does softmax divide by?",
        ),
        Mistake(
            "temp-no-exponential",
            lambda logits, T: logits / T / (logits / T).sum(-1, keepdim=True),
            "Some of your probabilities are negative. What does softmax do to scores before it "
            "divides by their sum?",
        ),
        Mistake(
            "temp-base",
            lambda logits, T: F.normalize(T**logits, p=1, dim=-1),
            "You raise the temperature to the power of the scores. What is the base of softmax's "
            "powers?",
        ),
        Mistake(
            "temp-sigmoid",
            lambda logits, T: torch.sigmoid(logits / T),
            "Each of your words is judged by itself. Which function makes them compete?",
        ),
        Mistake(
            "temp-log",
            lambda logits, T: torch.log_softmax(logits / T, dim=-1),
            "None of your numbers is above 0: they are logarithms. What is asked for?",
        ),
        Mistake(
            "temp-scores",
            lambda logits, T: logits / T,
            "These are the divided scores. What turns scores into probabilities?",
        ),
        Mistake(
            "temp-softmax-twice",
            lambda logits, T: torch.softmax(torch.softmax(logits / T, dim=-1), dim=-1),
            "Your rows sum to 1 but are nearly flat. How often does the formula take softmax?",
        ),
        Mistake(
            "temp-softmax-first",
            lambda logits, T: torch.softmax(torch.softmax(logits, dim=-1) / T, dim=-1),
            "Your rows sum to 1 but are nearly flat. What is divided by the temperature, scores "
            "or probabilities?",
        ),
        Mistake(
            "temp-best-word",
            lambda logits, T: F.one_hot(logits.argmax(-1), logits.size(-1)).to(logits.dtype),
            "All your probability lies on one word. At which temperature would that be right?",
        ),
        Mistake(
            "temp-never-below-one",
            lambda logits, T: torch.softmax(logits / max(T, 1.0), dim=-1),
            "You are right while it is hot. What may happen at a temperature below 1?",
        ),
        Mistake(
            "temp-never-above-one",
            lambda logits, T: torch.softmax(logits / min(T, 1.0), dim=-1),
            "You are right while it is cold. What may happen at a temperature above 1?",
        ),
        Mistake(
            "temp-whole-numbers",
            lambda logits, T: torch.softmax(logits // T, dim=-1),
            "Scores that differ a little get the same probability in yours. Which division keeps "
            "the fraction?",
        ),
        Mistake(
            "temp-scaled-by-spread",
            lambda logits, T: torch.softmax(
                (logits - logits.mean(-1, keepdim=True)) / logits.std(-1, keepdim=True) / T, dim=-1
            ),
            "Scores twice as far apart give you the same probabilities. Is a spread in the "
            "formula?",
        ),
    ],
    hints=[
        "Heat flattens, cold sharpens. Two scores 4 apart at temperature 2 should behave like two "
        "scores 2 apart at temperature 1.",
        "Change the scores first; what follows is the softmax you know, over the words.",
    ],
)
