"""The one vector between encoder and decoder, and arrows past it."""

from typing import Any

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT
from tutor.display.style import SMALL
from tutor.explorers.lesson01_rnn_limits.subscripts import SUBSCRIPTS
from tutor.say import data, say


def encoder_and_decoder() -> Explorer:
    """Show the one vector between encoder and decoder, and arrows past it.

    Example:
        >>> encoder_and_decoder().frame(look_back=True).caption
        'Ways from the encoder to each word that is written: 3.'
    """
    source, target = ("Mina", "and", "Joon"), ("Mina", "et", "Joon")

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        read = [d.box(f"h{SUBSCRIPTS[n]}", (1.9 * n - 0.6, 2.8), width=1.1) for n in (1, 2, 3)]
        written = [d.box(f"s{SUBSCRIPTS[n]}", (8.9 + 1.9 * n, 2.8), width=1.1) for n in (1, 2, 3)]
        context = d.box(say("context\nvector"), (8.0, 2.8), width=1.6, height=1.2)
        context.light()
        d.chain(read)
        d.link(read[-1], context, kind=HIGHLIGHT, weight=0.3)
        d.link(context, written[0], kind=HIGHLIGHT, weight=0.3)
        d.chain(written)
        for word, state in zip(source, read, strict=True):
            d.link(d.words(data(word), (state.at[0], 1.1)), state)
        for word, state in zip(target, written, strict=True):
            d.link(state, d.words(data(word), (state.at[0], 4.5)))
        for part, states in ((say("encoder"), read), (say("decoder"), written)):
            d.frame(states)
            between = (states[0].at[0] + states[1].at[0]) / 2  # its arrows go up from the states
            d.words(part, (between, 3.8), size=SMALL)
        asks = written[1].at[0] - 0.3
        backs = [
            d.link(
                state.top,
                (asks, 3.2),
                kind="attention",
                via=[(state.at[0], 5.1 + 0.12 * n), (asks, 5.1 + 0.12 * n)],
            )
            for n, state in enumerate(read)
        ]

        def update(look_back: bool) -> str:
            for link in backs:
                link.show(look_back)
            return say(
                "Ways from the encoder to each word that is written: {count}.",
                count=len(read) if look_back else 1,
            )

        return update

    return live(
        draw,
        alt=say(
            "An encoder of three states hands one vector, the context vector, to a decoder of "
            "three states. With look back on, arrows lead from every encoder state to the state "
            "that writes; drawn for the second word."
        ),
        size=(8.0, 2.9),
        look_back=False,
        labels={"look_back": say("look back")},
    )
