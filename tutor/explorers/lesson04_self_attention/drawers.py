"""A look-up that takes a little from every drawer."""

from matplotlib.figure import Figure
from torch import Tensor

from tutor.display.diagram import Diagram
from tutor.display.lettering import short
from tutor.display.plots import Picture
from tutor.say import say


def drawers(query: Tensor, keys: Tensor, values: Tensor, weights: Tensor) -> Picture:
    """Show a look-up that takes a little from every drawer.

    Args:
        query: (d_k,), what is looked for.
        keys: (drawers, d_k), what stands on each drawer.
        values: (drawers,), what lies in each.
        weights: (drawers,), how much is taken from each.
    """

    def draw(fig: Figure) -> str:
        d = Diagram(fig)
        card = d.box(_row(query), (2.0, 1.95), kind="query", name=say("query"))
        d.words(say("query"), (2.0, 2.7), colour="query")
        result = d.box(
            short((weights @ values).item()), (13.4, 1.95), kind="value", name=say("output")
        )
        d.words(say("output"), (15.3, 1.95), colour="value")
        d.words(say("on the drawer: key"), (6.6, 3.85), colour="key")
        d.words(say("inside: value"), (9.6, 3.85), colour="value")
        for place, (key, value, weight) in enumerate(zip(keys, values, weights)):
            y = 3.1 - 1.15 * place
            name = say("key {number}", number=place + 1)
            front = d.box(_row(key), (6.6, y), kind="key", width=2.8, name=name)
            inside = d.box(short(value.item(), 0), (9.6, y), kind="value", width=1.6)
            d.link(card, front)
            share = weight.item()
            d.link(inside, result, weight=share, kind="attention", words=short(share))
        return say(
            "weights {weights} of the values {values} give {output}",
            weights=_row(weights, 2),
            values=_row(values),
            output=short((weights @ values).item()),
        )

    return Picture(
        draw,
        alt=say(
            "A query meets the keys on three drawers; arrows as wide as the weights bring what is "
            "inside together."
        ),
        size=(8.0, 2.1),
    )


def _row(numbers: Tensor, decimals: int | None = None) -> str:
    form = "g" if decimals is None else f".{decimals}f"
    return f"[{', '.join(format(number, form) for number in numbers.tolist())}]"
