"""Measure what attention costs, for lesson 4.

Run it as `python tools/results/attention_cost.py`; it writes
tutor/data/results/attention_cost.json. Times are the processor's, of the best of many runs on one
thread, so that other programs on the machine hardly show.
"""

import argparse
import json
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.profiler import ProfilerActivity, profile

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tutor.attention import (  # noqa: E402
    additive_attention,
    fused_scaled_dot_product_attention,
    scaled_dot_product_attention,
)

SEED = 4
WIDTH = 64  # d_k = d_v, and the hidden width of additive attention
MIDDLE = 1024  # the sentence for which the width is varied
OUTPUT = ROOT / "tutor" / "data" / "results" / "attention_cost.json"

Work = Callable[[], Any]


def inputs(length: int, width: int) -> tuple[Tensor, Tensor, Tensor]:
    """Draw queries, keys and values (batch 1, heads 1, length, width)."""
    generator = torch.Generator().manual_seed(SEED)
    q, k, v = torch.randn(3, 1, 1, length, width, generator=generator)
    return q, k, v


def dot_product(length: int, width: int = WIDTH) -> Work:
    given = inputs(length, width)
    return lambda: scaled_dot_product_attention(*given)


def fused(length: int) -> Work:
    given = inputs(length, WIDTH)
    return lambda: fused_scaled_dot_product_attention(*given)


def additive(length: int) -> Work:
    given = inputs(length, WIDTH)
    W_q, W_k = torch.randn(2, WIDTH, WIDTH, generator=torch.Generator().manual_seed(SEED))
    return lambda: additive_attention(*given, W_q, W_k, w=W_q[0])


def milliseconds(work: Work, seconds: float) -> float:
    """Run for so many seconds, at least five times, and take the fastest run."""
    work()
    runs: list[float] = []
    until = time.process_time() + seconds
    while len(runs) < 5 or time.process_time() < until:
        begin = time.process_time()
        work()
        runs.append(1000 * (time.process_time() - begin))
    return float(f"{min(runs):.3g}")


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


def measure(seconds: float, longest: int) -> dict[str, Any]:
    """Take all measurements, each time over so many seconds."""
    lengths = [length for length in (256, 512, 1024, 2048, 4096) if length <= longest]
    short = [length for length in (64, 128, 256, 512) if length <= longest]
    widths = [32, 64, 128, 256]

    def times(make: Callable[[int], Work], sizes: list[int]) -> list[float]:
        return [milliseconds(make(size), seconds) for size in sizes]

    return {
        "width": WIDTH,
        "lengths": lengths,
        "milliseconds": times(dot_product, lengths),
        "fused milliseconds": times(fused, lengths),
        "peak MB": [peak_megabytes(dot_product(length)) for length in lengths],
        "fused peak MB": [peak_megabytes(fused(length)) for length in lengths],
        "widths": widths,
        "milliseconds by width": times(lambda width: dot_product(MIDDLE, width), widths),
        "short lengths": short,
        "dot-product milliseconds": times(dot_product, short),
        "additive milliseconds": times(additive, short),
        "dot-product peak MB": [peak_megabytes(dot_product(length)) for length in short],
        "additive peak MB": [peak_megabytes(additive(length)) for length in short],
    }


def main() -> None:
    """Measure and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="time for each measurement")
    parser.add_argument("--longest", type=int, default=4096, help="leave out longer sentences")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    options = parser.parse_args()
    torch.set_num_threads(1)
    with torch.inference_mode():
        values = measure(options.seconds, options.longest)
    result = {
        "what": "one attention over a sentence, float32, one head, batch of 1: processor time of "
        "the best run, peak memory beyond the inputs",
        "command": "python tools/results/attention_cost.py",
        "seed": SEED,
        "threads": 1,
        "versions": {"python": platform.python_version(), "torch": torch.__version__},
        "values": values,
    }
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(f"{options.output}: written")


if __name__ == "__main__":
    main()
