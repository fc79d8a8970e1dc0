"""Measure what a key/value cache saves in writing, for lesson 9.

Run it as `python tools/results/cache_time.py`; it writes tutor/data/results/cache_time.json. Times
are the processor's, of the best of several runs on one thread. The model has fresh weights and
never says <eos>: what it writes does not matter for how long that takes.
"""

from collections.abc import Callable
from typing import Any

import stored  # first: it makes the package importable
import torch
from torch import Tensor

from tutor.decode import translate
from tutor.embedding import Vocabulary
from tutor.transformer import Transformer, TransformerConfig

SEED = 9
LENGTHS = [8, 16, 32, 64, 128]
SOURCE = 16
VOCABULARY = Vocabulary(str(number) for number in range(996))
WORDS = len(VOCABULARY)


def always_the_same(log_probs: Tensor) -> Tensor:
    """Choose word 7 in each row."""
    return torch.full((len(log_probs),), 7)


def writing(model: Transformer, length: int, use_cache: bool) -> Callable[[], list[list[int]]]:
    """Prepare to write one sentence of so many words."""
    source = torch.randint(4, WORDS, (1, SOURCE), generator=torch.Generator().manual_seed(SEED))
    return lambda: translate(model, source, VOCABULARY, length, always_the_same, use_cache)


def measure(reduced: bool) -> dict[str, Any]:
    """Time both ways at every length."""
    lengths, seconds = (LENGTHS[:2], 0.02) if reduced else (LENGTHS, 0.5)
    torch.manual_seed(SEED)
    config = TransformerConfig(vocabulary=WORDS, layers=2, d_model=256, d_ff=1024, heads=4)
    model = Transformer(config).eval()
    times = {
        name: [stored.milliseconds(writing(model, n, use_cache), seconds) for n in lengths]
        for name, use_cache in (("with cache", True), ("without cache", False))
    }
    return {"layers": 2, "d_model": 256, "source words": SOURCE, "lengths": lengths, **times}


if __name__ == "__main__":
    stored.main(
        "cache_time",
        "milliseconds to write one sentence with and without a key/value cache: processor time of "
        "the best run, batch of 1, float32",
        SEED,
        measure,
    )
