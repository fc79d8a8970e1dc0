"""predict_lstm_weights: how many numbers an LSTM learns."""

from collections.abc import Mapping

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
