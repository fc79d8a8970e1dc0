"""A GPU's step of training in bfloat16, and a step's time by sentence length: the paper's argument.

Without a GPU nothing is measured. As yet it has run on a CPU only, where the tests try it.
"""

import time
from collections.abc import Callable, Iterator

import torch
from torch import Tensor, nn

from benchmarks.frame import Options, Row, UnavailableError, compare, take_turns
from benchmarks.peers import SIZES, Sentences, TrainingStep, sentences, translators
from tutor.config import TransformerConfig
from tutor.stacks import EncoderLayer

Steps = tuple[Callable[[], None], Callable[[], None]]
GOAL = 0.95
BATCH = (64, 64)  # sentences and their words
TOKENS, WIDTH = 16_384, 512
LENGTHS = [64, 256, 1024, 4096]


def measure(options: Options) -> Iterator[Row]:
    """Compare the paper's base model with `nn.Transformer`, and an encoder layer with a GRU."""
    if not torch.cuda.is_available():
        raise UnavailableError("it needs a GPU that PyTorch knows as cuda")
    card, seconds = torch.cuda.get_device_name(), options.seconds(5)
    batch = sentences(*BATCH, SIZES["paper base"].vocabulary)
    for compiled in (False, True):
        steps = training_steps(SIZES["paper base"], batch, "cuda", compiled)
        turns = in_turns(steps, seconds)
        how = "compiled" if compiled else "eager"
        yield compare(f"{card}: training step, paper base, bf16, {how}", turns, goal=GOAL)
    for length in LENGTHS:
        turns = in_turns(layer_steps(TOKENS // length, length, WIDTH, "cuda"), seconds / 2)
        yield compare(f"{card}: encoder layer beside GRU, {length:,} words", turns)


def in_turns(steps: Steps, seconds: float) -> tuple[list[float], list[float]]:
    """Let two steps take turns, each ending when the GPU has done its work."""

    def waited_for(step: Callable[[], None]) -> Callable[[], None]:
        def once() -> None:
            step()
            torch.cuda.synchronize()

        return once

    return take_turns(waited_for(steps[0]), waited_for(steps[1]), seconds, time.perf_counter)


def training_steps(
    config: TransformerConfig, batch: Sentences, device: str, compiled: bool
) -> Steps:
    """Give a step of each translator; the arithmetic of products is in bfloat16."""
    there = Sentences(*(ids.to(device) for ids in (batch.source, batch.target, batch.labels)))
    ours, peer = (model.to(device) for model in translators(config))
    if compiled:
        ours.compile(), peer.compile()
    steps = TrainingStep(ours, there), TrainingStep(peer, there)
    return in_bfloat16(steps[0], device), in_bfloat16(steps[1], device)


def in_bfloat16(work: Callable[[], None], device: str) -> Callable[[], None]:
    """Let products be computed in bfloat16."""

    def once() -> None:
        with torch.autocast(device, torch.bfloat16):
            work()

    return once


def layer_steps(rows: int, length: int, width: int, device: str) -> Steps:
    """Give a step, forward and backward, of an encoder layer and of a GRU as large."""
    config = TransformerConfig.paper_base(vocabulary=2, d_model=width, d_ff=4 * width, dropout=0.0)
    gru = nn.GRU(width, width, num_layers=2, batch_first=True)  # as many parameters
    x = torch.randn(rows, length, width, device=device)

    def step(layer: nn.Module) -> Callable[[], None]:
        def once() -> None:
            found = layer(x)
            (found if isinstance(found, Tensor) else found[0]).sum().backward()

        return once

    return step(EncoderLayer(config).to(device)), step(gru.to(device))
