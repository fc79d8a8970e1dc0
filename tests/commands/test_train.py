"""The command: what it prints, what it leaves behind, how it goes on and how it refuses."""

import json

import pytest

from tests.tiers import first_quick
from tutor.commands import train as train_command
from tutor.commands.cli import main
from tutor.data.pairs import Pair, make_task
from tutor.training import experiment
from tutor.training.experiment import MODELS, TrainingResult, build_model, config_for, count


@pytest.fixture
def small_task(monkeypatch):
    """Put a tiny phrasebook in the place of the real one."""
    names = ["Togo", "Peru", "Chad"]
    pairs = [
        Pair("list2", (one, "and", other), (one, "et", other)) for one in names for other in names
    ]
    longer = [Pair("list8", ("Togo",) * 8, ("Togo",) * 8)]
    splits = {"train": pairs, "dev": pairs[:2], "test": pairs[:3], "long": longer}
    task = make_task("phrasebook-fr", splits, str.split, " ".join)
    for module in (experiment, train_command):
        monkeypatch.setattr(module, "load_task", lambda name: task)
    return task


def run(tmp_path, *options: str, steps: int = 10) -> int:
    words = ["train", "phrasebook-fr", "--steps", str(steps), "--out", str(tmp_path), *options]
    return main(words)


def test_it_trains_prints_and_leaves_its_numbers(tmp_path, small_task, capsys):
    assert run(tmp_path, steps=60) == 0
    printed = capsys.readouterr().out
    result = json.loads((tmp_path / "result.json").read_text())
    assert result["parameters"] == count(build_model("transformer", small_task))
    assert f"{result['parameters']:,} parameters, 60 steps" in printed
    for line in ("CPU seconds", "exact match", "BLEU", "lists of 2", "lists of 8"):
        assert f"\n{line}" in printed
    assert len(result["losses"]) == 60
    assert result["losses"][-1] < result["losses"][0]
    assert result["config"]["seed"] == 0


@pytest.mark.long
def test_the_same_command_again_goes_on_and_another_is_refused(tmp_path, small_task, capsys):
    assert run(tmp_path) == 0
    first = json.loads((tmp_path / "result.json").read_text())
    assert run(tmp_path) == 0
    assert json.loads((tmp_path / "result.json").read_text()) == first
    assert run(tmp_path, "--seed", "1") == 1
    assert "take another folder" in capsys.readouterr().err


@pytest.mark.long
def test_seeds_give_different_runs(tmp_path, small_task):
    assert run(tmp_path / "a") == run(tmp_path / "b", "--seed", "1") == 0
    a, b = (json.loads((tmp_path / n / "result.json").read_text()) for n in ("a", "b"))
    assert a["losses"] != b["losses"]


def test_missing_sacrebleu_is_said(capsys):
    result = TrainingResult("phrasebook-fr", "gru", config_for("phrasebook-fr", "gru"), 1, 1.0, 0.5)
    assert "pip install sacrebleu" in train_command.report(result)


@pytest.mark.parametrize("task", first_quick(experiment.TASKS))
def test_all_models_of_a_task_are_of_one_size(task):
    data = experiment.load_task(task)
    sizes = [count(build_model(name, data)) for name in MODELS]
    assert max(sizes) < 1.05 * min(sizes)
    assert len(set(sizes)) == 3  # they are different models all the same
    assert 900_000 < sizes[0] < 1_400_000
