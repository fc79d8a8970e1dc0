"""feed_forward: two linear maps with an activation between, for every position alike."""

from collections.abc import Callable, Mapping

import torch
import torch.nn.functional as F
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.say import say

Given = tuple[Tensor, Tensor, Tensor, Tensor, Tensor]


def _reference(x: Tensor, W1: Tensor, b1: Tensor, W2: Tensor, b2: Tensor) -> Tensor:
    return torch.relu(x @ W1.T + b1) @ W2.T + b2  # (B, T, D) -> (B, T, d_ff) -> (B, T, D)


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(batch: int, time: int, d_model: int, d_ff: int) -> Arguments:
        return {
            "x": rng.normal(batch, time, d_model),
            "W1": rng.normal(d_ff, d_model),
            "b1": rng.normal(d_ff),
            "W2": rng.normal(d_model, d_ff),
            "b2": rng.normal(d_model),
        }

    large = case(2, 3, 4, 7)
    return {
        "unequal sizes": case(2, 3, 4, 7),
        "square": case(3, 4, 4, 4),
        "one position": case(2, 1, 5, 6),
        "large numbers": {**large, "x": 10 * large["x"]},
        "narrower inside": case(3, 2, 7, 4),
        "one sentence": case(1, 4, 3, 5),
        "one number each": case(2, 3, 1, 1),
        "one hidden number": case(4, 2, 3, 1),
        "many positions": case(2, 9, 4, 3),
        "very large numbers": {**(loud := case(2, 2, 3, 5)), "x": 1e4 * loud["x"]},
        EXAMPLE: {
            "x": torch.tensor([[[-3.0]]]),
            "W1": torch.tensor([[1.0], [-1.0]]),
            "b1": torch.zeros(2),
            "W2": torch.tensor([[1.0, 1.0]]),
            "b2": torch.zeros(1),
        },
    }


def _positions_are_alone(call: Call) -> str | None:
    x, W1, W2 = Rng(1).normal(1, 2, 3), Rng(2).normal(4, 3), Rng(3).normal(3, 4)
    changed = torch.cat([x[:, :1], x[:, 1:] + 1], dim=1)
    rest = W1, torch.zeros(4), W2, torch.zeros(3)
    if torch.allclose(call(x, *rest)[:, 0], call(changed, *rest)[:, 0], atol=1e-4):
        return None
    return say("The second position was changed, and the first position's result changed with it.")


def _with_activation(activation: Callable[[Tensor], Tensor]) -> Callable[..., Tensor]:
    """Build a feed-forward layer with another activation."""

    def feed(x: Tensor, W1: Tensor, b1: Tensor, W2: Tensor, b2: Tensor) -> Tensor:
        return activation(x @ W1.T + b1) @ W2.T + b2

    return feed


_ASK_ACTIVATION = (
    "Your hidden numbers are not bent as in the paper. What does max(0, z) make of a number below "
    "zero, and of one above?"
)


def _mixed(x: Tensor, *rest: Tensor) -> Tensor:
    return _reference(x.mean(1, keepdim=True).expand_as(x), *rest)


feed_forward = Exercise(
    "feed_forward",
    points=2,
    reference=_reference,
    cases=_cases,
    returns=("result",),
    shapes={
        "x": "B T D",
        "W1": "d_ff D",
        "b1": "d_ff",
        "W2": "D d_ff",
        "b2": "D",
        "result": "B T D",
    },
    properties=[Property("Each position is treated alone.", _positions_are_alone)],
    mistakes=[
        Mistake(
            "ffn-no-activation",
            _with_activation(lambda z: z),
            "Two linear maps in a row are one linear map. What stands between them?",
        ),
        Mistake(
            "ffn-activation-at-end",
            lambda x, W1, b1, W2, b2: torch.relu((x @ W1.T + b1) @ W2.T + b2),
            "No number in your result is negative. Which of the two maps is followed by the bend?",
            variants=[lambda *given: torch.relu(_reference(*given))],
        ),
        Mistake("ffn-gelu", _with_activation(F.gelu), _ASK_ACTIVATION),
        Mistake(
            "ffn-gelu-tanh",
            _with_activation(lambda z: F.gelu(z, approximate="tanh")),
            _ASK_ACTIVATION,
        ),
        Mistake("ffn-silu", _with_activation(F.silu), _ASK_ACTIVATION),
        Mistake("ffn-leaky", _with_activation(F.leaky_relu), _ASK_ACTIVATION),
        Mistake("ffn-tanh", _with_activation(torch.tanh), _ASK_ACTIVATION),
        Mistake("ffn-sigmoid", _with_activation(torch.sigmoid), _ASK_ACTIVATION),
        Mistake("ffn-absolute", _with_activation(torch.abs), _ASK_ACTIVATION),
        Mistake("ffn-negative-kept", _with_activation(lambda z: z.clamp(max=0)), _ASK_ACTIVATION),
        Mistake("ffn-softmax", _with_activation(lambda z: z.softmax(-1)), _ASK_ACTIVATION),
        Mistake(
            "ffn-no-inner-bias",
            lambda x, W1, b1, W2, b2: torch.relu(x @ W1.T) @ W2.T + b2,
            "Change b1 and your result stays the same. What is it for?",
        ),
        Mistake(
            "ffn-no-outer-bias",
            lambda x, W1, b1, W2, b2: torch.relu(x @ W1.T + b1) @ W2.T,
            "Change b2 and your result stays the same. What is it for?",
        ),
        Mistake(
            "ffn-no-biases",
            lambda x, W1, b1, W2, b2: torch.relu(x @ W1.T) @ W2.T,
            "Change b1 or b2 and your result stays the same. What are they for?",
        ),
        Mistake(
            "ffn-bias-after-bend",
            lambda x, W1, b1, W2, b2: (torch.relu(x @ W1.T) + b1) @ W2.T + b2,
            "A hidden number of yours can be negative. What comes first, the bias or the bend?",
        ),
        Mistake(
            "ffn-mixes-positions",
            _mixed,
            "All your positions have the same result. Do positions meet in this layer?",
            variants=[lambda x, *rest: _reference(x.mean(1, keepdim=True), *rest)],
        ),
        Mistake(
            "ffn-mixes-batch",
            lambda x, *rest: _reference(x.mean(0, keepdim=True).expand_as(x), *rest),
            "All your sentences have the same result. Do sentences meet in this layer?",
        ),
        Mistake(
            "ffn-weights-shared",
            lambda x, W1, b1, W2, b2: torch.relu(x @ W1.T + b1) @ W1 + b2,
            "Change W2 and your result stays the same. What leads back to d_model?",
        ),
        Mistake(
            "ffn-not-transposed",
            lambda x, W1, b1, W2, b2: torch.relu(x @ W1 + b1) @ W2 + b2,
            "It runs only where the matrices are square. Which axis of a matrix (out, in) does a "
            "row meet?",
        ),
        Mistake(
            "ffn-matrices-exchanged",
            lambda x, W1, b1, W2, b2: torch.relu(x @ W2.T + b1) @ W1.T + b2,
            "It runs only where the matrices are square. Which of the two widens, which narrows?",
        ),
        Mistake(
            "ffn-biases-exchanged",
            lambda x, W1, b1, W2, b2: torch.relu(x @ W1.T + b2) @ W2.T + b1,
            "It runs only where the biases are equally long. Which bias belongs to which map?",
        ),
        Mistake(
            "ffn-residual-inside",
            lambda x, *rest: x + _reference(x, *rest),
            "With all weights zero you return x. Does that sum belong to this function?",
        ),
        Mistake(
            "ffn-bend-first",
            lambda x, *rest: _with_activation(lambda z: z)(torch.relu(x), *rest),
            "Negative numbers of x are lost before the first map. Where does the bend stand?",
        ),
        Mistake(
            "ffn-first-map-only",
            lambda x, W1, b1, W2, b2: torch.relu(x @ W1.T + b1),
            "Your result is as wide as the hidden layer. What leads back to d_model?",
        ),
    ],
    hints=[
        "The first map widens each position to d_ff numbers, the second narrows it to d_model "
        "again.",
        "A bend between the maps is what keeps two from being one. Which one does the paper take?",
    ],
)
