"""Checkpoints: whole at every moment, whatever moment the process dies at."""

import json
from pathlib import Path

import pytest
import torch
from torch import nn

from tutor.training import checkpoint
from tutor.training.checkpoint import (
    load_checkpoint,
    optimiser_tensors,
    restore_optimiser,
    save_checkpoint,
)


def save(folder: Path, step: int) -> None:
    save_checkpoint(folder, step, {"w": torch.full((3,), float(step))}, {"losses": [0.5] * step})


def test_there_is_none_at_first(tmp_path):
    assert load_checkpoint(tmp_path / "nothing") is None


def test_the_newest_is_read_and_the_older_gone(tmp_path):
    save(tmp_path, 1)
    save(tmp_path, 2)
    tensors, facts = load_checkpoint(tmp_path)
    assert torch.equal(tensors["w"], torch.full((3,), 2.0))
    assert facts == {"losses": [0.5, 0.5], "step": 2}
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "checkpoint.json",
        "step-000002.safetensors",
    ]


class Killed(BaseException):
    """Stands for the end of the process: nothing catches it."""


@pytest.mark.parametrize("moment", range(8))
def test_killed_at_any_moment_the_old_or_the_new_is_whole(tmp_path, monkeypatch, moment):
    """Die before the n-th change to the folder; only the last is late enough for the new one."""
    save(tmp_path, 1)
    changes = iter(range(100))

    def counted(change):
        def maybe(*args, **named):
            if next(changes) == moment:
                raise Killed
            return change(*args, **named)

        return maybe

    with monkeypatch.context() as patch:
        patch.setattr(checkpoint, "save_file", counted(checkpoint.save_file))
        for name in ("write_text", "replace", "unlink"):
            patch.setattr(Path, name, counted(getattr(Path, name)))
        try:
            save(tmp_path, 2)
            survived = True
        except Killed:
            survived = False
    tensors, facts = load_checkpoint(tmp_path)
    assert torch.equal(tensors["w"], torch.full((3,), float(facts["step"])))
    assert facts["step"] == (1 if moment < 4 else 2)
    assert survived == (moment > 4)
    save(tmp_path, 3)  # and what was left lying about does no harm
    assert load_checkpoint(tmp_path)[1]["step"] == 3
    assert len(list(tmp_path.iterdir())) == 2


def test_the_json_is_for_people_too(tmp_path):
    save(tmp_path, 1)
    assert json.loads((tmp_path / "checkpoint.json").read_text()) == {
        "losses": [0.5],
        "step": 1,
        "tensors": "step-000001.safetensors",
    }


def test_an_optimiser_goes_on_where_it_was():
    def learn(parameter, optimiser, times):
        for _ in range(times):
            optimiser.zero_grad()
            (parameter**2).sum().backward()
            optimiser.step()

    def fresh():
        parameter = nn.Parameter(torch.tensor([1.0, -2.0]))
        return parameter, torch.optim.Adam([parameter], lr=0.1)

    whole, optimiser = fresh()
    learn(whole, optimiser, 6)
    stopped, optimiser = fresh()
    learn(stopped, optimiser, 3)
    memory = {name: tensor.clone() for name, tensor in optimiser_tensors(optimiser).items()}
    resumed, optimiser = fresh()
    forgetful, other = fresh()
    with torch.no_grad():
        resumed.copy_(stopped)
        forgetful.copy_(stopped)
    restore_optimiser(optimiser, memory)
    learn(resumed, optimiser, 3)
    learn(forgetful, other, 3)
    assert torch.equal(resumed, whole)
    assert not torch.equal(forgetful, whole)
