"""A check reports, whatever the notebook has set and wherever its points cannot be kept."""

import builtins
import errno
import json
import os
import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

import tutor
from tutor.attention import scaled_dot_product_attention as reference
from tutor.checking.examine import key, mistake_outcome
from tutor.learner import check as checks
from tutor.learner import question
from tutor.learner.one_at_a_time import LOCK
from tutor.learner.progress_file import load

NAME = "scaled_dot_product_attention"


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".tutor-workspace").touch()
    (tmp_path / "exercises").mkdir()
    monkeypatch.chdir(tmp_path / "exercises")
    return tmp_path


def right(q, k, v):
    return reference(q, k, v)


def wrong(q, k, v):
    weights = torch.softmax(q @ k.transpose(1, 2), -1)
    return weights @ v, weights


def reported() -> str:
    report = tutor.check(right, name=NAME)
    assert report.passed
    assert str(report).startswith(f"{NAME}: right (3 of 3 points)")
    return str(report)


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.ENOSPC, "Not saved: The disk is full."),
        (errno.EROFS, "Not saved: This may not be written or read: {}"),
        (errno.EACCES, "Not saved: This may not be written or read: {}"),
        (errno.EIO, "Not saved: Input/output error: {}"),
    ],
)
def test_points_that_cannot_be_written_are_reported_all_the_same(
    number: int, said: str, workspace: Path, monkeypatch: pytest.MonkeyPatch
):
    def refused(path: Path, content: bytes) -> None:
        raise OSError(number, os.strerror(number), str(path))

    monkeypatch.setattr(Path, "write_bytes", refused)
    assert said.format(workspace / "progress.json") in reported()
    assert {path.name for path in workspace.iterdir()} == {".tutor-workspace", "exercises", LOCK}


def test_a_record_that_may_not_be_read_is_left_alone(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
):
    (workspace / "progress.json").write_text('{"layer_norm": 2}')

    def refused(path: Path) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", refused)
        assert "Not saved" in reported()
        assert "In all 0 of" in str(tutor.progress())
    assert (workspace / "progress.json").read_text() == '{"layer_norm": 2}'


def test_a_workspace_that_is_gone(workspace: Path):
    shutil.rmtree(workspace)
    assert "Not saved: The folder that this runs in is no longer there." in reported()
    assert "In all 0 of" in str(tutor.progress())


@pytest.mark.parametrize("damaged", ["{", "", "[1]", "3", "null", "\xff\xfe", "[" * 100_000])
def test_a_damaged_record_is_put_aside_and_a_new_one_begun(damaged: str, workspace: Path):
    (workspace / "progress.json").write_text(damaged, encoding="latin-1")
    assert "In all 0 of" in str(tutor.progress())
    assert "progress.json was damaged and is now called progress.json.damaged" in reported()
    assert (workspace / "progress.json.damaged").read_text(encoding="latin-1") == damaged
    assert load() == {NAME: 3.0}
    assert "damaged" not in reported()


@pytest.mark.parametrize("odd", ["null", '"3"', "[3]", "true", "1e999", "NaN", "{}", "-1", "-1e9"])
def test_odd_entries_count_nothing_and_cost_no_others(odd: str, workspace: Path):
    (workspace / "progress.json").write_text(f'{{"{NAME}": {odd}, "layer_norm": 2, "odd": {odd}}}')
    assert "In all 2 of" in str(tutor.progress())
    reported()
    assert json.loads((workspace / "progress.json").read_text())[NAME] == 3.0
    assert "In all 5 of" in str(tutor.progress())


def test_more_points_than_there_are_count_as_all(workspace: Path):
    (workspace / "progress.json").write_text('{"layer_norm": 1e300}')
    assert "In all 2 of" in str(tutor.progress())


def test_a_folder_in_place_of_the_record(workspace: Path):
    (workspace / "progress.json").mkdir()
    assert "Not saved: Is a directory" in reported()


@pytest.fixture(params=["float64", "device", "with device", "inference", "autocast", "no grad"])
def setting(request: pytest.FixtureRequest) -> Iterator[None]:
    """Something that a notebook has set, while nothing is known of the exercises yet."""
    mistake_outcome.cache_clear()
    key.cache_clear()
    contexts = {
        "with device": lambda: torch.device("meta"),
        "inference": torch.inference_mode,
        "autocast": lambda: torch.autocast("cpu"),
        "no grad": torch.no_grad,
    }
    if request.param == "float64":
        torch.set_default_dtype(torch.float64)
        yield
        torch.set_default_dtype(torch.float32)
    elif request.param == "device":
        torch.set_default_device("meta")
        yield
        torch.set_default_device(None)
    else:
        with contexts[request.param]():
            yield


ANSWERS = [(NAME, right, None), (NAME, wrong, "attn-no-scale")]


def by_hand(gradients, max_norm):
    norm = torch.stack([(g * g).sum() for g in gradients]).sum().sqrt()
    return [g * torch.clamp(max_norm / norm, max=1.0) if norm > 0 else g for g in gradients]


@pytest.mark.usefixtures("setting")
def test_settings_of_the_notebook_change_no_verdict(capsys: pytest.CaptureFixture[str]):
    for name, answer, mistake in [*ANSWERS, ("clip_gradients", by_hand, None)]:
        report = tutor.check(answer, name=name)
        assert (report.mistake, report.passed) == (mistake, mistake is None), str(report)
    tutor.question("predict_score")
    asked = capsys.readouterr().out
    question._learner["name"] = "self-study"
    assert "A query is [" in asked


def test_replaced_functions_neither_help_nor_harm(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(torch, "allclose", lambda *_, **__: True)
    monkeypatch.setattr(torch, "equal", lambda *_: True)
    monkeypatch.setattr(torch, "softmax", None)
    monkeypatch.setattr(builtins, "max", lambda *_, **__: 0)
    report = tutor.check(wrong, name=NAME)
    assert report.mistake == "attn-no-scale"
    assert "torch.allclose is replaced in this notebook" in str(report)
    assert torch.softmax is None


def test_strict_warnings_are_no_errors_of_the_check():
    def warns(q, k, v):
        warnings.warn("mind this", stacklevel=1)
        return reference(q, k, v)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "mind this" in str(tutor.check(warns, name=NAME))


def test_an_answer_says_nothing_beside_the_report(capfd: pytest.CaptureFixture[str]):
    """On stderr it would cost all points in nbgrader."""

    def talks(q, k, v):
        print("to the screen")
        print("to the errors", file=__import__("sys").stderr)
        return reference(q, k, v)

    assert tutor.check(talks, name=NAME).passed
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("fault", [RuntimeError("of ours"), KeyboardInterrupt()])
def test_a_fault_of_the_check_itself_is_a_report(
    fault: BaseException, monkeypatch: pytest.MonkeyPatch
):
    def broken(*_: object) -> None:
        raise fault

    monkeypatch.setattr(checks, "examine", broken)
    report = tutor.check(right, name=NAME)
    assert report.verdict.status == "open"
    assert report.function is not right
    assert ("of ours" in str(report)) == isinstance(fault, RuntimeError)
