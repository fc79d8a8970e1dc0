"""mend_leaky_rnn: a state of which a part stays at every step."""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import Rng
from tutor.exercises.lesson01_rnn_limits.rnn_forward import loud
from tutor.say import say

Step = Callable[..., Tensor]


def _leaky_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(B: int, T: int, I: int, H: int, a: float) -> Arguments:  # noqa: E741
        return {
            "x": rng.normal(B, T, I),
            "h0": rng.normal(B, H),
            "W_ih": rng.normal(H, I) / I**0.5,
            "W_hh": rng.normal(H, H) / H**0.5,
            "b": rng.normal(H) / 2,
            "a": a,
        }

    return {
        "unequal sizes": case(2, 5, 3, 4, 0.25),
        "square": case(3, 3, 3, 3, 0.75),
        "one word": case(3, 1, 2, 4, 0.25),
        "nothing new is let in": case(2, 4, 3, 5, 0.0),
        "nothing stays": case(4, 2, 5, 3, 1.0),
        "one sentence": case(1, 4, 2, 3, 0.5),
        "one number a word and a state": case(2, 3, 1, 1, 0.25),
        "loud words": loud(rng, case(2, 4, 3, 4, 0.5)),
    }


def _reading(step: Step, lags: bool = False) -> Callable[..., Tensor]:
    """Build an answer from its step (candidate, old state, first state, a)."""

    def forward(x: Tensor, h0: Tensor, W_ih: Tensor, W_hh: Tensor, b: Tensor, a: float) -> Tensor:
        h, outputs = h0, []
        for x_t in x.unbind(dim=1):  # (B, I)
            old = h
            h = step(lambda state, x_t=x_t: x_t @ W_ih.T + state @ W_hh.T + b, h, h0, a)  # (B, H)
            outputs.append(old if lags else h)
        return torch.stack(outputs, dim=1)  # (B, T, H)

    return forward


def _leaky(mixed: Callable[[Tensor], Tensor], h: Tensor, h0: Tensor, a: float) -> Tensor:
    return (1 - a) * h + a * mixed(h).tanh()


_read = _reading(_leaky)


def _stays_if_nothing_is_let_in(call: Call) -> str | None:
    given = {**_leaky_cases(1)["unequal sizes"], "a": 0.0}
    states = call(*given.values())
    if torch.allclose(states, given["h0"][:, None].expand_as(states), atol=1e-5):
        return None
    return say("With a = 0 nothing new is let in, and yet the state does not stay h0.")


mend_leaky_rnn = Exercise(
    "mend_leaky_rnn",
    points=2,
    reference=_read,
    cases=_leaky_cases,
    returns=("outputs",),
    shapes={
        "x": "B T I",
        "h0": "B H",
        "W_ih": "H I",
        "W_hh": "H H",
        "b": "H",
        "outputs": "B T H",
    },
    promises={
        "a is 0": lambda x, h0, W_ih, W_hh, b, a: a == 0,
        "a is 1": lambda x, h0, W_ih, W_hh, b, a: a == 1,
        "a lies between": lambda x, h0, W_ih, W_hh, b, a: 0 < a < 1,
    },
    given="leaky-keeps-the-first",
    properties=[Property("With a = 0 the state stays.", _stays_if_nothing_is_let_in)],
    mistakes=[
        Mistake(
            "leaky-keeps-the-first",
            _reading(lambda mixed, h, h0, a: (1 - a) * h0 + a * mixed(h).tanh()),
            "Your first state is right, and those from the second on are not. Of which state "
            "should a part stay?",
        ),
        Mistake(
            "leaky-mixes-the-first",
            _reading(lambda mixed, h, h0, a: (1 - a) * h + a * mixed(h0).tanh()),
            "Your first state is right, and those from the second on are not. Which state goes "
            "through W_hh?",
        ),
        Mistake(
            "leaky-never-carried",
            _reading(lambda mixed, h, h0, a: (1 - a) * h0 + a * mixed(h0).tanh()),
            "Each of your states knows its own word only. Where does the state of the step before "
            "come in?",
        ),
        Mistake(
            "leaky-shares-exchanged",
            _reading(lambda mixed, h, h0, a: a * h + (1 - a) * mixed(h).tanh()),
            "Where little should stay, much does. Which of the two shares is a?",
        ),
        Mistake(
            "leaky-not-leaky",
            _reading(lambda mixed, h, h0, a: mixed(h).tanh()),
            "That is the plain recurrence, whatever a is. What of the old state stays as it is?",
        ),
        Mistake(
            "leaky-nothing-leaks",
            _reading(lambda mixed, h, h0, a: h + a * mixed(h).tanh()),
            "Your states grow beyond 1. What share of the old state has to make room?",
        ),
        Mistake(
            "leaky-old-part-lost",
            _reading(lambda mixed, h, h0, a: a * mixed(h).tanh()),
            "The share of the new is right. What is left of the old state?",
        ),
        Mistake(
            "leaky-tanh-of-all",
            _reading(lambda mixed, h, h0, a: ((1 - a) * h + a * mixed(h)).tanh()),
            "What stays goes through tanh as well. Which of the two parts is squeezed?",
        ),
        Mistake(
            "leaky-no-tanh",
            _reading(lambda mixed, h, h0, a: (1 - a) * h + a * mixed(h)),
            "Your states are too large. What squeezes the new part?",
        ),
        Mistake(
            "leaky-output-lags",
            _reading(_leaky, lags=True),
            "Your outputs begin with h0. Is a step's state stored before it is made, or after?",
        ),
    ],
    hints=[
        "Change the first word of a sentence and see which outputs change. Which should?",
        "Read the line inside the loop as a sentence: from which state does a part stay?",
    ],
)
