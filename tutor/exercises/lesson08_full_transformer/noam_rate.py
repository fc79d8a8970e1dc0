"""noam_rate: warm up, then fall."""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.say import say
from tutor.schedule import noam_rate as rate

Steps = Tensor | Sequence[int]


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    warmup = rng.number(20, 400)
    near = torch.tensor([1, 2, warmup // 2, warmup - 1, warmup, warmup + 1, 3 * warmup])
    return {
        "around the peak": {"steps": near, "d_model": rng.number(10, 200), "warmup": warmup},
        "steps as a list": {"steps": [1, 3, 4, 5, 40], "d_model": 32, "warmup": 4},
        "the paper's setting": {
            "steps": torch.tensor([1, 1000, 4000, 4001, 100_000]),
            "d_model": 512,
            "warmup": 4000,
        },
        "any steps": {
            "steps": rng.integers(1, 9999, 6),
            "d_model": rng.number(10, 999),
            "warmup": rng.number(50, 5000),
        },
        "no time to warm up": {"steps": torch.tensor([1, 2, 9]), "d_model": 16, "warmup": 1},
        "one step": {"steps": torch.tensor([rng.number(1, 50)]), "d_model": 1, "warmup": 7},
        EXAMPLE: {"steps": [1, 4, 16], "d_model": 4, "warmup": 4},
    }


def _peak_at_warmup(call: Call) -> str | None:
    rates = call(torch.arange(1, 21), 64, 10)
    peak = int(rates.argmax()) + 1
    return (
        None
        if peak == 10
        else say(
            "With a warm-up of 10 steps, yours is largest at step {peak}.",
            peak=peak,
        )
    )


def _wider_is_slower(call: Call) -> str | None:
    steps = torch.tensor([5, 20])
    narrow, wide = call(steps, 64, 10), call(steps, 256, 10)
    if torch.allclose(narrow, 2 * wide, rtol=1e-3):
        return None
    return say("d_model grew fourfold, and your rates did not become half as large.")


def _built(shape: Callable[[Tensor, int], Tensor], power: float = -0.5) -> Callable[..., Tensor]:
    """Build a schedule from its shape and the power of d_model."""

    def schedule(steps: Steps, d_model: int, warmup: int) -> Tensor:
        return d_model**power * shape(torch.as_tensor(steps).double(), warmup).float()

    return schedule


def _right(steps: Tensor, warmup: int) -> Tensor:
    return torch.minimum(steps**-0.5, steps * warmup**-1.5)


_ASK_WIDTH = "Your rates depend on the width in the wrong way. Does a wider model learn faster?"

noam_rate = Exercise(
    "noam_rate",
    points=1,
    reference=rate,
    cases=_cases,
    returns=("rates",),
    shapes={"steps": "n", "d_model": "D", "warmup": "warmup", "rates": "n"},
    promises={
        "steps as a list": lambda steps, d_model, warmup: isinstance(steps, list),
        "steps as a tensor": lambda steps, d_model, warmup: isinstance(steps, Tensor),
        "the first step": lambda steps, d_model, warmup: 1 in list(steps),
        "the last step of the warm-up": lambda steps, d_model, warmup: warmup in list(steps),
        "a step after it": lambda steps, d_model, warmup: max(list(steps)) > warmup,
        "a warm-up of thousands": lambda steps, d_model, warmup: warmup >= 4000,
    },
    properties=[
        Property("The rate is largest at the end of the warm-up.", _peak_at_warmup),
        Property("Four times as wide means half the rate.", _wider_is_slower),
    ],
    mistakes=[
        Mistake(
            "noam-max",
            _built(lambda s, w: torch.maximum(s**-0.5, s * w**-1.5)),
            "Your rate starts high and grows without end. Which of the two curves counts: the "
            "higher, or the lower?",
        ),
        Mistake(
            "noam-no-d-model",
            _built(_right, power=0),
            _ASK_WIDTH,
            label="no d_model",
        ),
        Mistake(
            "noam-times-sqrt-d",
            _built(_right, power=0.5),
            _ASK_WIDTH,
            label="times the root of d_model",
        ),
        Mistake(
            "noam-divided-by-d",
            _built(_right, power=-1),
            _ASK_WIDTH,
            label="divided by d_model",
        ),
        Mistake(
            "noam-times-d",
            _built(_right, power=1),
            _ASK_WIDTH,
            label="times d_model",
        ),
        Mistake(
            "noam-linear-only",
            _built(lambda s, w: s * w**-1.5),
            "Your rate grows for ever. What happens after the warm-up?",
        ),
        Mistake(
            "noam-no-warmup",
            _built(lambda s, w: s**-0.5),
            "Your rate is highest at the first step. What should the first steps do?",
        ),
        Mistake(
            "noam-flat-after",
            _built(lambda s, w: torch.minimum(torch.full_like(s, w**-0.5), s * w**-1.5)),
            "Your rate stays at its peak. What happens after the warm-up?",
        ),
        Mistake(
            "noam-from-zero",
            _built(lambda s, w: _right((s - 1).clamp(min=1e-9), w)),
            "Your rate is zero at the first step. From which number are steps counted?",
        ),
        Mistake(
            "noam-one-ahead",
            _built(lambda s, w: _right(s + 1, w)),
            "Your peak comes one step early. From which number are steps counted?",
        ),
        Mistake(
            "noam-linear-decay",
            _built(lambda s, w: torch.minimum(w**0.5 / s, s * w**-1.5)),
            "Your rate falls too fast. With which power of the step should it fall?",
        ),
        Mistake(
            "noam-root-grows",
            _built(lambda s, w: torch.minimum(s**0.5, s * w**-1.5)),
            "Your rate grows for ever. What is the sign of the step's power after the warm-up?",
        ),
        Mistake(
            "noam-warmup-to-minus-half",
            _built(lambda s, w: torch.minimum(s**-0.5, s * w**-0.5)),
            "Your peak comes far too early. At which step should the two curves meet?",
        ),
        Mistake(
            "noam-warmup-inverse",
            _built(lambda s, w: torch.minimum(s**-0.5, s / w)),
            "Your curves do not meet at the end of the warm-up. What is warmup times warmup to "
            "the power −1.5?",
        ),
        Mistake(
            "noam-peak-one",
            lambda steps, d_model, warmup: (
                _built(_right, power=0)(steps, d_model, warmup) * warmup**0.5
            ),
            "Your peak is 1 whatever the width and the warm-up. Which factors set its height?",
        ),
        Mistake(
            "noam-natural-decay",
            _built(lambda s, w: torch.where(s <= w, s * w**-1.5, w**-0.5 * torch.exp(1 - s / w))),
            "After the warm-up your rate falls like an exponential. With which power of the step "
            "should it fall?",
        ),
        Mistake(
            "noam-sum",
            _built(lambda s, w: s**-0.5 + s * w**-1.5),
            "You add the two curves. Which of them counts at a step?",
        ),
    ],
    hints=[
        "Two curves: one rises with the step, one falls with its root. Where do they meet?",
        "A list has no powers; make a tensor of floats first.",
    ],
)
