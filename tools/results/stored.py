"""What the scripts beside this one share: options, timing, and the form of a stored result."""

import argparse
import json
import platform
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
RESULTS = ROOT / "tutor" / "data" / "results"


def milliseconds(work: Callable[[], Any], seconds: float) -> float:
    """Run for so many seconds, at least five times, and take the fastest run's processor time."""
    work()
    runs: list[float] = []
    until = time.process_time() + seconds
    while len(runs) < 5 or time.process_time() < until:
        begin = time.process_time()
        work()
        runs.append(1000 * (time.process_time() - begin))
    return float(f"{min(runs):.3g}")


def slope(sizes: list[int], values: list[float]) -> float:
    """Slope of the straight line through the logarithms: time ~ size^slope."""
    x, y = torch.tensor(sizes).double().log(), torch.tensor(values).double().log()
    x, y = x - x.mean(), y - y.mean()
    return round(float((x * y).sum() / (x * x).sum()), 2)


def spread(values: list[float]) -> dict[str, float]:
    """Mean and range over the seeds."""
    mean = round(sum(values) / len(values), 4)
    return {"mean": mean, "lowest": round(min(values), 4), "highest": round(max(values), 4)}


def main(
    name: str, what: str, seed: int | list[int], measure: Callable[[bool], dict[str, Any]]
) -> None:
    """Measure and write a result; with --reduced a small version, elsewhere, as CI does."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--reduced", action="store_true", help="a version of seconds, to try it")
    parser.add_argument("--output", type=Path, default=RESULTS / f"{name}.json")
    options = parser.parse_args()
    if options.reduced and options.output == RESULTS / f"{name}.json":
        parser.error("--reduced needs --output: the stored result is the whole measurement's")
    torch.set_num_threads(1)
    values = measure(options.reduced)
    result = {
        "what": what,
        "command": f"python tools/results/{name}.py",
        "seed": seed,
        "threads": 1,
        "versions": {
            "python": platform.python_version(),
            "torch": torch.__version__,
            "cpu": torch.backends.cpu.get_cpu_capability(),
        },
        "values": values,
    }
    options.output.write_text(as_text(result), encoding="utf-8")
    print(f"{options.output}: written")


def as_text(result: dict[str, Any]) -> str:
    """Write a result as JSON, each row of numbers on one line."""
    text = json.dumps(result, indent=1, ensure_ascii=False)
    rows = re.compile(r"\[\n\s*([^][{}]*?)\n\s*\]")
    return rows.sub(lambda row: "[" + re.sub(r"\n\s*", " ", row[1]) + "]", text) + "\n"
