"""A word's row picked from a table: a product with a one-hot row, or a look-up."""

from typing import Any

import torch
from matplotlib.figure import Figure

from tutor.display.controls import as_data
from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.regions import touch_cells
from tutor.display.style import TITLE
from tutor.say import data, say

_NAMES = ("this", "is", "my", "car", "red", "fast")
_TABLE = torch.tensor(
    [
        [0.4, -1.2, 0.3, 0.8],
        [-0.7, 0.1, 1.1, -0.4],
        [1.3, 0.6, -0.2, 0.5],
        [-0.1, 0.9, -1.4, 0.2],
        [0.8, -0.5, 0.7, -1.0],
        [-1.1, 0.2, 0.6, 1.2],
    ]
)


def picking_a_row() -> Explorer:
    """Show a word's row picked from a table: as a product with a one-hot row, or looked up.

    Example:
        >>> picking_a_row().frame(word="car").caption
        'id 3, car: 24 multiplications, 20 of them by zero.'
    """
    count, width = _TABLE.shape

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        hot = d.matrix(
            torch.zeros(1, count), name=say("one-hot"), cell=(0.62, 0.62), limit=2, kind="key"
        )
        table = d.matrix(_TABLE, name=say("table"), rows=_NAMES, cell=(0.95, 0.62), decimals=1)
        row = d.matrix(_TABLE[:1], name=say("its row"), cell=(0.95, 0.62), decimals=1, limit=1.4)
        _, dot, _, equals, _ = d.row(hot, "·", table, "=", row, at=(7.9, 2.35))
        touch_cells(table, rows=("word", _NAMES))
        x, y = hot.at
        name = d.words("", (x, y + 0.1), size=TITLE)
        ends = [(table.left[0] - 0.95, table.cell(number, 0)[1]) for number in range(count)]
        into = [d.link((x + 1.2, y), end) for end in ends]
        out = [d.link(table.row_edge(number), row.left) for number in range(count)]

        def update(word: str, way: str) -> str:
            place, product = _NAMES.index(word), way == "product"
            others = [n for n in range(count) if n != place]
            hot.show(product)
            dot.show(product)
            hot.set(torch.eye(count)[place : place + 1])
            name.show(not product)
            name.write(f"{data(word)}: {place}")
            equals.show(product)
            for number in range(count):
                into[number].show(not product and number == place)
                out[number].show(not product and number == place)
            table.mark(row=place)
            table.dim(rows=others if product else ())
            row.set(_TABLE[place : place + 1])
            if product:
                return say(
                    "id {id}, {word}: {all} multiplications, {zeros} of them by zero.",
                    id=place,
                    word=word,
                    all=count * width,
                    zeros=(count - 1) * width,
                )
            return say("id {id}, {word}: row {id} is read, 0 multiplications.", id=place, word=word)

        return update

    return live(
        draw,
        alt=say(
            "A row of zeros with a single 1 at a word's id, times a table of six rows, gives the "
            "row of that word. Looked up, an arrow from the id to the row does the same."
        ),
        size=(8.0, 2.6),
        word=as_data(_NAMES),
        way=[(say("product"), "product"), (say("look-up"), "look-up")],
    )
