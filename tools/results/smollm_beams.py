"""Sweep how alike a beam's sentences are, and how probable, for lesson 9.

Run it as `python tools/results/smollm_beams.py`; it writes tutor/data/results/smollm_beams.json. It
needs the optional package of SmolLM2's weights.
"""

from functools import cache
from itertools import takewhile

import torch
from smollm_heat import PROMPTS
from sweep import Sweep

from tutor.beam import Hypothesis, beam_steps
from tutor.decode import generate, sampler
from tutor.language_model import ModelStep
from tutor.models.smollm import EOS_ID, load_smollm

AHEAD = 24  # words


def log_probability(prompt: str, ids: list[int]) -> float:
    """Give the logarithm of the probability of a continuation."""
    smollm = load_smollm()
    start = smollm.read(prompt)
    both = torch.cat([start, torch.tensor([ids])], dim=-1)
    log_probs = smollm.model.logits(smollm.model.decode(both))[0].log_softmax(-1)
    places = torch.arange(start.size(1) - 1, both.size(1) - 1)
    return log_probs[places, torch.tensor(ids)].sum().item()


@cache
def last_beam(prompt: str, width: int) -> list[Hypothesis]:
    """Search some words ahead; give the whole beam, best first, ended or not."""
    smollm = load_smollm()
    steps = beam_steps(ModelStep(smollm.model), smollm.read(prompt), width, AHEAD, EOS_ID)
    going_on: list[Hypothesis] = []
    ended: list[Hypothesis] = []
    for [kept] in steps:
        going_on = [each for each in kept if each.ids[-1] != EOS_ID]
        ended += [each for each in kept if each.ids[-1] == EOS_ID]
    return sorted([*going_on, *ended], key=lambda each: -each.total)


def in_common(beam: list[Hypothesis]) -> float:
    """Give the share of the shortest sentence's words with which all of the beam begin."""
    columns = zip(*(each.ids for each in beam))
    shared = sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, columns))
    return shared / min(len(each.ids) for each in beam)


@torch.inference_mode()
def beams(prompt: str, width: int, seed: int) -> dict[str, float]:
    """Search with a beam, greedily and by chance, the same number of words ahead."""
    smollm, beam = load_smollm(), last_beam(prompt, width)
    greedy = last_beam(prompt, 1)[0]
    drawn = sampler(generator=torch.Generator().manual_seed(seed))
    [ids] = generate(ModelStep(smollm.model), smollm.read(prompt), drawn, AHEAD, EOS_ID)
    return {
        "in common": in_common(beam),
        "beam": beam[0].total / len(beam[0].ids),
        "greedy": greedy.total / len(greedy.ids),
        "drawn": log_probability(prompt, ids) / len(ids),
    }


SWEEP = Sweep(
    "smollm_beams",
    "SmolLM2-135M goes on from six prompts, 24 words ahead: the share of words with which all "
    "sentences of a beam begin alike, and the mean log-probability of a word in the best of the "
    "beam, in the sentence of greedy search and in a drawn one",
    beams,
    grids=[{"prompt": PROMPTS[:6], "width": [2, 4]}],
    labels={
        "prompt": "prompt",
        "width": "width",
        "in common": "share of words with which all of the beam begin",
        "beam": "mean log-probability of a word, beam",
        "greedy": "mean log-probability of a word, greedy",
        "drawn": "mean log-probability of a word, drawn",
    },
    margins={"in common": 0.3, "beam": 0.1, "greedy": 0.1, "drawn": 2.0},
    sample={"prompt": [PROMPTS[1]], "width": [2]},
    unvaried={"initialisation": "the model is trained"},
)

if __name__ == "__main__":
    SWEEP.main()
