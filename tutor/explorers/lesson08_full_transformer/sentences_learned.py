"""Lesson 8's ninety-six sentences: which are learned, and what becomes of the one left out."""

from matplotlib.figure import Figure

from tutor.data.pairs import Task
from tutor.data.talk import OBJECTS, SUBJECTS, VERBS
from tutor.display.diagram import Diagram
from tutor.display.palette import HIGHLIGHT, SERIES
from tutor.display.plots import Picture
from tutor.display.shapes import Box
from tutor.display.style import TITLE
from tutor.say import data, say

_CELL = 0.5


def sentences_learned(task: Task, written: str) -> Picture:
    """Show all sentences as cells, filled where they are learned, and what one left out became.

    Args:
        task: its first test sentence is the one left out.
        written: what the translator made of it.

    Example:
        >>> from tutor.data.talk import talk_task
        >>> sentences_learned(talk_task(left_out=["I love her"]), "나는 그녀를 사랑한다").caption
        '95 of 96 sentences learned; I love her → 나는 그녀를 사랑한다'
    """
    left_out = task.test[0].source

    def draw(fig: Figure) -> str:
        d = Diagram(fig)
        for place, verb in enumerate(VERBS):
            left = 1.8 + 3.65 * place
            d.words(data(verb), (left - 0.21, 4.05), size=TITLE, align="left")
            for column, whom in enumerate(OBJECTS):
                d.words(data(whom), (left + _CELL * column, 0.95), rotation=90)
                for row, who in enumerate(SUBJECTS):
                    at = (left + _CELL * column, 3.4 - _CELL * row)
                    cell = d.box("", at, width=0.42, height=0.42, kind=SERIES[0])
                    cell.paint(SERIES[0], 0.6)
                    if (who, verb, whom) == left_out:
                        cell.paint(HIGHLIGHT, 0.0)
                        _lead_to(d, cell, written)
        for row, who in enumerate(SUBJECTS):
            d.words(data(who), (1.4, 3.4 - _CELL * row), align="right")
        return say(
            "{learned} of {all} sentences learned; {source} → {written}",
            learned=len(task.train),
            all=len(task.train) + len(task.test),
            source=" ".join(left_out),
            written=written,
        )

    return Picture(
        draw,
        alt=say(
            "Four tables, one for each verb, with a row for each subject and a column for each "
            "object. One cell, of the sentence left out, is empty; an arrow leads from it to what "
            "was written."
        ),
        size=(8.0, 2.7),
    )


def _lead_to(d: Diagram, cell: Box, written: str) -> None:
    """Draw what was written above the tables, with an arrow from the cell of its sentence."""
    words = d.tokens(written.split(), (8.6, 4.9), kind=HIGHLIGHT)
    d.link(cell.top, words[0], via=[(cell.at[0], 4.9)])
