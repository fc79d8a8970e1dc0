"""Where a training step's time goes: recurrent layers and a whole layer, one thread and two."""

from typing import Any

from matplotlib.figure import Figure

from tutor.data.files import load_results
from tutor.display.palette import ATTENTION, INK, SERIES
from tutor.display.plots import Picture
from tutor.say import later, say

_LOOKS = {
    "GRU": (later("GRU"), SERIES[1]),
    "LSTM": (later("LSTM"), SERIES[0]),
    "encoder layer": (later("encoder layer"), ATTENTION),
}
_TWO: dict[str, Any] = {"marker": "o", "linestyle": ":", "markerfacecolor": "none"}


def step_time() -> Picture:
    """Draw the time of a training step by length, with one thread and with two."""
    table = load_results("step_time")["values"]
    lengths, times = table["lengths"], table["milliseconds by threads"]

    def draw(fig: Figure) -> str:
        ax = fig.subplots()
        for layer, (name, colour) in _LOOKS.items():
            one, two = times["1"][layer], times["2"][layer]
            ax.plot(lengths, one, color=colour, marker="o", label=say(name))
            ax.plot(lengths, two, color=colour, **_TWO)
        ax.plot([], [], color=INK, marker="o", label=say("one thread"))
        ax.plot([], [], color=INK, **_TWO, label=say("two threads"))
        ax.set(xscale="log", yscale="log", xlabel=say("words in a sentence"))
        ax.set_ylabel(say("milliseconds a step"))
        ax.set_xticks(lengths, [str(length) for length in lengths])
        ax.set_yticks([20, 50, 100, 200, 500], ["20", "50", "100", "200", "500"])
        ax.minorticks_off()
        ax.grid(visible=True)
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        gains = {
            say(name): times["1"][layer][-1] / times["2"][layer][-1]
            for layer, (name, _) in _LOOKS.items()
        }
        return say(
            "At {length} words a second thread makes a step faster by these factors: {gains}.",
            length=f"{lengths[-1]:,}",
            gains=", ".join(f"{name} {gain:.1f}" for name, gain in gains.items()),
        )

    return Picture(
        draw,
        alt=say(
            "Time of a training step against the length of the sentences, both axes logarithmic. "
            "With as many threads the LSTM lies lowest at every length; the encoder layer rises "
            "slowly, the GRU fast. With two threads the encoder layer takes about half the time at "
            "every length; in long sentences GRU and LSTM gain nothing."
        ),
        size=(8.0, 2.9),
    )
