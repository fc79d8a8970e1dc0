"""The encoding of two positions along the dimensions."""

from matplotlib.figure import Figure

from tutor.display.palette import INK
from tutor.display.plots import Picture
from tutor.position import sinusoidal_encoding
from tutor.say import say


def rows_as_curves() -> Picture:
    """Show the encoding of positions 1 and 50 along the dimensions."""

    def draw(fig: Figure) -> str:
        encoding = sinusoidal_encoding(51, 128)
        for ax, position in zip(fig.subplots(2, 1, sharex=True), (1, 50)):
            ax.plot(range(128), encoding[position].numpy(), color=INK, marker=".", linewidth=0.7)
            ax.set(ylim=(-1.1, 1.1), title=say("position {position}", position=position))
        fig.axes[-1].set_xlabel(say("column"))
        return say("At position 1 few columns have moved away from 0 or 1, at position 50 many.")

    return Picture(
        draw,
        alt=say(
            "Two curves along 128 columns, zigzags because sines and cosines alternate. At "
            "position 1 the columns from about 40 on are 0 and 1 in turn; at position 50 the "
            "first 60 or so wave up and down, and only the last ones have hardly left 0 and 1."
        ),
        size=(8.0, 3.5),
    )
