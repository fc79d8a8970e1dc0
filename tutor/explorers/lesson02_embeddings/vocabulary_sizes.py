"""How many tokens the vocabularies of nine models have."""

from matplotlib.figure import Figure

from tutor.display.palette import SERIES
from tutor.display.plots import Picture
from tutor.display.style import SMALL
from tutor.say import data, later, say

# Those of MiniLM and SmolLM2 stand in their files; the others in: Vaswani et al. 2017 (about),
# Touvron et al. 2023, Radford et al. 2019, tiktoken's cl100k_base, Llama 3's configuration,
# tiktoken's o200k_base, Gemma 3's configuration.
_PAPER = later("the paper")
SIZES = {
    "MiniLM": 30_522,
    "Llama 2": 32_000,
    _PAPER: 37_000,
    "SmolLM2": 49_152,
    "GPT-2": 50_257,
    "GPT-4": 100_277,
    "Llama 3": 128_256,
    "GPT-4o": 200_019,
    "Gemma 3": 262_144,
}


def vocabulary_sizes() -> Picture:
    """Show how many tokens the vocabularies of nine models have."""

    def draw(fig: Figure) -> str:
        ax = fig.subplots()
        ax.barh(range(len(SIZES)), [*SIZES.values()], color=SERIES[0])
        for row, size in enumerate(SIZES.values()):
            ax.text(size + 2_000, row, f"{size:,}", va="center", fontsize=SMALL)
        ax.set_yticks(range(len(SIZES)), labels=[*map(_shown, SIZES)])
        ax.set(xlim=(0, 300_000), ylim=(len(SIZES) - 0.5, -0.5), xticks=[])
        ax.spines["bottom"].set_visible(False)
        return say("tokens in the vocabulary; the paper's is about that many")

    return Picture(
        draw,
        alt=say(
            "Nine bars, the sizes of vocabularies, from MiniLM's thirty thousand tokens over the "
            "paper's and GPT-2's to Gemma 3's quarter of a million."
        ),
        size=(7.5, 2.9),
    )


def _shown(model: str) -> str:
    return say(_PAPER) if model == _PAPER else data(model)
