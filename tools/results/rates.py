"""Train the phrasebook model with two rate schedules, for lesson 8's explorer.

Run it as `python tools/results/rates.py`; it writes tutor/data/results/rates.json. Each training
keeps its checkpoints in build/rates, so that a stopped run goes on where it was.
"""

from dataclasses import replace
from typing import Any

import stored  # first: it makes the package importable
from trainings import curve

from tutor.training.config import rate_at
from tutor.training.experiment import D_MODEL, build_model, config_for, load_task
from tutor.training.train import Trainer

FOLDER = stored.ROOT / "build" / "rates"
SEED, STEPS, TASK = 0, 240, "phrasebook-fr"
CHANGES: dict[str, dict[str, Any]] = {
    "Noam, warm-up 100": {"warmup": 100},
    "no warm-up": {"warmup": 100, "schedule": "no warm-up"},
}


def training(name: str, steps: int) -> dict[str, Any]:
    """Train with one schedule; its rates and its losses."""
    task = load_task(TASK)
    model = build_model("transformer", task, SEED)
    config = replace(config_for(TASK, "transformer", steps, SEED), **CHANGES[name])
    trainer = Trainer(model, task.encode(task.train), config, D_MODEL)
    losses = trainer.run(FOLDER / f"{name}" if steps == STEPS else None)
    thin = curve(losses, width=10)
    rates = [round(rate_at(step, config, D_MODEL), 6) for step in thin["step"]]
    return {"step": thin["step"], "rate": rates, "loss": thin["mean"]}


def measure(reduced: bool) -> dict[str, Any]:
    """Train with both schedules, or with both for a few steps."""
    steps = 10 if reduced else STEPS
    return {"task": TASK, "schedules": {name: training(name, steps) for name in CHANGES}}


if __name__ == "__main__":
    stored.main(
        "rates",
        "the phrasebook's Transformer under two learning rate schedules: rate, and training "
        "loss as the mean of ten steps",
        SEED,
        measure,
    )
