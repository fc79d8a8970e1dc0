"""The pictures of lesson 9: a beam's tree and smoothed labels; those of the real model beside."""

from functools import cache
from typing import Any

import torch
from matplotlib.figure import Figure
from torch import Tensor

from tutor.beam import Hypothesis, beam_steps
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, INK, NEUTRAL, SERIES
from tutor.explorers.cutting import which_may_be_drawn
from tutor.explorers.decoder_of_today import changed_decoder
from tutor.explorers.exposure import after_the_first_mistake
from tutor.explorers.shelf import shelf
from tutor.explorers.speaker_heads import heads_of_a_speaker
from tutor.explorers.speaking import four_beams, likely_next, ribbons, surprises, the_loop
from tutor.explorers.toy_tree import LENGTH, TOY_WORDS, SentenceTree, toy_language
from tutor.explorers.writing_on import write_on
from tutor.language_model import TrigramStep
from tutor.output import SmoothingForm, smoothed_cross_entropy, smoothing_floor

__all__ = [
    "EXPLORERS",
    "TOY_WORDS",
    "after_the_first_mistake",
    "beam_tree",
    "changed_decoder",
    "four_beams",
    "heads_of_a_speaker",
    "likely_next",
    "ribbons",
    "shelf",
    "smoothing_and_margin",
    "surprises",
    "the_loop",
    "toy_language",
    "which_may_be_drawn",
    "write_on",
]


@cache
def _kept_by_beam(width: int) -> tuple[tuple[Hypothesis, ...], ...]:
    step = TrigramStep(toy_language())
    steps = beam_steps(step, step.start(), width, LENGTH, step.eos_id)
    return tuple(tuple(kept) for [kept] in steps)


def beam_tree() -> Explorer:
    """Show, step by step, which beginnings of the toy's sentences a beam keeps.

    Example:
        >>> beam_tree().frame(width=1, step=3, alpha=0.0).caption
        'best finished: the cat <eos>, probability 0.240, score -1.427; 0 still open'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        tree = SentenceTree(fig.subplots())

        def update(width: int, step: int, alpha: float) -> str:
            steps = _kept_by_beam(width)[:step]
            kept = [each for some in steps for each in some]
            ended = [each for each in kept if each.ids[-1] == TrigramStep.eos_id]
            best = max(ended, key=lambda each: each.score(alpha), default=None)
            tree.show({each.ids for each in kept}, () if best is None else best.ids)
            is_over = step > len(_kept_by_beam(width))
            open_now = [] if is_over else [each for each in steps[-1] if each not in ended]
            still = f"{len(open_now)} still open"
            if best is None:
                return f"nothing has ended yet; {still}"
            words = " ".join(TOY_WORDS[word] for word in best.ids)
            probability = torch.tensor(best.total).exp()
            return (
                f"best finished: {words}, probability {probability:.3f}, "
                f"score {best.score(alpha):.3f}; {still}"
            )

        return update

    return live(
        draw,
        alt=(
            "A tree of all sentences of a toy language, from <bos> at the left to their ends, with "
            "the probability of each beginning. Beginnings the beam has kept so far are bold, the "
            "best finished sentence is coloured, all others are grey."
        ),
        size=(8.0, 3.4),
        labels={"alpha": "α"},
        play="step",
        width=(1, 4, 1, 1),
        step=(1, LENGTH, 1, 1),
        alpha=(0.0, 2.0, 0.5, 0.0),
    )


_V, _MARGINS = 5, torch.linspace(-2, 10, 121)


@cache
def _losses(epsilon: float, form: SmoothingForm) -> Tensor:
    """Give the loss at each margin of the right word, 0, over all others, which score alike."""
    scores = torch.zeros(len(_MARGINS), _V)
    scores[:, 0] = _MARGINS
    label = torch.zeros(1, dtype=torch.long)
    return torch.stack(
        [smoothed_cross_entropy(row[None], label, _V - 1, epsilon, form) for row in scores]
    )


def smoothing_and_margin() -> Explorer:
    """Show the loss against how far the right word's score is ahead, for any ε and both forms.

    Example:
        >>> smoothing_and_margin().frame(epsilon=0.1, form="torch", ahead=5.0).caption[:51]
        'loss at 5.0 ahead: 0.427 (without smoothing 0.027);'
    """
    plain = _losses(0.0, "torch")

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        ax.plot(_MARGINS, plain, color=NEUTRAL, label="without smoothing")
        (smoothed,) = ax.plot([], [], color=SERIES[0], linewidth=2.5, label="with smoothing")
        (floor,) = ax.plot([], [], color=INK, linestyle="--", linewidth=1, label="floor")
        (here,) = ax.plot([], [], marker="o", linestyle="", color=HIGHLIGHT)
        ax.set(
            xlim=(-2, 10),
            ylim=(0, 4.2),
            xlabel="how far the right word's score is ahead of all others",
            title="Loss of one guess among five words",
        )
        ax.legend(loc="upper center")

        def update(epsilon: float, form: SmoothingForm, ahead: float) -> str:
            losses = _losses(epsilon, form)
            lowest = smoothing_floor(_V, epsilon, form)
            smoothed.set_data(_MARGINS, losses)
            floor.set_data([-2, 10], [lowest, lowest])
            place = int(((_MARGINS - ahead).abs()).argmin())
            here.set_data([ahead], [losses[place]])
            where = _MARGINS[losses.argmin()]
            return (
                f"loss at {ahead:.1f} ahead: {losses[place]:.3f} (without smoothing "
                f"{plain[place]:.3f}); lowest here {losses.min():.3f}, at {where:.1f} ahead; "
                f"floor {lowest:.3f}"
            )

        return update

    return live(
        draw,
        alt=(
            "The loss as the right word's score moves ahead of four others. Without smoothing it "
            "falls towards 0; with smoothing it has a lowest point above 0 and rises again when "
            "the model is surer than the smoothed label."
        ),
        size=(8.0, 3.2),
        labels={"epsilon": "ε"},
        kept={"ahead": [-2.0, 0.0, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0]},
        epsilon=([0.0, 0.05, 0.1, 0.2, 0.4], 0.1),
        form=["torch", "paper"],
        ahead=(-2.0, 10.0, 0.5, 5.0),
    )


EXPLORERS = (
    which_may_be_drawn,
    the_loop,
    beam_tree,
    shelf,
    heads_of_a_speaker,
    smoothing_and_margin,
)
