"""What two networks say to eight guests while they learn, beside what you said."""

from typing import Any

from matplotlib.figure import Figure

from tutor.data.cards import DRINK_NAMES, GUEST_NAMES
from tutor.data.files import load_results
from tutor.display.explorer import Explorer, Update, live
from tutor.explorers.lesson01_rnn_limits.rows_of_answers import (
    GUESTS,
    right_of,
    rows_on,
    show,
    write_answers,
    write_orders,
    written,
)
from tutor.say import data, say


def eight_answers(yours: str = "") -> Explorer:
    """Show the eight answers of two networks after more and more training, beside your own.

    Args:
        yours: what the reader wrote on the lesson's first slide: eight drinks, with spaces or
            commas between.

    Example:
        >>> eight_answers().frame(training=300).caption
        'After 300 training steps, right of 8: LSTM 3, attention 8.'
    """
    stored = load_results("card_answers")["values"]
    own, waiters = written(yours), stored["waiters"]
    shown = {"LSTM": say("LSTM"), "attention": say("attention")}
    names = [shown[memory] for memory in waiters]

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        you = [say("you")] if own else []
        orders, *rows = rows_on(ax, [say("ordered"), *you, *names])
        mine, rows = (rows[0], rows[1:]) if own else (None, rows)
        guests = [ax.text(n + 0.5, -0.15, "", ha="center", va="bottom") for n in range(GUESTS)]

        def update(training: int, hand: int) -> str:
            told = stored["hands"][hand - 1]
            ordered = [DRINK_NAMES[drink] for _, drink in told]
            for label, (guest, _) in zip(guests, told, strict=True):
                label.set_text(data(GUEST_NAMES[guest]))
            write_orders(orders, ordered)
            if mine:
                write_answers(mine, own, ordered)
                show(mine, shown=hand == 1)
            said = [_said(w, stored, training, hand) for w in waiters.values()]
            for row, answers in zip(rows, said, strict=True):
                write_answers(row, answers, ordered)
            right = {name: right_of(row, ordered) for name, row in zip(names, said, strict=True)}
            return say(
                "After {steps} training steps, right of 8: {counts}.",
                steps=training,
                counts=", ".join(f"{name} {count}" for name, count in right.items()),
            )

        return update

    return live(
        draw,
        alt=say(
            "A row for what eight guests ordered, and a row for each network with its eight "
            "answers. Right ones are filled; wrong ones that name the hand's most common drink are "
            "shaded. For hundreds of steps the LSTM says that drink to nearly everybody, when "
            "attention already says to each what they ordered."
        ),
        size=(8.0, 2.8),
        play="training",
        training=sorted({int(step) for waiter in waiters.values() for step in waiter["said"]}),
        hand=(1, len(stored["hands"]), 1, 1),
        kept={"hand": [1, 2, 3]},
        labels={"training": say("training steps")},
    )


def _said(waiter: dict[str, Any], stored: dict[str, Any], training: int, hand: int) -> list[str]:
    """Give a network's answers in the order of the guests; its last, if it learned no longer."""
    step = max(int(s) for s in waiter["said"] if int(s) <= training)
    asked, said = stored["asked"][hand - 1], waiter["said"][str(step)][hand - 1]
    drink_of = dict(zip(asked, said, strict=True))
    return [DRINK_NAMES[ord(drink_of[guest]) - ord("a")] for guest, _ in stored["hands"][hand - 1]]
