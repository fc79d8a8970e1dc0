"""Sweep how a real language model reads something again, with heads switched off, for lesson 9.

Run it as `python tools/results/smollm_copying.py`; it writes
tutor/data/results/smollm_copying.json. It needs the optional package of SmolLM2's weights.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache

import torch
from sweep import Sweep  # first: it makes the package importable
from torch import Tensor

from tutor.models.smollm import CONFIG, load_smollm
from tutor.models.tracing import trace

D_K = CONFIG.d_model // CONFIG.heads
Head = tuple[int, int]  # layer, head


@contextmanager
def switched_off(heads: Sequence[Head]) -> Iterator[None]:
    """Let nothing of these heads through W_o while the block runs."""
    layers = load_smollm().model.decoder.layers
    with torch.no_grad():
        before = {layer: layers[layer].self_attention.W_o.weight.clone() for layer, _ in heads}
        for layer, head in heads:
            layers[layer].self_attention.W_o.weight[:, head * D_K : (head + 1) * D_K] = 0.0
        try:
            yield
        finally:
            for layer, weight in before.items():
                layers[layer].self_attention.W_o.weight.copy_(weight)


def twice(length: int, rng: torch.Generator) -> Tensor:
    """Draw pieces at random and write them twice: (1, 2 length)."""
    drawn = torch.randint(100, CONFIG.vocabulary, (1, length), generator=rng)
    return drawn.repeat(1, 2)


@cache
def induction_heads() -> list[Head]:
    """Rank all heads by their weight on what followed the same piece before, on a draw apart."""
    ids = twice(40, torch.Generator().manual_seed(1000))
    model = load_smollm().model
    with trace(model) as t, torch.no_grad():
        model.decode(ids)
    names = (f"decoder.layers.{n}.self_attention.weights" for n in range(CONFIG.layers))
    weights = torch.cat([t[name] for name in names])  # (layers, heads, T, T)
    asking = torch.arange(40, 79)
    score = weights[:, :, asking, asking - 39].mean(-1)  # (layers, heads)
    order = score.flatten().argsort(descending=True).tolist()
    return [divmod(place, CONFIG.heads) for place in order]


def heads_named(off: str, seed: int) -> list[Head]:
    """Give the heads that "none", "4 induction" or "8 others" means."""
    if off == "none":
        return []
    count, kind = int(off.split()[0]), off.split()[1]
    ranked = induction_heads()
    if kind == "induction":
        return ranked[:count]
    rng = torch.Generator().manual_seed(seed)
    rest = ranked[40:]
    return [rest[place] for place in torch.randperm(len(rest), generator=rng)[:count].tolist()]


def copying(length: int, off: str, seed: int) -> dict[str, float]:
    """Read random pieces twice; give the mean surprise in each half, in nats."""
    ids = twice(length, torch.Generator().manual_seed(seed))
    model = load_smollm().model
    with switched_off(heads_named(off, seed)), torch.inference_mode():
        log_probs = model.logits(model.decode(ids))[0].log_softmax(-1)  # (2 length, V)
    surprise = -log_probs[:-1].gather(-1, ids[0, 1:, None]).squeeze(-1)  # of pieces 1, 2, ...
    return {
        "first": surprise[: length - 1].mean().item(),
        "again": surprise[length:].mean().item(),
    }


SWEEP = Sweep(
    "smollm_copying",
    "SmolLM2-135M reads pieces drawn at random, twice: its mean surprise the first and the second "
    "time, in nats, whole and with heads switched off (the first of those that put most weight on "
    "what followed the same piece before, or as many of the rest, drawn)",
    copying,
    grids=[
        {
            "length": [20, 50, 100],
            "off": ["none", "1 induction", "4 induction", "8 induction", "8 others"],
        }
    ],
    labels={
        "length": "pieces, before they come again",
        "off": "heads switched off",
        "first": "mean surprise the first time, nats",
        "again": "mean surprise the second time, nats",
    },
    margins={"first": 0.02, "again": 0.05},
    sample={"length": [20], "off": ["none", "8 induction"]},
    unvaried={"initialisation": "the model is trained"},
)

if __name__ == "__main__":
    SWEEP.main()
