"""Writing 64 words with a cache, beside `nn.Transformer` that reads all words again at each step.

The source is read once on both sides, and the peer too scores the last word only. No sentence ends
early: the id that would end it does not exist.
"""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from benchmarks.frame import Options, Row, compare, take_turns
from benchmarks.peers import BOS, PAD, SIZES, TorchTranslator, sentences, translators
from tutor.beam import beam_steps
from tutor.decode import generate, most_likely
from tutor.language_model import StepFunction, read_source
from tutor.transformer import Transformer

WORDS, SOURCE_WORDS, WIDTH = 64, 16, 4
NEVER = -1  # the id of no word
GOALS = {1: 0.5, 32: 0.15}
BEAM_GOAL = 0.3


class Rereading:
    """The step function of `nn.Transformer`, which knows no cache."""

    def __init__(self, model: TorchTranslator, source: Tensor) -> None:
        self.model, self.source, self.memory = model, source, model.encode(source)

    def __call__(self, prefixes: Tensor) -> Tensor:
        states = self.model.decode(self.source, self.memory, prefixes)  # (rows, words, D)
        return torch.log_softmax(self.model.logits(states[:, -1]), -1)

    def reorder(self, rows: Tensor) -> None:
        """Take these rows of the sources."""
        self.source, self.memory = self.source[rows], self.memory[rows]


def measure(options: Options) -> Iterator[Row]:
    """Compare greedy search for one sentence and for 32, and a beam of 4 for one."""
    for size in SIZES if options.full else ["tiny"]:
        ours, peer = translators(SIZES[size])
        for rows, goal in GOALS.items():
            source = sentences(rows, SOURCE_WORDS, SIZES[size].vocabulary).source
            turns = in_turns(greedy, ours, peer, source, options.seconds(6))
            what = f"greedy decoding of {WORDS} words, {size}, batch {rows}"
            yield compare(what, turns, goal=goal)
        source = sentences(1, SOURCE_WORDS, SIZES[size].vocabulary).source
        turns = in_turns(beam, ours, peer, source, options.seconds(6))
        yield compare(f"beam of {WIDTH}, {WORDS} words, {size}", turns, goal=BEAM_GOAL)


def in_turns(
    search: Callable, ours: Transformer, peer: TorchTranslator, source: Tensor, seconds: float
) -> tuple[list[float], list[float]]:
    """Let both write in turns, having read the source."""
    ours.eval(), peer.eval()
    with torch.inference_mode():
        return take_turns(
            lambda: search(read_source(ours, source, PAD), len(source)),
            lambda: search(Rereading(peer, source), len(source)),
            seconds,
        )


def greedy(step: StepFunction, rows: int, words: int = WORDS) -> list[list[int]]:
    """Write the likeliest words."""
    return generate(step, torch.full((rows, 1), BOS), most_likely, words, NEVER)


def beam(step: StepFunction, rows: int, words: int = WORDS) -> list:
    """Search with a beam."""
    return list(beam_steps(step, torch.full((rows, 1), BOS), WIDTH, words, NEVER))
