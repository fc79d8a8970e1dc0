"""A scaling law: the loss falls as a power of the number of parameters (lesson 8)."""

from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter, ScalarFormatter

from tutor.display.palette import SERIES
from tutor.display.plots import Picture
from tutor.say import say

# Source: Kaplan et al. 2020, https://arxiv.org/abs/2001.08361, equation 1.1.
EXPONENT, PARAMETERS_AT_LOSS_1 = 0.076, 8.8e13
_SIZES = tuple(10.0**power for power in range(3, 10))  # their models, without embeddings


def scaling_law() -> Picture:
    """Draw the law that was fitted to language models of a thousand to a billion parameters.

    Example:
        >>> scaling_law().caption
        'From 1,000 to 1,000,000,000 parameters the loss falls from 6.8 to 2.4 nats per token.'
    """

    def draw(fig: Figure) -> str:
        losses = [(PARAMETERS_AT_LOSS_1 / size) ** EXPONENT for size in _SIZES]
        ax = fig.subplots()
        ax.plot(_SIZES, losses, color=SERIES[0], linewidth=3)
        ax.set(xscale="log", yscale="log", ylim=(2, 8), yticks=[2, 3, 4, 5, 6, 8])
        ax.set(xlabel=say("parameters N, without the embedding table"))
        ax.set(ylabel=say("loss, nats per token"))
        ax.yaxis.set_major_formatter(ScalarFormatter())
        ax.yaxis.set_minor_formatter(NullFormatter())
        ax.grid(visible=True)
        return say(
            "From {least:,.0f} to {most:,.0f} parameters the loss falls from {high:.1f} to "
            "{low:.1f} nats per token.",
            least=_SIZES[0],
            most=_SIZES[-1],
            high=losses[0],
            low=losses[-1],
        )

    return Picture(
        draw,
        alt=say(
            "Loss against the number of parameters, both axes logarithmic: a straight line that "
            "falls."
        ),
        size=(8.0, 2.8),
    )
