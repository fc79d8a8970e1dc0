"""Sweep what heat and cuts leave of a real language model's next word, for lesson 9.

Run it as `python tools/results/smollm_heat.py`; it writes tutor/data/results/smollm_heat.json. It
needs the optional package of SmolLM2's weights.
"""

from functools import cache

from sweep import Sweep  # first: it makes the package importable
from torch import Tensor

from tutor.models.smollm import load_smollm
from tutor.output import min_p_probabilities, temperature_softmax, top_p_probabilities

PROMPTS = (
    "I don't know what to",
    "Once upon a time, there was a",
    "The weather today is",
    "My favourite city is",
    "She opened the door and",
    "The best way to learn is",
    "In the year 2017,",
    "The old man looked at the sea and",
    "The teacher asked the children to",
    "When I was young, my father",
    "The most important thing in life is",
    "If I had a million dollars, I would",
)
BEST = 256


@cache
def last_logits(prompt: str) -> Tensor:
    """Give the scores of the word after a prompt, (V,)."""
    return load_smollm().logits(prompt)[-1].double()


def heat(prompt: str, temperature: float, seed: int) -> dict[str, float]:
    """Count the words that each cut leaves, and what lies beyond the best without any."""
    probabilities = temperature_softmax(last_logits(prompt), temperature)
    ranked = probabilities.sort(descending=True).values
    return {
        "beyond": ranked[BEST:].sum().item(),
        "top-p": (top_p_probabilities(probabilities, 0.9) > 0).sum().item(),
        "min-p": (min_p_probabilities(probabilities, 0.1) > 0).sum().item(),
    }


SWEEP = Sweep(
    "smollm_heat",
    "the next word of SmolLM2-135M after twelve prompts, of 49,152: the probability that lies "
    "beyond the 256 likeliest, and how many words top-p .9 and min-p .1 leave",
    heat,
    grids=[{"prompt": PROMPTS, "temperature": [0.5, 1.0, 1.5, 2.0]}],
    labels={
        "prompt": "prompt",
        "temperature": "temperature",
        "beyond": "probability beyond the 256 best",
        "top-p": "words that top-p .9 leaves",
        "min-p": "words that min-p .1 leaves",
    },
    margins={"beyond": 0.01, "top-p": 100, "min-p": 4},
    sample={"prompt": list(PROMPTS[:2])},
    unvaried={
        "seed": "the model is trained and nothing is drawn",
        "initialisation": "the model is trained",
    },
    seeds=(0,),
)

if __name__ == "__main__":
    SWEEP.main()
