"""A block of ResNet, of the Transformer, and of most models since."""

from itertools import pairwise

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.palette import HIGHLIGHT
from tutor.display.parts import Part
from tutor.display.plots import Picture
from tutor.display.style import SMALL, TITLE
from tutor.say import later, say

_CONV, _NORM, _SUB_LAYER = later("conv, norm"), later("norm"), later("sub-layer")


def three_blocks() -> Picture:
    """Draw a block of ResNet (2015), of the Transformer (2017), and of most models since."""

    def draw(fig: Figure) -> str:
        d = Diagram(fig)
        for left, title, on_branch, on_stream in (
            (0.6, say("ResNet, 2015"), [_CONV, "ReLU", _CONV], "ReLU"),
            (6.0, say("Transformer, 2017"), [_SUB_LAYER], _NORM),
            (11.4, say("pre-norm, since"), [_NORM, _SUB_LAYER], None),
        ):
            _block(d, left, title, on_branch, on_stream)
        return say("on the stream itself: ReLU; norm; nothing")

    return Picture(
        draw,
        alt=say(
            "Three blocks. Each has a thick stream upwards and a branch that returns to a sum. "
            "After ResNet's sum stands a ReLU, after the Transformer's a norm, and in pre-norm "
            "nothing: there the norm stands on the branch."
        ),
        size=(8.0, 3.2),
    )


def _block(
    d: Diagram, left: float, title: str, on_branch: list[str], on_stream: str | None
) -> None:
    trunk, branch = left + 1.0, left + 3.2
    d.words(title, (left + 2.0, 6.05), size=TITLE, bold=True)
    plus = d.node("+", (trunk, 3.9))
    d.link((trunk, 0.3), plus, kind=HIGHLIGHT, weight=0.25)
    boxes: list[Part] = []
    for number, words in enumerate(on_branch):
        y = 2.2 + 0.85 * (number - (len(on_branch) - 1) / 2)
        box = d.box(say(words), (branch, y), width=2.3, height=0.6, size=SMALL)
        if words in (_CONV, _NORM):
            box.light()
        boxes.append(box)
    d.link((trunk, 0.7), boxes[0], via=[(branch, 0.7)])
    for lower, upper in pairwise(boxes):
        d.link(lower, upper, head=False)
    d.link(boxes[-1], plus, via=[(branch, 3.9)])
    d.link(plus, (trunk, 5.6), kind=HIGHLIGHT, weight=0.25)
    if on_stream:
        box = d.box(say(on_stream), (trunk, 4.75), width=1.6, height=0.6, size=SMALL)
        if on_stream == _NORM:
            box.light()
