"""The pictures of lesson 1, from the café to what waits for what."""

from matplotlib.figure import Figure

from tutor.data.files import load_results
from tutor.display.palette import ATTENTION, SERIES
from tutor.display.plots import Picture
from tutor.explorers.cafe import serve_the_guests
from tutor.explorers.cards import cards_dealt, right_by_cards
from tutor.explorers.gradient_arrows import (
    back_through_time,
    powers_of_a_factor,
    states_and_weights,
)
from tutor.explorers.lstm_cell import cell_at_work, how_far_it_reaches
from tutor.explorers.recurrent_nets import (
    encoder_and_decoder,
    five_kinds,
    unfolding,
    who_waits,
)
from tutor.say import say

__all__ = [
    "back_through_time",
    "cards_dealt",
    "cell_at_work",
    "encoder_and_decoder",
    "five_kinds",
    "how_far_it_reaches",
    "powers_of_a_factor",
    "right_by_cards",
    "serve_the_guests",
    "states_and_weights",
    "time_by_length",
    "unfolding",
    "who_waits",
]


def time_by_length() -> Picture:
    """Draw the time of one training step against the length of the sentences."""
    table = load_results("table1")["values"]
    lengths = table["lengths"]

    def draw(fig: Figure) -> str:
        ax = fig.subplots()
        kinds = table["milliseconds"].items()
        looks = ((SERIES[1], "--"), (SERIES[0], "-"), (ATTENTION, "-"), (SERIES[2], ":"))
        for (name, times), (colour, look) in zip(kinds, looks, strict=True):
            ax.plot(lengths, times, color=colour, linestyle=look, marker="o", label=name)
        ax.set(xscale="log", xlabel="words in a sentence", ylabel="milliseconds a step")
        ax.set_ylim(bottom=0)
        ax.set_xticks(lengths, [str(length) for length in lengths])
        ax.minorticks_off()
        ax.grid(visible=True)
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        grown = {name: times[-1] / times[0] for name, times in table["milliseconds"].items()}
        return say(
            "From {short} to {long} words the time grows by these factors: {factors}.",
            short=lengths[0],
            long=lengths[-1],
            factors=", ".join(f"{name} {factor:.1f}" for name, factor in grown.items()),
        )

    return Picture(
        draw,
        alt=(
            "Time of one training step against the length of the sentences, the number of words "
            "in a batch being the same. The LSTM's stays nearly level, far below those of the "
            "plain RNN and of attention, which rise with the length."
        ),
        size=(8.0, 2.9),
    )


EXPLORERS = (
    serve_the_guests,
    unfolding,
    back_through_time,
    cell_at_work,
    how_far_it_reaches,
    cards_dealt,
    encoder_and_decoder,
)
