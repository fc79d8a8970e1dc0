"""Put the trained models that the course ships into tutor/data/checkpoints, as float16.

Run it as `python tools/results/checkpoints.py` after trainings.py, whose first seed it takes. It
writes tutor/data/results/checkpoints.json: what the rounded models still reach.
"""

from typing import Any

import stored  # first: it makes the package importable
from trainings import FOLDER, SEEDS

from tutor.data.files import CHECKPOINTS
from tutor.training.experiment import (
    D_MODEL,
    build_model,
    config_for,
    export_model,
    load_task,
    load_trained,
    scores,
)
from tutor.training.train import CHECKPOINT, Trainer

TASKS = ["phrasebook-ko", "cmudict"]


def ship(task_name: str) -> dict[str, Any]:
    """Write one model and test what was written."""
    task = load_task(task_name)
    folder = FOLDER / f"{task_name}-transformer-seed{SEEDS[0]}"
    if not (folder / CHECKPOINT).exists():
        raise SystemExit(f"{task_name} is not trained yet: run tools/results/trainings.py first")
    model, config = (
        build_model("transformer", task),
        config_for(task_name, "transformer", seed=SEEDS[0]),
    )
    Trainer(model, task.encode(task.train), config, D_MODEL).run(folder)  # its mean is left to take
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
