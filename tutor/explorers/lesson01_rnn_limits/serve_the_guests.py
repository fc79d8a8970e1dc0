"""Eight orders to keep in mind, one after the other: the reader as a memory of fixed size."""

from typing import Any

from matplotlib.figure import Figure

from tutor.data.cards import EIGHT_ORDERS
from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.style import TITLE
from tutor.say import data, say

_PLACES = [(2 + 4 * (n % 4), 4.4 - 2.4 * (n // 4)) for n in range(len(EIGHT_ORDERS))]


def serve_the_guests() -> Explorer:
    """Show eight orders one by one, then ask for all of them.

    Example:
        >>> serve_the_guests().frame(second=2).caption
        'Second 2: Joon has milk.'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        guests = [
            d.box(data(name), at, width=2.6) for name, at in zip(EIGHT_ORDERS, _PLACES, strict=True)
        ]
        drinks = [
            d.words(data(drink), (x, y - 0.85), size=TITLE)
            for drink, (x, y) in zip(EIGHT_ORDERS.values(), _PLACES)
        ]
        marks = [d.words("?", (x, y - 0.85), size=TITLE) for x, y in _PLACES]

        def update(second: int) -> str:
            for number, (guest, drink, mark) in enumerate(zip(guests, drinks, marks), 1):
                guest.light(number == second)
                drink.show(second == number)
                mark.show(second == 9)
            return _said(second)

        return update

    return live(
        draw,
        alt=say(
            "Eight guests. One order a second appears under its guest and is hidden again; at "
            "second 9 all are asked for."
        ),
        size=(8.0, 2.6),
        play="second",
        second=(0, 9, 1, 0),
    )


def _said(second: int) -> str:
    if second == 0:
        return say("Second 0: press play, and one order a second comes.")
    if second == 9:
        return say("Second 9: write down all eight.")
    name, drink = list(EIGHT_ORDERS.items())[second - 1]
    return say("Second {second}: {name} has {drink}.", second=second, name=name, drink=drink)
