"""How many of the café's cards each memory gets right, by the number of cards."""

from matplotlib.figure import Figure

from tutor.claims.runs import Runs, load_sweep
from tutor.display.palette import ATTENTION, INK, NEUTRAL, SERIES
from tutor.display.plots import Picture
from tutor.say import say

HANDS = [2, 4, 8, 16, 32]


def right_by_cards() -> Picture:
    """Draw the share of right answers against the number of cards, for every memory."""
    usual = load_sweep("cards").runs.at(initialisation="default")
    alike = usual.at(rate=1e-2, width=32)
    lines = {
        say("attention"): (alike.at(memory="attention"), ATTENTION, "-"),
        say("GRU + attention"): (alike.at(memory="GRU + attention"), SERIES[5], "--"),
        say("matrix state"): (alike.at(memory="matrix"), SERIES[1], "-"),
        say("GRU, twice as wide"): (usual.at(memory="GRU", width=64), SERIES[3], "--"),
        say("GRU"): (alike.at(memory="GRU"), SERIES[0], "-"),
        say("LSTM"): (alike.at(memory="LSTM"), SERIES[2], ":"),
    }

    def draw(fig: Figure) -> str:
        ax = fig.subplots()
        for name, (runs, colour, look) in lines.items():
            means = [_mean(runs.at(cards=size), "right") for size in HANDS]
            ax.plot(HANDS, means, color=colour, linestyle=look, marker="o", label=name)
            low = [runs.at(cards=size).lowest("right") for size in HANDS]
            high = [runs.at(cards=size).highest("right") for size in HANDS]
            ax.fill_between(HANDS, low, high, color=colour, alpha=0.15, linewidth=0)
        guess = [_mean(alike.at(cards=size), "commonest") for size in HANDS]
        ax.plot(HANDS, guess, color=NEUTRAL, linewidth=4, alpha=0.5, label=say("commonest drink"))
        ax.set(xscale="log", ylim=(0, 1.05), xlabel="cards in the hand", ylabel="share right")
        ax.set_xticks(HANDS, [str(size) for size in HANDS])
        ax.minorticks_off()
        ax.tick_params(colors=INK)
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        found = {name: _mean(runs.at(cards=8), "right") for name, (runs, _, _) in lines.items()}
        shares = ", ".join(f"{name} {share:.2f}" for name, share in found.items())
        return say("At 8 cards: {shares}.", shares=shares)

    return Picture(
        draw,
        alt=(
            "Share of right answers against the number of cards. Attention, alone or over a GRU, "
            "stays at 1; the matrix state sinks a little at 32; GRU and LSTM lie on the line of "
            "the commonest drink, and so does a GRU that is twice as wide."
        ),
        size=(8.0, 3.2),
    )


def _mean(runs: Runs, number: str) -> float:
    numbers = runs.numbers(number)
    return sum(numbers) / len(numbers)
