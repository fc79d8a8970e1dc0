"""Sweep how a real language model goes on writing, greedily and by chance, for lesson 9.

Run it as `python tools/results/smollm_writing.py`; it writes
tutor/data/results/smollm_writing.json. It needs the optional package of SmolLM2's weights.
"""

from functools import cache

import torch
from smollm_heat import BEST, PROMPTS
from sweep import SEEDS, Sweep  # first: it makes the package importable
from torch import Tensor

from tutor.decode import generate, most_likely, sampler
from tutor.language_model import ModelStep
from tutor.models.smollm import EOS_ID, load_smollm

CHOICES = {
    "greedy": {},
    "top-p .9": {"top_p": 0.9},
    "T 1.5": {"temperature": 1.5},
    "T 1.5, min-p .1": {"temperature": 1.5, "min_p": 0.1},
}
WORDS = 60


def one_generator_a_row(settings: dict[str, float]):
    """Make a choice that draws each row by chance of its own: row i has seed i."""
    choices = [sampler(**settings, generator=torch.Generator().manual_seed(s)) for s in SEEDS]

    def choose(log_probs: Tensor) -> Tensor:
        drawn = [choice(row) for choice, row in zip(choices, log_probs.split(1))]
        return torch.cat(drawn)

    return choose


class Watched(ModelStep):
    """A step function that keeps what it said; here no sentence ends before its time."""

    def __init__(self) -> None:
        super().__init__(load_smollm().model)
        self.said: list[Tensor] = []

    def __call__(self, prefixes: Tensor) -> Tensor:
        log_probs = super().__call__(prefixes)
        log_probs[:, EOS_ID] = -torch.inf
        self.said.append(log_probs.log_softmax(-1))
        return self.said[-1]


@cache
@torch.inference_mode()
def texts(prompt: str, choice: str) -> tuple[list[list[int]], Tensor]:
    """Write once greedily, or with each seed; give the ids and the log-probabilities, (T, rows, V).

    `<|im_end|>` is forbidden, so that all texts have the same length.
    """
    step, start = Watched(), load_smollm().read(prompt)
    greedy = choice == "greedy"
    choose = most_likely if greedy else one_generator_a_row(CHOICES[choice])
    rows = 1 if greedy else len(SEEDS)
    ids = generate(step, start.expand(rows, -1), choose, WORDS, EOS_ID)
    return ids, torch.stack(step.said)


def repeated(ids: list[int], n: int = 4) -> float:
    """Give the share of runs of n pieces that came before."""
    runs = [tuple(ids[i : i + n]) for i in range(len(ids) - n + 1)]
    return 1 - len(set(runs)) / len(runs)


def writing(prompt: str, choice: str, seed: int) -> dict[str, float]:
    """Go on from a prompt; see how often it repeats itself, and how unlikely its words are."""
    ids, log_probs = texts(prompt, choice)
    row = 0 if choice == "greedy" else SEEDS.index(seed)
    chosen = log_probs[range(WORDS), row, ids[row]]  # (T,)
    beyond = (log_probs[:, row] > chosen[:, None]).sum(-1) >= BEST
    return {
        "repeated": repeated(ids[row]),
        "surprise": -chosen.mean().item(),
        "beyond": beyond.double().mean().item(),
    }


SWEEP = Sweep(
    "smollm_writing",
    "SmolLM2-135M goes on from twelve prompts, 60 pieces each, its end of text forbidden: the "
    "share of four-piece runs that came before, the mean surprise of its own words to the model "
    "(in nats, at temperature 1), and the share of words that were not among the model's 256 best",
    writing,
    grids=[{"prompt": PROMPTS, "choice": list(CHOICES)}],
    labels={
        "prompt": "prompt",
        "choice": "how the next word is chosen",
        "repeated": "share of four-piece runs that came before",
        "surprise": "mean surprise of its own words, nats",
        "beyond": "share of words beyond the 256 best",
    },
    margins={"repeated": 0.3, "surprise": 1.0, "beyond": 0.1},
    sample={"prompt": [PROMPTS[0]], "choice": ["greedy"]},
    unvaried={"initialisation": "the model is trained"},
)

if __name__ == "__main__":
    SWEEP.main()
