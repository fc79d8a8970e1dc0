"""clip_gradients: all gradients shortened by one factor, and only when they are too long."""

from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.exercises.lesson01_rnn_limits.clip_gradients_mistakes import MISTAKES
from tutor.gradients import clip_gradients as clip
from tutor.say import say


def _clip_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def gradients(size: float) -> list[Tensor]:
        shapes = ((4, 3), (2,), (2, 2, 2))
        spreads = (1.0, 4.0, 0.5)
        return [size * spread * rng.normal(*shape) for shape, spread in zip(shapes, spreads)]

    pair = [torch.tensor([3.0]), torch.tensor([4.0])]
    return {
        "too long": {"gradients": gradients(2.0), "max_norm": 1.5},
        "short enough": {"gradients": gradients(0.01), "max_norm": 2.0},
        "limit below 1": {"gradients": gradients(0.1), "max_norm": 0.2},
        "all zero": {"gradients": [torch.zeros(3, 2), torch.zeros(4)], "max_norm": 0.5},
        "a single number": {"gradients": [rng.normal(1)[0] + 3], "max_norm": 1.0},
        "some are zero": {"gradients": [*gradients(1.0), torch.zeros(2)], "max_norm": 2.5},
        "huge": {"gradients": gradients(1e6), "max_norm": 3.0},
        "a whole number for the limit": {"gradients": gradients(5.0), "max_norm": 2},
        EXAMPLE: {"gradients": pair, "max_norm": 1},
        "the example's limit of 10": {"gradients": pair, "max_norm": 10},
        "exactly as long as the limit": {"gradients": pair, "max_norm": 5},
    }


def _one_factor(call: Call) -> str | None:
    clipped = call([torch.tensor([3.0, 0.0]), torch.tensor([4.0])], 1.0)
    first, second = (clipped[0][0] / 3).item(), (clipped[1][0] / 4).item()
    if abs(first - second) < 1e-4:
        return None
    return say(
        "Of the two gradients [3, 0] and [4], the first was multiplied by {first:.3f} "
        "and the second by {second:.3f}: together they point elsewhere now.",
        first=first,
        second=second,
    )


def _never_too_long(call: Call) -> str | None:
    clipped = call([torch.tensor([3.0, 0.0]), torch.tensor([4.0])], 1.0)
    length = torch.cat(list(clipped)).norm().item()
    if length <= 1.0 + 1e-4:
        return None
    return say(
        "Clipped to 1, the gradients [3, 0] and [4] together still have length {length:.3f}.",
        length=length,
    )


def _short_ones_stay(call: Call) -> str | None:
    clipped = call([torch.tensor([0.03, 0.0]), torch.tensor([0.04])], 1.0)
    if torch.allclose(torch.cat(list(clipped)), torch.tensor([0.03, 0.0, 0.04]), atol=1e-5):
        return None
    return say(
        "[0.03, 0] and [0.04] are far shorter than 1, yet the first became {number:.3f}.",
        number=clipped[0][0],
    )


def _tiny_ones_are_clipped(call: Call) -> str | None:
    first, second = call([torch.tensor([3e-6]), torch.tensor([4e-6])], 1e-6)
    length = torch.cat([first, second]).double().norm().item()
    if abs(length - 1e-6) < 1e-10:
        return None
    return say(
        "The gradients [3e-6] and [4e-6] are clipped to 1e-6, and yours together have "
        "length {length:.2e}.",
        length=length,
    )


clip_gradients = Exercise(
    "clip_gradients",
    points=2,
    reference=clip,
    cases=_clip_cases,
    returns=("first gradient", "second gradient", "third gradient"),
    promises={
        "one tensor": lambda gradients, max_norm: len(gradients) == 1,
        "several tensors": lambda gradients, max_norm: len(gradients) > 2,
        "a tensor without axes": lambda gradients, max_norm: any(g.ndim == 0 for g in gradients),
        "a tensor of three axes": lambda gradients, max_norm: any(g.ndim == 3 for g in gradients),
        "a tensor of zeros": lambda gradients, max_norm: any(not g.any() for g in gradients),
        "a whole number for the limit": lambda gradients, max_norm: isinstance(max_norm, int),
        "a limit below 1": lambda gradients, max_norm: max_norm < 1,
        "a limit above 1": lambda gradients, max_norm: max_norm > 1,
    },
    properties=[
        Property("All gradients are multiplied by one factor.", _one_factor),
        Property("Gradients that are short enough stay as they are.", _short_ones_stay),
        Property("Together they are never longer than max_norm.", _never_too_long),
        Property("Tiny gradients are clipped as exactly as large ones.", _tiny_ones_are_clipped),
    ],
    mistakes=MISTAKES,
    hints=[
        "First measure: square every number of every tensor, add them all up, take one root.",
        "The factor is a fraction, but never more than 1. What is the fraction when the length is "
        "twice the limit?",
        "One factor for all tensors, and new tensors in the list: the caller keeps the old ones.",
    ],
)
