"""The ways in which the clipping of gradients goes wrong."""

from collections.abc import Callable

import torch
from torch import Tensor

from tutor.checking.exercise import Mistake
from tutor.gradients import clip_gradients as clip
from tutor.gradients import global_norm

Clip = Callable[[list[Tensor], float], list[Tensor]]


def _by_factor(factor: Callable[[list[Tensor], float], Tensor | float]) -> Clip:
    """Build an answer that multiplies all gradients by one factor."""

    def mistaken(gradients: list[Tensor], max_norm: float) -> list[Tensor]:
        common = factor(gradients, max_norm)
        return [gradient * common for gradient in gradients]

    return mistaken


def _limited(norm: Callable[[list[Tensor]], Tensor]) -> Clip:
    """Build an answer that measures the gradients' length in another way."""
    return _by_factor(lambda gradients, max_norm: (max_norm / norm(gradients)).clamp(max=1.0))


def _flat(gradients: list[Tensor]) -> Tensor:
    return torch.cat([gradient.flatten() for gradient in gradients])


def _nonzero(norm: Tensor) -> Tensor:
    return torch.where(norm > 0, norm, 1.0)  # what is all zero stays so, whatever the factor


def _per_row(gradients: list[Tensor], max_norm: float) -> list[Tensor]:
    return [
        gradient * (max_norm / gradient.norm(dim=-1, keepdim=True)).clamp(max=1.0)
        for gradient in gradients
    ]


def _one_after_the_other(gradients: list[Tensor], max_norm: float) -> list[Tensor]:
    clipped = []
    for number, gradient in enumerate(gradients):
        so_far = global_norm(gradients[: number + 1])
        clipped.append(gradient * (max_norm / so_far).clamp(max=1.0))
    return clipped


def _only_the_long_ones(gradients: list[Tensor], max_norm: float) -> list[Tensor]:
    factor = max_norm / global_norm(gradients)
    return [gradient * factor if gradient.norm() > max_norm else gradient for gradient in gradients]


def _nan_at_zero(gradients: list[Tensor], max_norm: float) -> list[Tensor]:
    norm = global_norm(gradients)
    return [gradient / norm * norm.clamp(max=max_norm) for gradient in gradients]


MISTAKES = [
    Mistake(
        "clip-per-tensor",
        lambda gradients, max_norm: [clip([each], max_norm)[0] for each in gradients],
        "Each of your tensors is short enough by itself, but together they point elsewhere "
        "than before. Whose length is limited?",
        variants=[
            lambda gradients, max_norm: [
                each * max_norm / _nonzero(each.norm()) for each in gradients
            ],
        ],
    ),
    Mistake(
        "clip-always-rescales",
        _by_factor(
            lambda gradients, max_norm: (
                max_norm / global_norm(gradients) if any(each.any() for each in gradients) else 1.0
            )
        ),
        "Your short gradients have grown. What should clipping do when there is nothing to clip?",
        variants=[_by_factor(lambda gradients, most: most / global_norm(gradients))],  # NaN at 0
    ),
    Mistake(
        "clip-squared-norm",
        _limited(lambda gradients: global_norm(gradients) ** 2),
        "Your long gradients come out too short, and so do some just below the limit. Is a sum of "
        "squares a length already?",
    ),
    Mistake(
        "clip-by-value",
        lambda gradients, max_norm: [each.clamp(-max_norm, max_norm) for each in gradients],
        "No single number of yours is above max_norm, but together they are longer and point "
        "elsewhere. What is limited, each number or the length of all?",
    ),
    Mistake(
        "clip-by-value-from-above",
        lambda gradients, max_norm: [each.clamp(max=max_norm) for each in gradients],
        "Only your large positive numbers are cut. What is limited here, each number or the "
        "length of all together?",
    ),
    Mistake(
        "clip-epsilon",
        _limited(lambda gradients: global_norm(gradients) + 1e-6),
        "You are right on ordinary gradients, but tiny ones come out too short. Is anything "
        "added to the length, and is it needed?",
        variants=[_limited(lambda gradients: global_norm(gradients) + 1e-8)],
    ),
    Mistake(
        "clip-largest-number",
        _limited(lambda gradients: _flat(gradients).abs().max()),
        "Your clipped gradients are still too long. Is the largest number the length of a vector?",
    ),
    Mistake(
        "clip-sum-of-numbers",
        _limited(lambda gradients: _flat(gradients).abs().sum()),
        "Your clipped gradients are too short. You walk along the axes; how long is the "
        "straight line?",
    ),
    Mistake(
        "clip-sum-of-norms",
        _limited(lambda gradients: torch.stack([each.norm() for each in gradients]).sum()),
        "Your clipped gradients are too short. Do the lengths of the parts add up to the "
        "length of the whole?",
    ),
    Mistake(
        "clip-mean-of-squares",
        _limited(lambda gradients: _flat(gradients).square().mean().sqrt()),
        "Your limit depends on how many parameters there are. Is a length made of a sum or of "
        "a mean?",
    ),
    Mistake(
        "clip-mean-of-norms",
        _limited(lambda gradients: torch.stack([each.norm() for each in gradients]).mean()),
        "You limit the average length of the tensors. How long are they as one vector?",
    ),
    Mistake(
        "clip-longest-tensor",
        _limited(lambda gradients: torch.stack([each.norm() for each in gradients]).max()),
        "You limit the longest tensor, and together they are still too long. Whose length is "
        "limited?",
    ),
    Mistake(
        "clip-first-tensor",
        _limited(lambda gradients: gradients[0].norm()),
        "Your first tensor alone decides for all of them. Which tensors belong to the length?",
    ),
    Mistake(
        "clip-signed-sum",
        _limited(lambda gradients: _flat(gradients).sum().abs()),
        "Numbers of opposite sign cancel in your length. What makes each count?",
    ),
    Mistake(
        "clip-to-length-one",
        _by_factor(
            lambda gradients, max_norm: (
                1 / global_norm(gradients) if global_norm(gradients) > max_norm else 1.0
            )
        ),
        "Your long gradients come out with length 1, whatever max_norm is. How long should "
        "they be?",
    ),
    Mistake(
        "clip-by-max-norm-alone",
        _by_factor(
            lambda gradients, max_norm: max_norm if global_norm(gradients) > max_norm else 1.0
        ),
        "You multiply long gradients by max_norm. By what must a vector be multiplied to have "
        "that length?",
    ),
    Mistake(
        "clip-divided-by-max-norm",
        _by_factor(
            lambda gradients, max_norm: 1 / max_norm if global_norm(gradients) > max_norm else 1.0
        ),
        "You divide long gradients by max_norm. By what must a vector be multiplied to have "
        "that length?",
    ),
    Mistake(
        "clip-factor-inverted",
        _by_factor(lambda gradients, max_norm: (global_norm(gradients) / max_norm).clamp(max=1.0)),
        "Your long gradients stay and your short ones shrink. Which way up is the fraction?",
    ),
    Mistake(
        "clip-larger-factor",
        _by_factor(
            lambda gradients, max_norm: (
                (max_norm / global_norm(gradients)).clamp(min=1.0)
                if any(each.any() for each in gradients)
                else 1.0
            )
        ),
        "Your long gradients stay and your short ones grow. Of 1 and the fraction, which should "
        "the factor be: the larger, or the smaller?",
    ),
    Mistake(
        "clip-factor-rooted",
        _by_factor(
            lambda gradients, max_norm: (max_norm / global_norm(gradients)).clamp(max=1) ** 0.5
        ),
        "Your long gradients are still too long. How many roots are there in a length?",
    ),
    Mistake(
        "clip-dropped",
        _by_factor(lambda gradients, max_norm: float(global_norm(gradients) <= max_norm)),
        "Your long gradients are gone. What should be left of them?",
    ),
    Mistake(
        "clip-nothing",
        lambda gradients, max_norm: [each.clone() for each in gradients],
        "Your gradients come out as they went in, however long. What happens above max_norm?",
    ),
    Mistake(
        "clip-nan-at-zero",
        _nan_at_zero,
        "You are right, except that gradients which are all zero become NaN. What do you divide "
        "by there?",
    ),
    Mistake(
        "clip-per-row",
        _per_row,
        "Every row of yours is short enough by itself. Whose length is limited?",
    ),
    Mistake(
        "clip-running-norm",
        _one_after_the_other,
        "Your first tensors are multiplied by a different factor from the last. When do you know "
        "how long they all are together?",
    ),
    Mistake(
        "clip-only-long-tensors",
        _only_the_long_ones,
        "Some of your tensors are shortened and others not. What keeps the direction of all "
        "together?",
    ),
    Mistake(
        "clip-one-vector",
        lambda gradients, max_norm: _flat(clip(gradients, max_norm)),
        "The numbers are right, in one long row. In which form did the gradients come?",
    ),
    Mistake(
        "clip-returns-norm",
        lambda gradients, max_norm: global_norm(gradients),
        "You return a length, as torch's own function does. What is asked for here?",
    ),
]
