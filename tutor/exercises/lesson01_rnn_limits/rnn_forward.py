"""rnn_forward: one state carried through a sentence."""

from collections.abc import Mapping

import torch

from tutor.checking.exercise import Arguments, Call, Exercise, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.exercises.lesson01_rnn_limits.rnn_forward_mistakes import MISTAKES
from tutor.rnn import rnn_forward as read
from tutor.say import say


def _rnn_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(B: int, T: int, I: int, H: int) -> Arguments:  # noqa: E741
        return {
            "x": rng.normal(B, T, I),
            "h0": rng.normal(B, H) / 2,
            "W_ih": rng.normal(H, I) / I**0.5,
            "W_hh": rng.normal(H, H) / H**0.5,
            "b_ih": rng.normal(H) / 2,
            "b_hh": rng.normal(H) / 2,
        }

    return {
        "unequal sizes": case(2, 5, 3, 4),
        "square": case(3, 3, 3, 3),
        "wide words": case(4, 2, 5, 3),
        "one word": case(3, 1, 2, 4),
        "one sentence": case(1, 4, 2, 3),
        "one number a word and a state": case(2, 3, 1, 1),
        "loud words": loud(rng, case(2, 4, 3, 4)),
        EXAMPLE: {
            "x": torch.tensor([[[1.0], [0.0]]]),
            "h0": torch.zeros(1, 1),
            "W_ih": torch.ones(1, 1),
            "W_hh": torch.ones(1, 1),
            "b_ih": torch.zeros(1),
            "b_hh": torch.zeros(1),
        },
    }


def loud(rng: Rng, given: Arguments) -> Arguments:
    """Draw words of ±40 and ±1500 until every sum lies far out on tanh, on both sides."""
    while True:
        sizes = 40 + 1460 * rng.integers(0, 1, *given["x"].shape)
        x = (2 * rng.integers(0, 1, *given["x"].shape) - 1) * sizes
        sums = x.float() @ given["W_ih"].T
        if sums.abs().min() > 30 and sums.min() < -1010 and sums.max() > 1010:
            return {**given, "x": x.float()}


def _later_words_change_nothing_earlier(call: Call) -> str | None:
    given = _rnn_cases(1)["unequal sizes"]
    changed = given["x"].clone()
    changed[:, 3:] += 1
    before = call(*given.values())[0]
    after = call(*({**given, "x": changed}).values())[0]
    if torch.allclose(before[:, :3], after[:, :3], atol=1e-4):
        return None
    return say("The fourth word was changed, and a state before it changed too.")


def _sentences_keep_apart(call: Call) -> str | None:
    given = _rnn_cases(2)["unequal sizes"]
    alone = {**given, "x": given["x"][1:], "h0": given["h0"][1:]}
    together, by_itself = call(*given.values())[0], call(*alone.values())[0]
    if torch.allclose(together[1:], by_itself, atol=1e-4):
        return None
    return say("The second sentence gets other states when the first is taken out of the batch.")


def _last_output_is_last_state(call: Call) -> str | None:
    outputs, h_n = call(*_rnn_cases(3)["unequal sizes"].values())
    if torch.allclose(outputs[:, -1], h_n, atol=1e-4):
        return None
    return say("The last of your outputs and your last state are not the same.")


_PROPERTIES = [
    Property("A later word never changes an earlier state.", _later_words_change_nothing_earlier),
    Property("Sentences of a batch do not touch each other.", _sentences_keep_apart),
    Property("The last output is the last state.", _last_output_is_last_state),
]

rnn_forward = Exercise(
    "rnn_forward",
    points=3,
    reference=read,
    cases=_rnn_cases,
    returns=("outputs", "h_n"),
    shapes={
        "x": "B T I",
        "h0": "B H",
        "W_ih": "H I",
        "W_hh": "H H",
        "b_ih": "H",
        "b_hh": "H",
        "outputs": "B T H",
        "h_n": "B H",
    },
    library=("rnn_tanh", "rnn_tanh_cell"),
    properties=_PROPERTIES,
    mistakes=MISTAKES,
    hints=[
        "Go through the words with a loop and keep the state in one variable. Which slice of x "
        "(B, T, I) holds the words of step t?",
        "The line inside the loop makes a new h from x_t and the old h. Print the shapes of the "
        "two products: both must be (B, H).",
        "Collect the states in a list. torch.stack has an argument that says where the new axis "
        "of time goes.",
    ],
)
