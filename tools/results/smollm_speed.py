"""Time how fast a real language model reads and writes, with a cache and without, for lesson 9.

Run it as `python tools/results/smollm_speed.py`; it writes tutor/data/results/smollm_speed.json. It
needs the optional package of the trained weights. Only ratios are shown.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import stored  # first: it makes the package importable
import torch
from torch import Tensor

from tutor.models.smollm import CONFIG, load_smollm

LENGTHS, TEXTS, BESIDE = (16, 64, 256, 512), (1, 4, 16), 64


def seconds(work: Callable[[], Any], runs: int = 3) -> float:
    """Take the fastest run's processor time."""
    times = []
    for _ in range(runs):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return min(times)


def tokens(rows: int, length: int) -> Tensor:
    """Draw texts: what they say changes no time."""
    chance = torch.Generator().manual_seed(0)
    return torch.randint(3, CONFIG.vocabulary, (rows, length), generator=chance)


def said(ids: Tensor, cache: Any = None) -> Tensor:
    """Read tokens, and score what comes next."""
    model = load_smollm().model
    return model.logits(model.decode(ids, cache=cache)[:, -1])


def writing(rows: int, length: int, more: int = 4) -> float:
    """Give the seconds that one more token of each text takes, behind so many in the cache."""
    cache = load_smollm().model.new_cache()
    said(tokens(rows, length), cache)

    def some() -> None:
        for _ in range(more):
            said(tokens(rows, 1), cache)

    return seconds(some) / more


@torch.inference_mode()
def measure(reduced: bool) -> dict[str, Any]:
    """Give tokens a second: read at once, written with a cache, written without."""
    lengths, texts = (LENGTHS[:1], TEXTS[:1]) if reduced else (LENGTHS, TEXTS)
    rates: dict[str, list[float]] = {"read": [], "cache": [], "no cache": []}
    for length in lengths:
        rates["read"].append(length / seconds(partial(said, tokens(1, length))))
        rates["cache"].append(1 / writing(1, length))
        rates["no cache"].append(1 / seconds(partial(said, tokens(1, length + 1))))
    rates["texts at once"] = [rows / writing(rows, BESIDE) for rows in texts]
    rounded = {name: [float(f"{rate:.3g}") for rate in found] for name, found in rates.items()}
    return {"lengths": list(lengths), "texts": list(texts), **rounded}


if __name__ == "__main__":
    stored.main(
        "smollm_speed",
        "tokens a second of processor time, SmolLM2-135M in the course's decoder (float32): read "
        "at once, written with a cache and without, after so many tokens; and written in several "
        f"texts at once, after {BESIDE}",
        0,
        measure,
    )
