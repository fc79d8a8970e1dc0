"""Eight orders to keep in mind, one after the other: the reader as a memory of fixed size."""

from typing import Any

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.say import say

_ORDERS = {
    "Mina": "tea",
    "Joon": "milk",
    "Sora": "coffee",
    "Tom": "tea",
    "Ada": "juice",
    "Noah": "tea",
    "Yuna": "cocoa",
    "Ben": "milk",
}
_PLACES = [(2 + 4 * (n % 4), 4.4 - 2.4 * (n // 4)) for n in range(len(_ORDERS))]


def serve_the_guests() -> Explorer:
    """Show eight orders one by one, ask for all of them, then show the notepad.

    Example:
        >>> serve_the_guests().frame(second=2).caption
        'Second 2: Joon has milk.'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        guests = [d.box(name, at, width=2.6) for name, at in zip(_ORDERS, _PLACES, strict=True)]
        drinks = [
            d.words(drink, (x, y - 0.85), size=13)
            for drink, (x, y) in zip(_ORDERS.values(), _PLACES)
        ]
        marks = [d.words("?", (x, y - 0.85), size=13) for x, y in _PLACES]

        def update(second: int) -> str:
            for number, (guest, drink, mark) in enumerate(zip(guests, drinks, marks), 1):
                guest.light(number == second)
                drink.show(second in (number, 10))
                mark.show(second == 9)
            return _said(second)

        return update

    return live(
        draw,
        alt=(
            "Eight guests. One order a second appears under its guest and is hidden again; at "
            "second 9 all are asked for, at second 10 the notepad shows them all."
        ),
        size=(8.0, 2.6),
        play="second",
        second=(0, 10, 1, 0),
    )


def _said(second: int) -> str:
    if second == 0:
        return say("Second 0: press play, and one order a second comes.")
    if second == 9:
        return say("Second 9: write down all eight. Then look at the notepad, second 10.")
    if second == 10:
        kinds = [*_ORDERS.values()]
        most = max(kinds, key=kinds.count)
        return say(
            "The notepad. The commonest is {drink}: saying it always is right {count} times of 8.",
            drink=most,
            count=kinds.count(most),
        )
    name, drink = list(_ORDERS.items())[second - 1]
    return say("Second {second}: {name} has {drink}.", second=second, name=name, drink=drink)
