"""Two predictions: which keys a query sees, and how many predictions a batch trains."""

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


def _training_case(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    lengths = (rng.permutation(5) + 3)[:3]
    return {"yours": {"words": lengths}}


predict_trained_words = Exercise(
    "predict_trained_words",
    points=1,
    reference=lambda words: int((words + 1).sum()),
    cases=_training_case,
    question=lambda words: say(
        "Three target sentences of {words} words are padded to one batch, each with bos"
        " before and eos after its words. How many predictions count in the loss of one"
        " pass?",
        words=", ".join(map(str, words.tolist())),
    ),
    mistakes=[
        Mistake(
            "trained-without-eos",
            lambda words: int(words.sum()),
            "You counted the words. What must the decoder say after the last one?",
        ),
        Mistake(
            "trained-with-bos",
            lambda words: int((words + 2).sum()),
            "You counted every token. Which of them does the decoder never have to say?",
        ),
        Mistake(
            "trained-with-padding",
            lambda words: int(len(words) * (words.max() + 1)),
            "You counted every place of the batch. Is padding a word to predict?",
        ),
        Mistake(
            "trained-all-places",
            lambda words: int(len(words) * (words.max() + 2)),
            "You counted every place of the batch before the shift. Which places have no label "
            "that counts?",
        ),
        Mistake(
            "trained-sentences",
            lambda words: len(words),
            "That is one for each sentence. How many words does a masked decoder predict in one "
            "pass over a sentence?",
        ),
        Mistake(
            "trained-longest",
            lambda words: int(words.max() + 1),
            "That is the longest sentence alone. What about the others in the batch?",
        ),
    ],
    hints=["For one sentence of two words, write down what is read and what must be said."],
)

EXERCISES = (predict_visible_keys, predict_trained_words)
