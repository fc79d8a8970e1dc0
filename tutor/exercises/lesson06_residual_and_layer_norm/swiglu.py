"""swiglu: the feed-forward layer of today's language models, whose hidden numbers have gates."""

from collections.abc import Callable, Mapping

import torch
import torch.nn.functional as F
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.say import say


def _reference(x: Tensor, W_gate: Tensor, W_up: Tensor, W_down: Tensor) -> Tensor:
    return (F.silu(x @ W_gate.T) * (x @ W_up.T)) @ W_down.T  # (B, T, d_ff) -> (B, T, D)


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(batch: int, time: int, d_model: int, d_ff: int) -> Arguments:
        return {
            "x": rng.normal(batch, time, d_model),
            "W_gate": rng.normal(d_ff, d_model),
            "W_up": rng.normal(d_ff, d_model),
            "W_down": rng.normal(d_model, d_ff),
        }

    plain, loud = case(2, 3, 4, 5), case(2, 3, 4, 7)
    return {
        "unequal sizes": case(2, 3, 4, 7),
        "narrower inside": case(3, 2, 7, 4),
        "square": case(3, 4, 4, 4),
        "one token": case(2, 1, 5, 6),
        "one sentence": case(1, 4, 3, 5),
        "one hidden number": case(4, 2, 3, 1),
        "gates of ±1000": {**loud, "W_gate": 1000 * loud["W_gate"].sign()},
        "gates of 0": {**plain, "W_gate": torch.zeros(5, 4)},
        EXAMPLE: {
            "x": torch.tensor([[[2.0]]]),
            "W_gate": torch.tensor([[1.0], [-1.0]]),
            "W_up": torch.tensor([[3.0], [3.0]]),
            "W_down": torch.tensor([[1.0, 1.0]]),
        },
    }


def _positions_are_alone(call: Call) -> str | None:
    x, W, W_down = Rng(1).normal(1, 2, 3), Rng(2).normal(4, 3), Rng(3).normal(3, 4)
    changed = torch.cat([x[:, :1], x[:, 1:] + 1], dim=1)
    before, after = (call(given, W, W / 2, W_down)[:, 0] for given in (x, changed))
    if torch.allclose(before, after, atol=1e-4):
        return None
    return say("The second position was changed, and the first position's result changed with it.")


def _closed_gates_let_nothing_through(call: Call) -> str | None:
    x, W, W_down = Rng(1).normal(1, 2, 3), Rng(2).normal(4, 3), Rng(3).normal(3, 4)
    largest = call(x, torch.zeros(4, 3), W, W_down).abs().max().item()
    if largest < 1e-4:
        return None
    return say(
        "With W_gate 0 every gate is 0; your result still has the number {largest:.3f}.",
        largest=largest,
    )


def _gated(gate: Callable[[Tensor], Tensor]) -> Callable[..., Tensor]:
    """Build the layer with another function at its gates."""
    return lambda x, W_gate, W_up, W_down: (gate(x @ W_gate.T) * (x @ W_up.T)) @ W_down.T


_ASK_GATE = "Your gates are not SiLU's. What does z · σ(z) make of −1, of 0, and of a large number?"

swiglu = Exercise(
    "swiglu",
    points=2,
    reference=_reference,
    cases=_cases,
    returns=("result",),
    shapes={
        "x": "B T D",
        "W_gate": "d_ff D",
        "W_up": "d_ff D",
        "W_down": "D d_ff",
        "result": "B T D",
    },
    promises={
        "gates far above and far below 0": lambda x, W_gate, *_: bool(
            ((z := x @ W_gate.T) > 500).any() and (z < -500).any()
        ),
    },
    properties=[
        Property("Each position is treated alone.", _positions_are_alone),
        Property("A gate of 0 lets nothing through.", _closed_gates_let_nothing_through),
    ],
    mistakes=[
        Mistake("swiglu-gate-relu", _gated(torch.relu), _ASK_GATE),
        Mistake("swiglu-gate-sigmoid", _gated(torch.sigmoid), _ASK_GATE),
        Mistake(
            "swiglu-gate-gelu",
            _gated(F.gelu),
            _ASK_GATE,
            variants=[
                _gated(lambda z: F.gelu(z, approximate="tanh")),
                _gated(lambda z: z * torch.sigmoid(1.702 * z)),
            ],
        ),
        Mistake("swiglu-gate-tanh", _gated(torch.tanh), _ASK_GATE),
        Mistake(
            "swiglu-gate-linear",
            _gated(lambda z: z),
            "Your gates are plain numbers, multiplied with others. Which bend comes before?",
        ),
        Mistake(
            "swiglu-exchanged",
            lambda x, W_gate, W_up, W_down: _reference(x, W_up, W_gate, W_down),
            "With W_gate 0 your result is right, and elsewhere it is not. Which of the two maps is "
            "bent?",
        ),
        Mistake(
            "swiglu-sum",
            lambda x, W_gate, W_up, W_down: (F.silu(x @ W_gate.T) + x @ W_up.T) @ W_down.T,
            "With W_gate 0 your result is not 0. How does a gate act on a number?",
        ),
        Mistake(
            "swiglu-silu-after-product",
            lambda x, W_gate, W_up, W_down: F.silu(x @ W_gate.T * (x @ W_up.T)) @ W_down.T,
            "You bend the product. Which of its two factors is bent?",
        ),
        Mistake(
            "swiglu-silu-on-both",
            lambda x, W_gate, W_up, W_down: (F.silu(x @ W_gate.T) * F.silu(x @ W_up.T)) @ W_down.T,
            "You bend both maps. Which of them is the gate?",
        ),
        Mistake(
            "swiglu-no-gate",
            lambda x, W_gate, W_up, W_down: F.silu(x @ W_up.T) @ W_down.T,
            "Change W_gate and your result stays the same. What is it for?",
        ),
        Mistake(
            "swiglu-no-up",
            lambda x, W_gate, W_up, W_down: F.silu(x @ W_gate.T) @ W_down.T,
            "Change W_up and your result stays the same. What do the gates let through?",
        ),
        Mistake(
            "swiglu-no-down",
            lambda x, W_gate, W_up, W_down: F.silu(x @ W_gate.T) * (x @ W_up.T),
            "Your result is as wide as the hidden layer. What leads back to d_model?",
        ),
        Mistake(
            "swiglu-mixes-positions",
            lambda x, W_gate, W_up, W_down: (
                (F.silu(x.mean(1, keepdim=True) @ W_gate.T) * (x @ W_up.T)) @ W_down.T
            ),
            "All tokens of a sentence have the same gates. Do positions meet in this layer?",
        ),
        Mistake(
            "swiglu-not-transposed",
            lambda x, W_gate, W_up, W_down: (F.silu(x @ W_gate) * (x @ W_up)) @ W_down,
            "It runs only where the matrices are square. Which axis of a matrix (out, in) does a "
            "row meet?",
        ),
        Mistake(
            "swiglu-residual-inside",
            lambda x, *W: x + _reference(x, *W),
            "With W_gate 0 you return x. Does that sum belong to this function?",
        ),
    ],
    hints=[
        "Two maps widen each token to d_ff numbers. One of them makes the gates.",
        "SiLU is z times its own sigmoid: a gate that closes below 0 and opens above.",
        "Gates and numbers meet one by one; a third map leads back to d_model.",
    ],
)
