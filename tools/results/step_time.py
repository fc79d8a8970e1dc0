"""Measure where a training step's time goes, for lesson 8: recurrent layers and a whole layer.

Run it as `python tools/results/step_time.py`; it writes tutor/data/results/step_time.json. With two
threads the time is that of the first of them: where work can be shared it falls by half, where
steps wait for each other it stays. Unlike the time on the clock, it is the same on a busy machine.
"""

import os

os.environ["GOMP_SPINCOUNT"] = "0"  # a thread that waits is to sleep, not to count as working

import time
from collections.abc import Callable
from typing import Any

import stored  # first of ours: it makes the package importable
import torch
from table1 import LENGTHS, TOKENS
from torch import Tensor, nn

from tutor.config import TransformerConfig
from tutor.stacks import EncoderLayer

SEED, WIDTH = 8, 128
LSTM_WIDTH = 166  # so that all have as many parameters
THREADS = [1, 2]


def layers() -> dict[str, nn.Module]:
    """Make a whole layer of a Transformer and recurrent layers with as many parameters."""
    torch.manual_seed(SEED)
    config = TransformerConfig(
        vocabulary=2, layers=1, d_model=WIDTH, d_ff=4 * WIDTH, heads=4, dropout=0.0
    )
    return {
        "GRU": nn.GRU(WIDTH, WIDTH, num_layers=2, batch_first=True),
        "LSTM": nn.LSTM(WIDTH, LSTM_WIDTH, batch_first=True),
        "encoder layer": EncoderLayer(config),
    }


def step(layer: nn.Module, x: Tensor) -> None:
    """Go forward and backward once."""
    found = layer(x)
    (found if isinstance(found, Tensor) else found[0]).sum().backward()


def milliseconds(work: Callable[[], Any], seconds: float) -> float:
    """Run for so many seconds, at least five times; take the fastest run's first thread."""
    work()
    runs: list[float] = []
    until = time.thread_time() + seconds
    while len(runs) < 5 or time.thread_time() < until:
        begin = time.thread_time()
        work()
        runs.append(1000 * (time.thread_time() - begin))
    return float(f"{min(runs):.3g}")


def measure(reduced: bool) -> dict[str, Any]:
    """Time a step of each layer at each length, with one thread and with two."""
    lengths, seconds = (LENGTHS[:2], 0.02) if reduced else (LENGTHS, 1.5)
    # On a busy machine two threads wait for each other, spinning: not in a small version.
    counts = THREADS[:1] if reduced else THREADS
    parameters = {name: sum(p.numel() for p in m.parameters()) for name, m in layers().items()}
    times: dict[str, dict[str, list[float]]] = {}
    for threads in counts:
        torch.set_num_threads(threads)
        times[str(threads)] = {
            name: [
                milliseconds(lambda x=x, layer=layer: step(layer, x), seconds)
                for x in (torch.randn(TOKENS // n, n, WIDTH, requires_grad=True) for n in lengths)
            ]
            for name, layer in layers().items()
        }
    return {
        "width": WIDTH,
        "tokens": TOKENS,
        "lengths": lengths,
        "parameters": parameters,
        "milliseconds by threads": times,
    }


if __name__ == "__main__":
    stored.main(
        "step_time",
        "a training step (forward and backward) over 2,048 words in sentences of one length, "
        "float32: processor time of the first thread, best run, by number of threads",
        SEED,
        measure,
    )
