"""Encoder and decoder with the letters of the paper's section 3."""

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.plots import Picture
from tutor.display.style import SMALL, TITLE
from tutor.say import say


def x_to_z_to_y() -> Picture:
    """Show encoder and decoder with the letters of the paper's section 3.

    Example:
        >>> x_to_z_to_y().caption
        'section 3: (x₁, …, xₙ) → z = (z₁, …, zₙ) → (y₁, …, yₘ)'

    Source: "Attention Is All You Need", section 3.
    """

    def draw(fig: Figure) -> str:
        d = Diagram(fig)
        encoder = d.box(say("encoder"), (4.6, 1.9), width=2.2, height=1.0)
        decoder = d.box(say("decoder"), (10.8, 1.9), width=2.2, height=1.0)
        d.link((1.2, 1.9), encoder)
        d.link(encoder, decoder)
        d.link(decoder, (15.0, 1.9))
        d.link((14.0, 1.9), decoder, via=[(14.0, 0.6), (10.8, 0.6)])
        for words, x in (("x₁ … xₙ", 2.2), ("z₁ … zₙ", 7.7), ("y₁ … yₘ", 13.6)):
            d.words(words, (x, 2.3), size=TITLE)
        for words, x in (
            (say("source words"), 2.2),
            (say("the memory"), 7.7),
            (say("words written"), 13.6),
        ):
            d.words(words, (x, 2.95), size=SMALL)
        d.words(say("y₁ … yₜ are read again"), (12.4, 0.25), size=SMALL)
        return say("section 3: (x₁, …, xₙ) → z = (z₁, …, zₙ) → (y₁, …, yₘ)")

    return Picture(
        draw,
        alt=say(
            "x goes into the encoder, z from the encoder to the decoder, y out of the decoder; an "
            "arrow leads from y back into the decoder."
        ),
        size=(8.0, 1.7),
    )
