"""How fast SmolLM2 reads and writes, with a cache and without, as ratios (lesson 9)."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tutor.data.files import load_results
from tutor.display.palette import NEUTRAL, SERIES
from tutor.display.plots import Picture
from tutor.say import say


def reading_and_writing() -> Picture:
    """Compare reading, writing with a cache, and writing without one, at four lengths."""
    found = load_results("smollm_speed")["values"]
    unit = found["cache"][0]
    gains = [round(a / b) for a, b in zip(found["cache"], found["no cache"], strict=True)]
    leads = [round(a / b) for a, b in zip(found["read"], found["cache"], strict=True)]

    def draw(fig: Figure) -> str:
        left, right = fig.subplots(1, 2, width_ratios=[2.2, 1])
        curves = {
            "read": say("read at once"),
            "cache": say("written, with cache"),
            "no cache": say("written, no cache"),
        }
        for colour, (name, label) in zip(SERIES, curves.items()):
            rates = [rate / unit for rate in found[name]]
            left.plot(found["lengths"], rates, "o-", color=colour)
            below = name == "no cache"
            y = rates[1] * (0.6 if below else 1.35)
            left.text(found["lengths"][1], y, label, color=colour, ha="right" if below else "left")
        for length, kept, without, gain in zip(
            found["lengths"], found["cache"], found["no cache"], gains, strict=True
        ):
            middle = (kept * without) ** 0.5 / unit
            left.plot([length] * 2, [without / unit, kept / unit], ":", color=NEUTRAL, zorder=0)
            left.text(length * 1.06, middle, f"×{gain}", va="center")
        _set_lengths(left, found["lengths"])
        at_once = [rate / found["texts at once"][0] for rate in found["texts at once"]]
        names = [f"{count}" for count in found["texts"]]
        right.bar(names, at_once, color=SERIES[1])
        for place, ratio in enumerate(at_once):
            right.text(place, ratio + 0.1, f"×{ratio:.0f}", ha="center")
        right.set(xlabel=say("texts written at once"), yticks=[], title=say("tokens in all"))
        right.spines["left"].set_visible(False)
        return say(
            "The cache gains {gains} times; reading is {leads} times as fast as writing",
            gains=", ".join(map(str, gains)),
            leads=", ".join(map(str, leads)),
        )

    return Picture(
        draw,
        alt=say(
            "Left, speed by the length of the text, in units of writing with a cache, both axes "
            "logarithmic: reading lies highest, writing with a cache is level, writing without "
            "one falls. Right, bars: "
            "several texts written at once make more tokens in all."
        ),
        size=(8.0, 3.4),
    )


def _set_lengths(ax: Axes, lengths: list[int]) -> None:
    ax.set(
        xscale="log",
        yscale="log",
        xlabel=say("tokens so far"),
        ylabel=say("speed (with cache, 16 tokens = 1)"),
    )
    ax.set_xticks(lengths, [str(length) for length in lengths])
    ax.set_xlim(lengths[0] * 0.85, lengths[-1] * 1.5)
    ax.set_ylim(0.02, 60)
    ax.set_yticks([0.1, 1, 10], ["0.1", "1", "10"])
    ax.minorticks_off()
