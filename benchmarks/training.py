"""A training step and inference of the whole model, beside the same one on `nn.Transformer`."""

import time
from collections.abc import Iterator

import torch

from benchmarks.frame import Options, Row, compare, take_turns, threads
from benchmarks.peers import SIZES, Sentences, TrainingStep, sentences, translators

STEP_GOAL, FORWARD_GOAL = 0.95, 1.0
BATCHES = {"tiny": (32, 16), "paper base": (8, 32)}  # sentences and their words


def measure(options: Options) -> Iterator[Row]:
    """Compare forward passes and steps: one thread by computing time, two by the clock."""
    for size, config in SIZES.items():
        batch = sentences(*BATCHES[size], config.vocabulary)
        for number in (1, 2):
            with threads(number):
                yield from _compare(size, batch, number, options.seconds(6))


def _compare(size: str, batch: Sentences, number: int, seconds: float) -> Iterator[Row]:
    ours, peer = translators(SIZES[size])
    clock = time.process_time if number == 1 else time.perf_counter
    tokens = batch.source.numel()
    with torch.inference_mode():
        turns = take_turns(
            lambda: ours.eval()(batch.source, batch.target),
            lambda: peer.eval()(batch.source, batch.target),
            seconds / 2,
            clock,
        )
    yield compare(f"inference, {size}, {tokens} words", turns, goal=FORWARD_GOAL, threads=number)
    steps = TrainingStep(ours, batch), TrainingStep(peer, batch)
    turns = take_turns(*steps, seconds, clock)
    yield compare(f"training step, {size}, {tokens} words", turns, goal=STEP_GOAL, threads=number)
