"""Trained models, written small and read back; models that do not fit are refused."""

import pytest
import torch

from tutor.data.files import CHECKPOINTS, HERE, load_results
from tutor.training import experiment
from tutor.training.experiment import (
    MODELS,
    SCALE,
    STEPS,
    build_model,
    export_model,
    load_task,
    load_trained,
)


def test_a_trained_model_comes_back_in_half_precision(tmp_path):
    task = load_task("cmudict")
    model = build_model("transformer", task, seed=7)
    export_model(model, task, tmp_path / "model.safetensors")
    loaded, same_task = load_trained("cmudict", tmp_path / "model.safetensors")
    assert same_task is task
    assert not loaded.training
    for (name, ours), original in zip(loaded.named_parameters(), model.parameters()):
        assert ours.dtype == torch.float32
        assert torch.equal(ours, original.half().float()), name
    assert not torch.equal(loaded.embedding.table, build_model("transformer", task).embedding.table)


def test_words_that_changed_are_refused(tmp_path, monkeypatch):
    task = load_task("cmudict")
    path = tmp_path / "model.safetensors"
    export_model(build_model("transformer", task), task, path)
    monkeypatch.setattr(experiment, "fingerprint", lambda task: "other")
    with pytest.raises(ValueError, match="trained on other words"):
        load_trained("cmudict", path)


def test_a_model_the_course_does_not_bring_is_named():
    with pytest.raises(ValueError, match=r"no trained model .*phrasebook-fr"):
        load_trained("phrasebook-fr")


def test_unknown_names_are_refused():
    with pytest.raises(ValueError, match="'german'"):
        load_task("german")
    with pytest.raises(ValueError, match="'lstm'"):
        build_model("lstm", load_task("cmudict"))


def test_the_same_seed_gives_the_same_first_weights():
    task = load_task("cmudict")
    one, same, other = (build_model("gru", task, seed) for seed in (1, 1, 2))
    assert torch.equal(one.embedding.table, same.embedding.table)
    assert not torch.equal(one.embedding.table, other.embedding.table)


def test_everything_vendored_is_under_ten_megabytes_and_listed():
    ours = {"__pycache__", "locale"}  # translations are text of our own
    files = [p for p in HERE.rglob("*") if p.is_file() and not ours & {*p.parts}]
    assert sum(path.stat().st_size for path in files) < 10_000_000
    listed = (HERE / "README.md").read_text(encoding="utf-8")
    for path in [*(HERE / "files").iterdir(), *CHECKPOINTS.iterdir()]:
        assert path.name in listed
        assert f"| {path.stat().st_size / 1e6:.2f} |" in listed


def test_each_model_has_the_rate_that_did_best_on_the_dev_split():
    tuned = load_results("tuning")["values"]
    assert tuned["steps"] == STEPS[tuned["task"]]
    assert len({tuple(tried) for tried in tuned["scales"].values()}) == 1, "the same choice for all"
    for model in MODELS:
        tried = tuned["scales"][model]
        best = max(tried, key=lambda scale: (tried[scale]["exact"], -tried[scale]["loss"]))
        assert SCALE[model] == float(best)
