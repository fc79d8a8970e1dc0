"""Two numbers to predict by hand: weights to count, and a clipped gradient."""

from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Exercise, Mistake
from tutor.checking.seeds import Rng
from tutor.say import say


def _count_case(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    return {
        "yours": {
            "input_size": rng.number(2, 4),
            "hidden_size": rng.choice([6, 7, 10]),
            "words": rng.number(10, 20),
        }
    }


def _count(input_size: int, hidden_size: int, words: int) -> int:
    return 4 * hidden_size * (input_size + hidden_size + 1)


predict_lstm_weights = Exercise(
    "predict_lstm_weights",
    points=1,
    reference=_count,
    cases=_count_case,
    question=lambda input_size, hidden_size, words: say(
        "An LSTM as in lstm_step (one bias vector b) reads sentences of {words} words. "
        "Each word is a vector of {input_size} numbers, its hidden state has "
        "{hidden_size}. How many numbers are there to learn in all?",
        words=words,
        input_size=input_size,
        hidden_size=hidden_size,
    ),
    mistakes=[
        Mistake(
            "predict-three-blocks",
            lambda i, h, t: 3 * h * (i + h + 1),
            "You counted three blocks. What do the rows of W_ih stand for besides the gates?",
        ),
        Mistake(
            "predict-one-block",
            lambda i, h, t: h * (i + h + 1),
            "That is a plain recurrent network. How many blocks of rows does an LSTM have?",
        ),
        Mistake(
            "predict-per-word",
            lambda i, h, t: t * 4 * h * (i + h + 1),
            "You counted anew for every word. Do the steps of a recurrent network have weights of "
            "their own?",
        ),
        Mistake(
            "predict-no-bias",
            lambda i, h, t: 4 * h * (i + h),
            "Both matrices are counted. What else is learnt?",
        ),
        Mistake(
            "predict-two-biases",
            lambda i, h, t: 4 * h * (i + h + 2),
            "Torch keeps two biases. How many does lstm_step have?",
        ),
        Mistake(
            "predict-one-bias-for-all",
            lambda i, h, t: 4 * h * (i + h) + h,
            "Your bias has one number for each entry of the state. How many rows does it go with?",
        ),
        Mistake(
            "predict-no-recurrence",
            lambda i, h, t: 4 * h * (i + 1),
            "You counted what the word passes through. What does the old state pass through?",
        ),
        Mistake(
            "predict-no-word",
            lambda i, h, t: 4 * h * (h + 1),
            "You counted what the old state passes through. What does the word pass through?",
        ),
        Mistake(
            "predict-with-cell-matrix",
            lambda i, h, t: 4 * h * (i + 2 * h + 1),
            "You gave the cell a matrix of its own. Does the cell pass through one on its way?",
        ),
        Mistake(
            "predict-five-blocks",
            lambda i, h, t: 5 * h * (i + h + 1),
            "You counted five blocks. Is anything learnt for the cell itself?",
        ),
    ],
    hints=[
        "Three tensors are learnt: W_ih, W_hh and b. Write down the shape of each.",
        "Each of them has four blocks of rows, one row for each number of the hidden state.",
    ],
)


# Whole numbers whose squares sum to a square: the length can be worked out in the head.
_QUADRUPLES = [([3, 6], [2], 7), ([4, 7], [4], 9), ([6, 7], [6], 11), ([4, 12], [3], 13)]


def _clip_case(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    first, second, length = rng.choice(_QUADRUPLES)
    return {
        "yours": {
            "first": torch.tensor([float(number) for number in first]),
            "second": torch.tensor([float(number) for number in second]),
            "max_norm": length / 2,
        }
    }


def _together(first: Tensor, second: Tensor) -> Tensor:
    return torch.cat([first, second])


predict_clipped = Exercise(
    "predict_clipped",
    points=1,
    reference=lambda first, second, max_norm: _together(first, second) / 2,
    cases=_clip_case,
    absolute=0.01,
    question=lambda first, second, max_norm: say(
        "Two parameters have the gradients {first} and {second}. They are clipped to a "
        "global norm of {max_norm}. What are the three numbers afterwards? Answer with "
        "one list.",
        first=[round(x) for x in first.tolist()],
        second=[round(x) for x in second.tolist()],
        max_norm=max_norm,
    ),
    mistakes=[
        Mistake(
            "predict-clipped-by-value",
            lambda first, second, max_norm: _together(first, second).clamp(max=max_norm),
            "You cut each number by itself. What is limited: the numbers, or the length of all "
            "three together?",
        ),
        Mistake(
            "predict-clipped-apart",
            lambda first, second, max_norm: _together(
                first * min(1.0, max_norm / first.norm().item()),
                second * min(1.0, max_norm / second.norm().item()),
            ),
            "You clipped each gradient by its own length. Whose length is limited?",
        ),
        Mistake(
            "predict-not-clipped",
            lambda first, second, max_norm: _together(first, second),
            "You left them as they are. How long are the three numbers as one vector?",
        ),
        Mistake(
            "predict-clipped-to-one",
            lambda first, second, max_norm: _together(first, second) / (2 * max_norm),
            "Yours have length 1. Which length is allowed?",
        ),
        Mistake(
            "predict-clipped-by-squares",
            lambda first, second, max_norm: _together(first, second) / (4 * max_norm),
            "You divided by the sum of squares. Is that a length already?",
        ),
        Mistake(
            "predict-clipped-by-sum",
            lambda first, second, max_norm: (
                _together(first, second) * max_norm / _together(first, second).sum()
            ),
            "You divided by the sum of the numbers. How is the length of a vector measured?",
        ),
        Mistake(
            "predict-divided-by-limit",
            lambda first, second, max_norm: _together(first, second) / max_norm,
            "You divided by the limit. How long are the three numbers, and by what must they be "
            "multiplied?",
        ),
        Mistake(
            "predict-grown",
            lambda first, second, max_norm: _together(first, second) * 2,
            "Yours are longer than before. Which way up is the fraction?",
        ),
    ],
    hints=[
        "Square the three numbers, add them up, take the root: it is a whole number.",
        "Limit divided by length is the factor for all three.",
    ],
)

EXERCISES = (predict_lstm_weights, predict_clipped)
