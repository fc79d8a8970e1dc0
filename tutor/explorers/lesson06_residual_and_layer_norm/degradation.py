"""Lesson 6: how well stacks of different depth fit the very examples they were trained on."""

from matplotlib.figure import Figure

from tutor.claims.runs import load_sweep
from tutor.display.palette import HIGHLIGHT, INK, NEUTRAL, SERIES
from tutor.display.plots import Picture
from tutor.say import later, say

_FIRST = {"default": later("PyTorch's default"), "xavier": later("Xavier"), "he": later("He")}
_WAYS = {
    later("plain"): ("o-", NEUTRAL),
    later("norm"): ("s-", SERIES[1]),
    later("residual"): ("^-", HIGHLIGHT),
    later("post-norm"): ("D-", INK),
    later("pre-norm"): ("v-", SERIES[0]),
}
_MOST = 6.0


def degradation() -> Picture:
    """Draw the training error by depth, a panel for each initialisation.

    Example:
        >>> degradation().caption.startswith("At 24 layers, pre-norm:")
        True
    """
    runs = load_sweep("degradation").runs.at(d_model=16)
    depths = runs.values_of("depth")

    def draw(fig: Figure) -> str:
        axes = fig.subplots(1, 3, sharey=True)
        for ax, (first, title) in zip(axes, _FIRST.items(), strict=True):
            for way, (mark, colour) in _WAYS.items():
                at = [runs.at(way=way, initialisation=first, depth=depth) for depth in depths]
                ax.fill_between(
                    range(len(depths)),
                    [some.lowest("error") for some in at],
                    [some.highest("error") for some in at],
                    color=colour,
                    alpha=0.12,
                    linewidth=0,
                )
                middle = [some.median("error") for some in at]
                ax.plot(middle, mark, color=colour, label=say(way), markersize=5)
            ax.axhline(1.0, color=INK, linewidth=0.8, linestyle=":")
            ax.set(ylim=(0.015, _MOST), yscale="log", xlabel=say("layers"))
            ax.set_xticks(range(len(depths)), map(str, depths))
            ax.set_yticks([0.02, 0.1, 0.5, 1, 5], ["0.02", "0.1", "0.5", "1", "5"])
            ax.minorticks_off()
            ax.set_title(say(title))
        axes[0].set_ylabel(say("training error"))
        axes[2].legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        deepest = runs.at(depth=depths[-1])
        return say(
            "At 24 layers, pre-norm: {own:.2f}, {xavier:.2f}, {he:.2f}; residual alone: "
            "{own_alone:.2f}, {xavier_alone:.2f}, {he_alone:.1g} (medians, 1 for guessing)",
            **{
                name: deepest.at(way=way, initialisation=first).median("error")
                for way, ending in (("pre-norm", ""), ("residual", "_alone"))
                for first, name in (
                    ("default", f"own{ending}"),
                    ("xavier", f"xavier{ending}"),
                    ("he", f"he{ending}"),
                )
            },
        )

    return Picture(
        draw,
        alt=say(
            "Training error by depth in three panels, one for each initialisation. Plain stacks "
            "and stacks with a norm alone get worse with depth in all three. Residuals alone do "
            "well from PyTorch's default and leave the picture from He's weights. Post-norm and "
            "pre-norm stay lowest or near it in each."
        ),
        size=(8.0, 2.7),
    )
