"""Sweep what lesson 8's plain model learns when one of its parts is broken.

Run it as `python tools/results/broken_parts.py`; it writes tutor/data/results/broken_parts.json.
"""

from sweep import Sweep  # first: it makes the package importable

from tutor.exercises import find
from tutor.models.plain_from_parts import PARTS, learn

# What is broken -> the exercise and its listed mistake.
BROKEN = {
    "nothing": None,
    "mask": ("encoder_decoder", "model-decoder-not-causal"),
    "shift": ("shift_targets", "shift-missing"),
    "scale": ("embed_with_positions", "input-not-scaled"),
}


class Reference(dict):
    """The course's functions, one of them broken."""

    def __init__(self, broken: str) -> None:
        super().__init__({name: find(name).reference for name in PARTS})
        self.own: dict = {}
        if BROKEN[broken]:
            name, mistake = BROKEN[broken]
            listed = {one.id: one.function for one in find(name).mistakes}
            self[name] = listed[mistake]


def learned(broken: str, d_model: int, steps: int, seed: int) -> dict[str, float]:
    """Train the plain model; its losses, and what it translates."""
    found = learn(Reference(broken), steps, d_model, seed, progress=False)
    losses = {f"loss {sixth}": found.losses[steps * sixth // 6 - 1] for sixth in range(1, 7)}
    new = found.task.test[0]
    said = found.translate(" ".join(new.source)) == " ".join(new.target)
    return {"loss 0": found.losses[0], **losses, "right": found.right, "new": said}


SWEEP = Sweep(
    "broken_parts",
    "the plain model of lesson 8's exercises (one layer in each stack, one head) learns 95 "
    "sentences from nothing with one part broken; then it translates them, and the one left out",
    learned,
    grids=[
        {"broken": [*BROKEN], "d_model": [32, 64], "steps": [150]},
        {"broken": ["nothing", "mask"], "d_model": [32, 64], "steps": [300]},
    ],
    labels={
        "broken": "what is broken",
        "d_model": "width",
        "steps": "steps of training",
        **{f"loss {sixth}": f"loss after {sixth} sixths of the steps" for sixth in range(7)},
        "right": "sentences right, of 95",
        "new": "the sentence left out is right",
    },
    margins={f"loss {sixth}": 0.3 for sixth in range(7)} | {"right": 10, "new": 1},
    sample={"broken": ["nothing"], "d_model": [32], "steps": [150]},
    unvaried={"initialisation": "weights are drawn by the model itself, with 1 / root of width"},
)

if __name__ == "__main__":
    SWEEP.main()
