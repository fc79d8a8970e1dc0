"""Choose the learning rate of each model the same way, before the trainings are compared.

Run it as `python tools/results/tuning.py`; it writes tutor/data/results/tuning.json. The scale of
the Noam rate is chosen on the dev split, after trainings as long as those compared: the highest
exact match, and of equal ones the lowest loss. tutor/training/experiment.py has the choice.
"""

from dataclasses import replace
from typing import Any

import stored  # first: it makes the package importable

from tutor.training.evaluate import exact_match, translate_pairs
from tutor.training.experiment import D_MODEL, MODELS, build_model, config_for, load_task
from tutor.training.train import Trainer

FOLDER = stored.ROOT / "build" / "tuning"
SEED, STEPS, TASK = 10, 1300, "phrasebook-fr"
SCALES = [0.125, 0.25, 0.5, 1.0, 2.0]


def tried(name: str, scale: float, steps: int) -> dict[str, float]:
    """Train one model at one scale; its loss at the end and exact match on the dev split."""
    task = load_task(TASK)
    model = build_model(name, task, SEED)
    config = replace(config_for(TASK, name, steps, SEED), scale=scale)
    trainer = Trainer(model, task.encode(task.train), config, D_MODEL)
    losses = trainer.run(FOLDER / f"{name}-{scale}" if steps == STEPS else None)
    exact = exact_match(translate_pairs(model.eval(), task, task.dev))
    return {"loss": round(sum(losses[-50:]) / len(losses[-50:]), 4), "exact": round(exact, 4)}


def measure(reduced: bool) -> dict[str, Any]:
    """Try every scale on every model, or one on one for a few steps."""
    models, scales, steps = (["gru"], [1.0], 10) if reduced else (list(MODELS), SCALES, STEPS)
    found = {name: {str(scale): tried(name, scale, steps) for scale in scales} for name in models}
    return {"task": TASK, "split": "dev", "steps": steps, "scales": found}


if __name__ == "__main__":
    stored.main(
        "tuning",
        "loss (mean of the last 50 steps) and exact match on the dev split at each scale of the "
        "learning rate, for each model alike; one seed, not one of those reported",
        SEED,
        measure,
    )
