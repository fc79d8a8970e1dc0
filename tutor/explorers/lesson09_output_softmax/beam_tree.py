"""Step by step, which beginnings of the toy's sentences a beam keeps."""

from functools import cache
from typing import Any

import torch
from matplotlib.figure import Figure

from tutor.beam import Hypothesis, beam_steps
from tutor.display.explorer import Explorer, Update, live
from tutor.explorers.lesson09_output_softmax.toy_language import (
    LENGTH,
    TOY_WORDS,
    SentenceTree,
    toy_language,
)
from tutor.language_model import TrigramStep
from tutor.say import say


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
            if best is None:
                return say("nothing has ended yet; {count} still open", count=len(open_now))
            return say(
                "best finished: {words}, probability {probability:.3f}, score {score:.3f}; "
                "{count} still open",
                words=" ".join(TOY_WORDS[word] for word in best.ids),
                probability=torch.tensor(best.total).exp(),
                score=best.score(alpha),
                count=len(open_now),
            )

        return update

    return live(
        draw,
        alt=say(
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
