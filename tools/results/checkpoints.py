"""Put the trained models that the course ships into tutor/data/checkpoints, as float16.

Run it as `python tools/results/checkpoints.py` after trainings.py, whose first seed it takes. It
writes tutor/data/results/checkpoints.json: what the rounded models still reach.
"""

from typing import Any

import stored  # first: it makes the package importable
import torch
from trainings import FOLDER, SEEDS

from tutor.data.files import CHECKPOINTS
from tutor.training.checkpoint import load_checkpoint
from tutor.training.experiment import build_model, export_model, load_task, load_trained, scores

TASKS = ["phrasebook-ko", "cmudict"]


def ship(task_name: str) -> dict[str, Any]:
    """Write one model and test what was written."""
    task = load_task(task_name)
    model = build_model("transformer", task)
    found = load_checkpoint(FOLDER / f"{task_name}-transformer-seed{SEEDS[0]}")
    if found is None:
        raise SystemExit(f"{task_name} is not trained yet: run tools/results/trainings.py first")
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(found[0][f"mean.{name}"])
    path = CHECKPOINTS / f"{task_name}.safetensors"
    export_model(model, task, path)
    return {"bytes": path.stat().st_size, **scores(load_trained(task_name)[0], task)}


def measure(reduced: bool) -> dict[str, Any]:
    """Ship all models, or none: there is no smaller version of it."""
    return {} if reduced else {task: ship(task) for task in TASKS}


if __name__ == "__main__":
    stored.main(
        "checkpoints",
        "the shipped models, rounded to float16: size, and scores on the held-out pairs",
        SEEDS[0],
        measure,
    )
