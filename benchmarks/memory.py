"""The most memory that a training step holds, beside `nn.Transformer`: each in its own process.

`python -m benchmarks.memory ours tiny` prints one side's MB beyond what the imports hold.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.frame import Options, Row, UnavailableError, compare
from benchmarks.peers import SIZES, TorchTranslator, TrainingStep, sentences
from benchmarks.training import BATCHES
from tutor.transformer import Transformer

GOAL = 1.02
STATUS, RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")
STEPS = 3


def measure(options: Options) -> Iterator[Row]:
    """Let both sides train in turns."""
    if not RESET.exists():
        raise UnavailableError("only Linux says the most memory that a process held")
    for size in SIZES:
        turns = range(8 if options.full else 2)
        ours, peer = zip(
            *((_in_a_process("ours", size), _in_a_process("peer", size)) for _ in turns)
        )
        yield compare(f"peak memory of a training step, {size}", (ours, peer), goal=GOAL, unit="MB")


def _in_a_process(side: str, size: str) -> float:
    command = [sys.executable, "-m", "benchmarks.memory", side, size]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ)
    return float(done.stdout)


def held(field: str) -> float:
    """Read what this process holds (VmRSS), or held at most (VmHWM), in MB."""
    lines = dict(line.split(":", 1) for line in STATUS.read_text().splitlines())
    return int(lines[field].split()[0]) / 2**10


def peak(side: str, size: str) -> float:
    """Train for some steps and give the most memory held, beyond that of the imports."""
    config, batch = SIZES[size], sentences(*BATCHES[size], SIZES[size].vocabulary)
    before = held("VmRSS")
    model = Transformer(config)
    step = TrainingStep(model if side == "ours" else TorchTranslator(model), batch)
    del model
    step()  # the optimiser's memory is made, and torch's compiler is imported
    RESET.write_text("5")  # forget the most so far: that of making the model
    for _ in range(STEPS):
        step()
    return held("VmHWM") - before


if __name__ == "__main__":
    print(peak(*sys.argv[1:]))
