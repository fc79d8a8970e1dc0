"""predict_visible_keys: which keys a query sees."""

from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Exercise, Mistake
from tutor.checking.seeds import Rng
from tutor.say import say


def _visible_case(seed: int) -> Mapping[str, Arguments]:
    """Draw eight places, the first real, with padding on both sides of the query."""
    rng = Rng(seed)
    query = rng.number(3, 5)
    real = torch.ones(8, dtype=torch.bool)
    real[rng.number(1, query - 1)] = False
    real[rng.number(query + 1, 6)] = False
    return {"yours": {"real": real, "query": query}}


def _visible(real: Tensor, query: int) -> list[int]:
    return [key for key in range(query + 1) if real[key]]


def _tokens(real: Tensor) -> str:
    return " ".join(f"w{place}" if word else "<pad>" for place, word in enumerate(real.tolist()))


predict_visible_keys = Exercise(
    "predict_visible_keys",
    points=1,
    reference=_visible,
    cases=_visible_case,
    question=lambda real, query: say(
        "A decoder reads: {tokens}. Places count from 0. Which places may the query "
        "at place {query} look at? Answer with a list of places, smallest first.",
        tokens=_tokens(real),
        query=query,
    ),
    mistakes=[
        Mistake(
            "visible-padding-seen",
            lambda real, query: list(range(query + 1)),
            "That is the past, all of it. Which of these places hold a word?",
        ),
        Mistake(
            "visible-future-seen",
            lambda real, query: [key for key in range(len(real)) if real[key]],
            "Those are the words, all of them. Which of them does the decoder know when it stands "
            "at the query?",
        ),
        Mistake(
            "visible-without-itself",
            lambda real, query: [key for key in range(query) if real[key]],
            "Something is missing at the end. May a position look at itself?",
        ),
        Mistake(
            "visible-from-one",
            lambda real, query: [key + 1 for key in range(query + 1) if real[key]],
            "The pattern is right, and all of it stands one too far. From which number do places "
            "count?",
        ),
        Mistake(
            "visible-hidden-ones",
            lambda real, query: [k for k in range(len(real)) if k > query or not real[k]],
            "Those are the hidden places. What was asked for?",
        ),
        Mistake(
            "visible-future-only",
            lambda real, query: [key for key in range(query, len(real)) if real[key]],
            "Those places lie ahead. Which way may a decoder look?",
        ),
        Mistake(
            "visible-count",
            lambda real, query: len(_visible(real, query)),
            "That is how many there are. Which ones are they?",
        ),
    ],
    hints=["Strike out what comes after the query, then strike out the padding."],
)
