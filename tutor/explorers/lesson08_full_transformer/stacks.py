"""Which encoder layer the decoder layers read."""

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.plots import Picture
from tutor.say import say


def stacks() -> Picture:
    """Show which encoder layer the decoder layers read.

    Example:
        >>> stacks().caption
        'all 3 decoder layers read encoder layer 2, the last'
    """
    count = 3

    def draw(fig: Figure) -> str:
        d = Diagram(fig)
        encoder, decoder = (
            [
                d.box(
                    say("{stack} {number}", stack=stack, number=number),
                    (x, 0.8 + 1.5 * number),
                    width=2.8,
                )
                for number in range(count)
            ]
            for stack, x in (("encoder", 4.2), ("decoder", 11.8))
        )
        for layers in (encoder, decoder):
            d.chain(layers)
        for layer in decoder:
            d.link(encoder[-1], layer, via=[(8.0, encoder[-1].at[1]), (8.0, layer.at[1])])
        return say(
            "all {count} decoder layers read encoder layer {last}, the last",
            count=count,
            last=count - 1,
        )

    return Picture(
        draw,
        alt=say(
            "Two stacks of three layers. From the top layer of the encoder an arrow leads to each "
            "layer of the decoder; no other layer of the encoder has one."
        ),
        size=(8.0, 2.4),
    )
