"""predict_embedded_shape: the axes of a batch whose ids have become vectors."""

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
