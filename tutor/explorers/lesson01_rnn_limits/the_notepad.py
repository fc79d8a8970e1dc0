"""The notepad: what eight guests ordered, beside what the reader remembered."""

from matplotlib.figure import Figure

from tutor.data.cards import EIGHT_ORDERS
from tutor.display.plots import Picture
from tutor.explorers.lesson01_rnn_limits.rows_of_answers import (
    most_common,
    right_of,
    rows_on,
    write_answers,
    write_orders,
    written,
)
from tutor.say import data, say


def the_notepad(yours: str = "") -> Picture:
    """Show the eight orders, and beside them what the reader wrote down.

    Args:
        yours: eight drinks with spaces or commas between; "" if nothing was written.

    Example:
        >>> the_notepad("tea tea tea tea tea tea tea tea").caption
        'Always tea: 3 of 8 are right. You: 3 of 8.'
    """
    ordered, own = [*EIGHT_ORDERS.values()], written(yours)
    (drink,) = most_common(ordered)
    always = right_of([drink] * len(ordered), ordered)

    def draw(fig: Figure) -> str:
        ax = fig.subplots()
        rows = rows_on(ax, [say("ordered"), *([say("you")] if own else [])])
        for place, guest in enumerate(EIGHT_ORDERS):
            ax.text(place + 0.5, -0.1, data(guest), ha="center", va="bottom")
        write_orders(rows[0], ordered)
        if not own:
            return say("Always {drink}: {right} of 8 are right.", drink=drink, right=always)
        write_answers(rows[1], own, ordered)
        return say(
            "Always {drink}: {right} of 8 are right. You: {own} of 8.",
            drink=drink,
            right=always,
            own=right_of(own, ordered),
        )

    return Picture(
        draw,
        alt=say("Eight guests and what each of them ordered; below, what you wrote, if you did."),
        size=(8.0, 1.7 if own else 1.1),
    )
