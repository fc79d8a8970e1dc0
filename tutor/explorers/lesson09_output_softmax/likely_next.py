"""The eight most likely next tokens of each prompt, as bars."""

import numpy as np
from matplotlib.figure import Figure

from tutor.display.palette import SERIES
from tutor.display.plots import Picture
from tutor.models.smollm_excerpt import next_words
from tutor.say import data, say


def likely_next(*prompts: str) -> Picture:
    """Show the eight most likely next tokens of each prompt as bars.

    Example:
        >>> likely_next("The capital of France is").caption
        'The capital of France is …: Paris 0.77, the 0.06'
    """
    found = [next_words(prompt) for prompt in prompts]

    def draw(fig: Figure) -> str:
        axes = np.atleast_1d(fig.subplots(1, len(prompts)))
        said = []
        for ax, prompt, each in zip(axes, prompts, found, strict=True):
            shares = each.log_probs[:8].exp().tolist()
            ax.barh(range(8), shares, color=SERIES[0])
            ax.set(xlim=(0, 1), ylim=(7.6, -0.6), title=data(f"{_broken(prompt)} …"))
            ax.set_yticks(range(8), [data(word.strip()) for word in each.words[:8]])
            for place, share in enumerate(shares):
                ax.text(share + 0.02, place, f"{share:.2f}", va="center")
            best = zip(each.words, shares[:2], strict=False)
            said.append(data(f"{prompt} …: {', '.join(f'{w.strip()} {p:.2f}' for w, p in best)}"))
        return "; ".join(said)

    return Picture(
        draw,
        alt=say("Bars: the eight most likely next tokens of each prompt, the best at the top."),
        size=(8.0, 2.8),
    )


def _broken(prompt: str) -> str:
    """Break a long prompt in two lines."""
    words = prompt.split()
    if len(prompt) < 36:
        return prompt
    half = len(words) // 2 + 1
    return f"{' '.join(words[:half])}\n{' '.join(words[half:])}"
