"""How two heads, one after the other, go on with a pattern."""

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.plots import Picture
from tutor.say import say


def circuit() -> Picture:
    """Draw how two heads, one after the other, go on with a pattern."""

    def draw(fig: Figure) -> str:
        d = Diagram(fig)
        letters = d.tokens(
            ["e", "v", "b", "x", "n", "u", "y", "g", "e", "v", "b", "?"], at=(8, 1.5), step=1.2
        )
        x, earlier, last = letters[3], letters[2], letters[10]
        label = d.box("after b", (x.top[0], 2.9), width=1.9, kind="value", size=10)
        d.words("layer 0 asks: what stands before me?", (4.3, 4.6), size=11, colour="query")
        d.words("layer 1 asks: where is “after b”?", (11.6, 4.6), size=11, colour="query")
        d.link(earlier, label, kind="value", via=[(earlier.top[0], 2.9)])
        d.link(label, last, kind="attention", via=[(last.top[0], 2.9)])
        letters[11].write("x")
        letters[11].light()
        last.light()
        d.words("the last b finds x, and x is what it brings", (8, 0.4), size=11)
        return say("layer 0 writes “after b” beside x; layer 1 finds it and brings x")

    return Picture(
        draw,
        alt=(
            "Letters in a row, e v b x n u y g e v b. In layer 0 an arrow brings “after b” to the "
            "first x; in layer 1 the last b finds that label, and x comes next."
        ),
        size=(8.0, 2.5),
    )
