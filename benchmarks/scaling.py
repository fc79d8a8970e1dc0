"""How what things cost grows with their size: the exponent of the power that fits best."""

import math
import time
from collections.abc import Callable, Iterator, Sequence

import torch
from torch import Tensor

from benchmarks.decoding import greedy
from benchmarks.frame import Options, Row
from benchmarks.peers import PAD, SIZES, sentences
from tutor.attention import fused_scaled_dot_product_attention, scaled_dot_product_attention
from tutor.language_model import read_source
from tutor.transformer import Transformer

WORDS = [128, 256, 512, 1024, 2048, 4096]
WRITTEN = [16, 32, 64, 128, 256]
HEADS, WIDTH = 8, 64
RUNS = 3


def measure(options: Options) -> Iterator[Row]:
    """Fit attention against the words looked at, and decoding against the words written."""
    runs = 5 * RUNS if options.full else RUNS
    with torch.inference_mode():
        for name, attention in ATTENTIONS.items():
            taken = [fastest(runs, attention, _queries(words)) for words in WORDS]
            yield exponent_row(f"{name} attention", WORDS, taken)
        model = Transformer(SIZES["tiny"]).eval()
        source = sentences(1, 16, model.config.vocabulary).source
        taken = [
            fastest(runs, lambda n: greedy(read_source(model, source, PAD), 1, n), words)
            for words in WRITTEN
        ]
        yield exponent_row("greedy decoding with a cache, tiny", WRITTEN, taken)


ATTENTIONS: dict[str, Callable[[Tensor], object]] = {
    "explicit": lambda q: scaled_dot_product_attention(q, q, q),
    "fused": lambda q: fused_scaled_dot_product_attention(q, q, q),
}


def _queries(words: int) -> Tensor:
    return torch.randn(1, HEADS, words, WIDTH)


def fastest(runs: int, work: Callable, argument: object) -> float:
    """Give the computing time of the fastest run, warmed up."""
    work(argument)
    taken = []
    for _ in range(runs):
        start = time.process_time()
        work(argument)
        taken.append(time.process_time() - start)
    return min(taken)


def exponent_row(
    what: str,
    sizes: Sequence[int],
    taken: Sequence[float],
    unit: str = "words",
    goal: float | None = None,
) -> Row:
    """Say with which power of the size a cost grows; the spread is that of its steps."""
    steps = [exponent(sizes[i : i + 2], taken[i : i + 2]) for i in range(len(sizes) - 1)]
    grows = f"{what}, {sizes[0]} to {sizes[-1]:,} {unit}: exponent"
    return Row(grows, "", exponent(sizes, taken), spread=(min(steps), max(steps)), goal=goal)


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """Fit cost = c · size^exponent by least squares of the logarithms.

    Example:
        >>> round(exponent([1, 2, 4], [3.0, 12.0, 48.0]), 3)
        2.0
    """
    x, y = [math.log(size) for size in sizes], [math.log(cost) for cost in costs]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    above = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    return above / sum((a - mean_x) ** 2 for a in x)
