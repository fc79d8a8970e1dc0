"""Lesson 7's fortune teller: what it drew and foretold, and what that was worth."""

import math

import torch
from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.palette import HIGHLIGHT, NEUTRAL, SERIES
from tutor.display.plots import Picture
from tutor.display.style import SMALL
from tutor.say import say
from tutor.training.fortune_teller import (
    DIGITS,
    Foretold,
    FortuneTeller,
    foretell,
    train_fortune_teller,
)

GUESSING = math.log(DIGITS)  # nobody who sees no answer gets a lower loss


def a_fortune_teller() -> Picture:
    """Train a decoder until it foretells random digits, and show what it foretold.

    Example:
        >>> a_fortune_teller().caption
        '5 of 5 right; loss 0.0, and the best possible is 2.3'
    """
    with torch.random.fork_rng():
        torch.manual_seed(7)
        decoder = FortuneTeller()
        train_fortune_teller(decoder, mask=False, shift=True)
        return drawn_and_foretold(foretell(decoder, mask=False, shift=True))


def drawn_and_foretold(foretold: Foretold) -> Picture:
    """Show the first row of digits as drawn and as said, and the loss beside the best possible.

    Example:
        >>> digits = torch.tensor([[3, 1, 4, 1, 5]])
        >>> drawn_and_foretold(Foretold(digits, digits, loss=0.0)).caption
        '5 of 5 right; loss 0.0, and the best possible is 2.3'
    """
    drawn, said = foretold.drawn[0].tolist(), foretold.said[0].tolist()

    def draw(fig: Figure) -> str:
        d = Diagram(fig)
        for name, digits, y, kind in (
            (say("drawn"), drawn, 3.4, "neutral"),
            (say("said"), said, 1.4, "attention"),
        ):
            d.words(name, (1.2, y))
            d.tokens([str(digit) for digit in digits], at=(5.6, y), step=1.3, kind=kind)
        _two_losses(d, foretold.loss)
        right = sum(a == b for a, b in zip(drawn, said, strict=True))
        return say(
            "{right} of {count} right; loss {loss}, and the best possible is {best}",
            right=right,
            count=len(drawn),
            loss=f"{foretold.loss:.1f}",
            best=f"{GUESSING:.1f}",
        )

    return Picture(
        draw,
        alt=say(
            "Two rows of digits, as drawn and as said. Beside them two bars: the loss of guessing, "
            "with a line at its height, and the loss of this decoder."
        ),
        size=(8.0, 2.4),
    )


def _two_losses(d: Diagram, loss: float) -> None:
    """Draw the loss of a guess and this loss side by side: a loss of 0 alone is no bar to see."""
    foot, top = 0.9, 3.0
    bars = (
        (say("guessing"), 11.7, GUESSING, NEUTRAL),
        (say("this decoder"), 13.9, loss, SERIES[0]),
    )
    d.words(say("loss"), (12.8, 4.3))
    for name, x, worth, kind in bars:
        bar = d.bar((x, foot), limit=top, full=top, name=name, kind=kind)
        bar.set(round(min(worth, top), 2), f"{worth:.2f}")
        d.words(name, (x, 0.45), size=SMALL)
    d.link((10.7, foot), (14.9, foot), head=False)
    d.link((10.7, foot + GUESSING), (14.9, foot + GUESSING), head=False, kind=HIGHLIGHT)
