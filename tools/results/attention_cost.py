"""Measure what attention costs, for lesson 4.

Run it as `python tools/results/attention_cost.py`; it writes
tutor/data/results/attention_cost.json. Times are the processor's, of the best of many runs on one
thread, so that other programs on the machine hardly show.
"""

from collections.abc import Callable
from typing import Any

import stored  # first: it makes the package importable
import torch
from torch import Tensor
from torch.profiler import ProfilerActivity, profile

from tutor.attention import (
    additive_attention,
    fused_scaled_dot_product_attention,
    scaled_dot_product_attention,
)

SEED = 4
WIDTH = 64  # d_k = d_v, and the hidden width of additive attention
LENGTHS = [256, 512, 1024, 2048, 4096]
SHORT = [64, 128, 256, 512]  # additive attention needs a gigabyte for much more
WIDTHS = [32, 64, 128, 256]

Work = Callable[[], Any]


def inputs(length: int, width: int = WIDTH) -> tuple[Tensor, Tensor, Tensor]:
    """Draw queries, keys and values (batch 1, heads 1, length, width)."""
    generator = torch.Generator().manual_seed(SEED)
    q, k, v = torch.randn(3, 1, 1, length, width, generator=generator)
    return q, k, v


def dot_product(length: int, width: int = WIDTH) -> Work:
    given = inputs(length, width)
    return lambda: scaled_dot_product_attention(*given)


def fused(length: int) -> Work:
    given = inputs(length)
    return lambda: fused_scaled_dot_product_attention(*given)


def additive(length: int) -> Work:
    given = inputs(length)
    W_q, W_k = torch.randn(2, WIDTH, WIDTH, generator=torch.Generator().manual_seed(SEED))
    return lambda: additive_attention(*given, W_q, W_k, w=W_q[0])


def peak_megabytes(work: Work) -> float:
    """Measure how much torch holds at most while it works, beyond what it was given."""
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
        work()
    events = profiler.profiler.kineto_results.events()
    held = peak = 0
    for event in sorted(events, key=lambda event: event.start_ns()):
        if event.name() == "[memory]":
            held += event.nbytes()
            peak = max(peak, held)
    return round(peak / 1e6, 2)


def measure(reduced: bool) -> dict[str, Any]:
    """Take all measurements."""
    lengths, short, seconds = (LENGTHS[:2], SHORT[:2], 0.02) if reduced else (LENGTHS, SHORT, 2.0)

    def times(make: Callable[[int], Work], sizes: list[int]) -> list[float]:
        return [stored.milliseconds(make(size), seconds) for size in sizes]

    def peaks(make: Callable[[int], Work], sizes: list[int]) -> list[float]:
        return [peak_megabytes(make(size)) for size in sizes]

    with torch.inference_mode():
        return {
            "width": WIDTH,
            "lengths": lengths,
            "milliseconds": times(dot_product, lengths),
            "peak MB": peaks(dot_product, lengths),
            "fused milliseconds": times(fused, lengths),
            "fused peak MB": peaks(fused, lengths),
            "widths": WIDTHS,
            "milliseconds by width": times(lambda width: dot_product(lengths[-2], width), WIDTHS),
            "short lengths": short,
            "dot-product milliseconds": times(dot_product, short),
            "dot-product peak MB": peaks(dot_product, short),
            "additive milliseconds": times(additive, short),
            "additive peak MB": peaks(additive, short),
        }


if __name__ == "__main__":
    stored.main(
        "attention_cost",
        "one attention over a sentence, float32, one head, batch of 1: processor time of the best "
        "run, peak memory beyond the inputs",
        SEED,
        measure,
    )
