"""Checkpoints: what a training needs to go on, on disk, whole or not at all.

A checkpoint is two files in one folder: the tensors (safetensors, never pickle: loading one cannot
run code) and ``checkpoint.json`` with everything else, which names the tensors' file. Both are
written under another name and then renamed, the JSON last. So whenever the process is killed, the
folder holds a complete checkpoint: the new one or the one before.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.optim import Optimizer

from tutor.files import UNFINISHED, replacing

NAME = "checkpoint.json"


def save_checkpoint(
    folder: Path, step: int, tensors: Mapping[str, Tensor], facts: Mapping[str, Any]
) -> None:
    """Write a checkpoint and remove the one before.

    Args:
        folder: made if it does not exist; holds one training.
        step: number of steps done; part of the tensors' file name.
        tensors: by name.
        facts: anything JSON can say.

    Example:
        >>> import tempfile, torch
        >>> folder = Path(tempfile.mkdtemp())
        >>> save_checkpoint(folder, 10, {"w": torch.ones(2)}, {"loss": 0.5})
        >>> tensors, facts = load_checkpoint(folder)
        >>> tensors["w"], facts
        (tensor([1., 1.]), {'loss': 0.5, 'step': 10})
    """
    name = f"step-{step:06d}.safetensors"
    with replacing(folder / name, durable=True) as unfinished:
        whole = {key: tensor.detach().contiguous() for key, tensor in tensors.items()}
        save_file(whole, unfinished)
    with replacing(folder / NAME, durable=True) as unfinished:
        text = json.dumps({**facts, "step": step, "tensors": name})
        unfinished.write_text(text, encoding="utf-8")
    for old in [*folder.glob("step-*.safetensors"), *folder.glob(UNFINISHED)]:
        if old.name != name:
            old.unlink()


def load_checkpoint(folder: Path) -> tuple[dict[str, Tensor], dict[str, Any]] | None:
    """Read the checkpoint of a folder; None if there is none yet.

    Returns:
        The tensors and the facts, ``step`` among them.
    """
    path = folder / NAME
    if not path.exists():
        return None
    facts = json.loads(path.read_text(encoding="utf-8"))
    return load_file(folder / facts.pop("tensors")), facts


def optimiser_tensors(optimiser: Optimizer) -> dict[str, Tensor]:
    """Name what an optimiser remembers of each parameter, for `save_checkpoint`."""
    return {
        f"optimiser.{number}.{key}": value
        for number, memory in optimiser.state_dict()["state"].items()
        for key, value in memory.items()
    }


def restore_optimiser(optimiser: Optimizer, tensors: Mapping[str, Tensor]) -> None:
    """Give an optimiser back what `optimiser_tensors` named."""
    state: dict[int, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        if name.startswith("optimiser."):
            number, key = name.split(".")[1:]
            state.setdefault(int(number), {})[key] = tensor
    groups = optimiser.state_dict()["param_groups"]
    optimiser.load_state_dict({"state": state, "param_groups": groups})
