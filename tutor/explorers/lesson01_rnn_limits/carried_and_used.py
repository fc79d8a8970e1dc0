"""A memory that is written once, carried over five steps, and used at two of them."""

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.palette import HIGHLIGHT
from tutor.display.plots import Picture
from tutor.display.shapes import Box
from tutor.display.style import TITLE
from tutor.explorers.lesson01_rnn_limits.subscripts import SUBSCRIPTS
from tutor.say import data, say

_WORDS = ("Mina", "said", "that", "she", "lost", "her")
_SHOWN = (4, 6)  # steps at which the output gate is open


def carried_and_used() -> Picture:
    """Draw six steps of a cell: which gates are open, and where its content is used."""

    def draw(fig: Figure) -> str:
        d = Diagram(fig)
        across = [3.6 + 2.3 * step for step in range(len(_WORDS))]
        for name, height in (
            (say("output gate"), 4.2),
            (say("forget gate"), 3.1),
            (say("input gate"), 1.9),
        ):
            d.words(name, (1.3, height))
        cells: list[Box] = []
        for step, (word, x) in enumerate(zip(_WORDS, across, strict=True), 1):
            cell = d.box(f"c{SUBSCRIPTS[step]}", (x, 3.1), width=1.0)
            cell.light()
            read = d.words(data(word), (x, 0.6))
            shown = d.words(f"h{SUBSCRIPTS[step]}", (x, 5.4))
            _gate(d, (x, 1.9), opened=step == 1)
            _gate(d, (x, 4.2), opened=step in _SHOWN)
            if step == 1:
                d.link(read, cell, kind=HIGHLIGHT, weight=0.2)
            if step in _SHOWN:
                d.link(cell, shown, kind=HIGHLIGHT, weight=0.2)
            if cells:
                _gate(d, (x - 0.6, 3.55), opened=True)
                # Between points, because its width is no number to be read out.
                d.link(cells[-1].right, cell.left, kind=HIGHLIGHT, weight=0.2)
            cells.append(cell)
        return say(
            "Written at step 1, carried to step {last}, used at steps {first} and {last}.",
            first=_SHOWN[0],
            last=_SHOWN[1],
        )

    return Picture(
        draw,
        alt=say(
            "Six steps of a cell. The input gate is open at the first word alone, the forget gate "
            "at every step, and the output gate at the fourth and the sixth: the first word's "
            "trace runs through all six cells and comes out at two."
        ),
        size=(8.0, 3.0),
    )


def _gate(d: Diagram, at: tuple[float, float], opened: bool) -> None:
    """Draw a gate beside the arrow: a ring if it is open, a bar if it is shut."""
    d.words("○" if opened else "—", (at[0] - 0.55, at[1]), size=TITLE)
