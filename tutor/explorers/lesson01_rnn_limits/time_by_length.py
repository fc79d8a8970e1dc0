"""The time of one training step against the length of the sentences."""

from matplotlib.figure import Figure

from tutor.data.files import load_results
from tutor.display.palette import ATTENTION, SERIES
from tutor.display.plots import Picture
from tutor.say import later, say

# The kinds that the lesson has spoken of.
_LOOKS = {
    later("RNN"): (SERIES[1], "--"),
    later("LSTM"): (SERIES[0], "-"),
    later("self-attention"): (ATTENTION, "-"),
}


def time_by_length() -> Picture:
    """Draw the time of one training step against the length of the sentences."""
    table = load_results("table1")["values"]
    lengths = table["lengths"]
    measured = {kind: times for kind, times in table["milliseconds"].items() if kind in _LOOKS}

    def draw(fig: Figure) -> str:
        ax = fig.subplots()
        for name, times in measured.items():
            colour, look = _LOOKS[name]
            ax.plot(lengths, times, color=colour, linestyle=look, marker="o", label=say(name))
        ax.set(xscale="log", xlabel=say("words in a sentence"), ylabel=say("milliseconds a step"))
        ax.set_ylim(bottom=0)
        ax.set_xticks(lengths, [str(length) for length in lengths])
        ax.minorticks_off()
        ax.grid(visible=True)
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        grown = {say(name): times[-1] / times[0] for name, times in measured.items()}
        return say(
            "From {short} to {long} words the time grows by these factors: {factors}.",
            short=lengths[0],
            long=lengths[-1],
            factors=", ".join(f"{name} {factor:.1f}" for name, factor in grown.items()),
        )

    return Picture(
        draw,
        alt=say(
            "Time of one training step against the length of the sentences, the number of words "
            "in a batch being the same. The LSTM's stays nearly level, far below those of the "
            "plain RNN and of attention, which rise with the length."
        ),
        size=(8.0, 2.9),
    )
