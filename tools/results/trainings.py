"""Train the models of lessons 1, 8 and 9 with several seeds and compare them.

Run it as `python tools/results/trainings.py`; it writes tutor/data/results/trainings.json. Each
training keeps its checkpoints in build/trainings, so that a stopped run goes on where it was.
"""

import json
from dataclasses import asdict
from typing import Any

import stored  # first: it makes the package importable

from tutor.training.experiment import config_for, load_task, train_and_test

FOLDER = stored.ROOT / "build" / "trainings"
SEEDS = [0, 1, 2]
COMPARED = {
    "phrasebook-fr": {"transformer": SEEDS, "gru": SEEDS, "gru-attention": SEEDS},
    "phrasebook-ko": {"transformer": SEEDS},
    "cmudict": {"transformer": SEEDS, "gru-attention": SEEDS},
}


def result(task: str, model: str, seed: int) -> dict[str, Any]:
    """Train once, or read the numbers of a training already done."""
    folder = FOLDER / f"{task}-{model}-seed{seed}"
    path = folder / "result.json"
    if not path.exists():
        train_and_test(task, model, config_for(task, model, seed=seed), folder)
    return json.loads(path.read_text(encoding="utf-8"))


def summary(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Put the seeds of one model together."""
    first = runs[0]
    found: dict[str, Any] = {
        "parameters": first["parameters"],
        "target words": len(load_task(first["task"]).target_words),
        "config": {key: value for key, value in first["config"].items() if key != "seed"},
        "seeds": [run["config"]["seed"] for run in runs],
        "versions": first["versions"],
        "cpu seconds": [run["cpu_seconds"] for run in runs],
    }
    for score in ("exact", "bleu", "per"):
        if first[score] is not None:
            found[score] = stored.spread([run[score] for run in runs])
    found["exact by list length"] = {
        names: stored.spread([run["by_length"][names] for run in runs])
        for names in first["by_length"]
    }
    found["loss"] = curve(first["losses"])
    return found


def curve(losses: list[float], width: int = 20) -> dict[str, list[float]]:
    """Thin a curve out: means of so many steps, at the last of them."""
    ends = range(width, len(losses) + 1, width)
    means = [round(sum(losses[end - width : end]) / width, 4) for end in ends]
    return {"step": list(ends), "mean": means}


def measure(reduced: bool) -> dict[str, Any]:
    """Train all of them, or one of them for a few steps."""
    if reduced:
        _, short = train_and_test("phrasebook-fr", "gru", config_for("phrasebook-fr", "gru", 20))
        return {"phrasebook-fr": {"gru": summary([asdict(short)])}}
    return {
        task: {
            model: summary([result(task, model, seed) for seed in seeds])
            for model, seeds in models.items()
        }
        for task, models in COMPARED.items()
    }


if __name__ == "__main__":
    stored.main(
        "trainings",
        "models of one size trained alike on one thread; scores on held-out pairs, mean and range "
        "of the seeds; the loss curve is the first seed's; lists of 8 are longer than any learned",
        SEEDS,
        measure,
    )
