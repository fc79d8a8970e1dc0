"""Sweep what a real language model makes of a sentence it has just read, for lesson 9.

Run it as `python tools/results/smollm_reading.py`; it writes
tutor/data/results/smollm_reading.json. It needs the optional package of SmolLM2's weights.
"""

import torch
from sweep import Sweep  # first: it makes the package importable

from tutor.models.smollm import load_smollm

SENTENCES = (
    "Mr Dursley met Mrs Potter.",
    "The tired waiter dropped eleven plates.",
    "Our neighbour paints his boat every spring.",
    "Three grey donkeys slept behind the church.",
    "Anna sold the piano to a dentist from Lyon.",
    "The museum opens at nine except on Mondays.",
    "A storm took the roof of the old cinema.",
    "Nobody had told the gardener about the wedding.",
)


def surprise_after(before: str, sentence: str) -> float:
    """Give the mean surprise at a sentence's pieces, after a beginning, in nats."""
    smollm = load_smollm()
    read = f"{before} {sentence}".strip()
    ids = smollm.read(read)[0]
    start = len(smollm.read(before)[0]) if before else 1  # nothing foretells a first piece
    log_probs = smollm.logits(read).log_softmax(-1)
    return -log_probs[torch.arange(start - 1, len(ids) - 1), ids[start:]].mean().item()


def reading(sentence: str, before: str, seed: int) -> dict[str, float]:
    """Read a sentence after itself, or after the next of the list, drawn by the seed."""
    other = SENTENCES[(SENTENCES.index(sentence) + 1 + seed) % len(SENTENCES)]
    return {"surprise": surprise_after(sentence if before == "itself" else other, sentence)}


def sinks(sentence: str) -> dict[str, float]:
    """Give the share of all weight that lies on the first piece, and of heads that give it half."""
    on_first = load_smollm().attention(sentence).weights[:, :, 1:, 0].mean(-1)  # (layers, heads)
    return {
        "on first": on_first.mean().item(),
        "half": (on_first > 0.5).double().mean().item(),
    }


def measured(sentence: str, before: str, seed: int) -> dict[str, float]:
    """Give all numbers of a sentence."""
    return reading(sentence, before, seed) | sinks(sentence)


SWEEP = Sweep(
    "smollm_reading",
    "SmolLM2-135M reads eight sentences, each after itself and after three others: its mean "
    "surprise at the sentence, in nats; and the share of all attention, over 270 heads and all "
    "later pieces, that lies on the sentence's first piece when it is read alone",
    measured,
    grids=[{"sentence": SENTENCES, "before": ["itself", "another"]}],
    labels={
        "sentence": "sentence",
        "before": "read after",
        "surprise": "mean surprise at it, nats",
        "on first": "share of all weight on the first piece",
        "half": "share of heads that put more than half there",
    },
    margins={"surprise": 0.02, "on first": 0.005, "half": 0.02},
    sample={"sentence": [SENTENCES[0]]},
    unvaried={"initialisation": "the model is trained"},
)

if __name__ == "__main__":
    SWEEP.main()
