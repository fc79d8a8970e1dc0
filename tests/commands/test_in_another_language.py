"""Whatever a command says can be translated: its help, its refusals, and all that it prints.

Code stays as it is in every language: commands, options and what they take, paths, names of
exercises and models; so does what Python and the system say of an error.
"""

import errno
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.commands.hearing import Heard, hearing
from tests.commands.test_mine import TIED, notebook
from tutor.commands import cli, copy, doctor, lab, mine, solutions, train
from tutor.learner.own_file import FILE
from tutor.learner.progress_file import MARKER
from tutor.training.experiment import TrainingResult, config_for

ROOT = Path(__file__).parents[2]


@pytest.fixture
def heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Heard:
    return hearing(tmp_path, monkeypatch, capsys)


def fails_with(error: Exception) -> Callable[..., Any]:
    def fail(*_: Any, **__: Any) -> None:
        raise error

    return fail


# --- help, and what a command refuses


def test_what_argparse_says_is_looked_up(heard: Heard):
    assert heard() == []


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_the_help_of_a_command_can_be_translated(name: str, heard: Heard):
    assert heard(name, "--help") == []


REFUSED = [
    "lessons",
    "solutions",
    "copy --unknown",
    "copy a b",
    "copy --language xx",
    "copy --language=--",
    "copy file",
    "mine --keep perhaps",
    "mine --restore",
    "mine --train=now",
    "grade . --l 04",
    "grade . --class-seed a --released .",
    "grade nowhere",
    "grade . --grace nan",
    "grade . --workers 0",
    "grade . --scheduler tcp://",
    "grade . --roster nowhere",
    "train cmudict --steps none",
    "train cmudict --model none",
    "release out --class-seed=",
    "release=",
    "progress --workspace nowhere",
]


@pytest.mark.parametrize("line", REFUSED)
def test_what_a_command_refuses_can_be_translated(line: str, heard: Heard):
    Path("file").write_text("hello")
    assert heard(*line.split()) == []


@pytest.mark.parametrize(
    "error",
    [
        KeyboardInterrupt(),
        OSError(errno.ENOSPC, "No space left on device"),
        PermissionError(errno.EACCES, "Permission denied", "/a"),
        FileNotFoundError(errno.ENOENT, "No such file or directory"),
        FileNotFoundError(errno.ENOENT, "No such file or directory", "/a"),
    ],
    ids=lambda error: f"{type(error).__name__}-{getattr(error, 'errno', '')}",
)
def test_what_stops_every_command_can_be_translated(
    error: Exception, heard: Heard, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(doctor, "run", fails_with(error))
    monkeypatch.setattr(cli, "_leave_unsaid", lambda: None)
    assert heard("doctor") == []


# --- copies


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course of one lesson, which is copied at once."""
    course = tmp_path / "course"
    for folder in ("notebooks", "exercises", "solutions"):
        (course / folder).mkdir(parents=True)
        shutil.copy(ROOT / folder / "04_self_attention.ipynb", course / folder)
    for module in (copy, solutions):
        monkeypatch.setattr(module, "course_folder", lambda: course)
    return course


def changed(path: Path, text: str) -> None:
    content = json.loads(path.read_text("utf-8"))
    content["cells"].append({**content["cells"][0], "id": text, "source": text})
    path.write_text(json.dumps(content), "utf-8")


def test_what_is_said_of_copies_can_be_translated(course: Path, heard: Heard):
    assert heard("copy", "mine") == []  # new
    assert heard("copy", "mine") == []  # as they were
    changed(Path("mine/notebooks/04_self_attention.ipynb"), "mine")
    for folder in ("notebooks", "exercises"):
        changed(course / folder / "04_self_attention.ipynb", "newer")
    assert heard("copy", "mine") == []  # one brought up to date, one kept
    changed(Path("mine/exercises/04_self_attention.ipynb"), "mine")
    assert heard("copy", "mine", "--language", "ko") == []  # switched
    assert heard("copy", "course") == []  # refused
    shutil.rmtree(course / "notebooks")
    shutil.rmtree(course / "exercises")
    assert heard("copy", "mine") == []


def test_what_is_said_of_copies_that_cannot_be_made_can_be_translated(
    heard: Heard, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(copy, "fill", fails_with(OSError(errno.ENOSPC, "No space left on device")))
    assert heard("copy", "mine") == heard("lab", "--workspace", "mine") == []


def test_what_is_said_of_solutions_can_be_translated(
    course: Path, heard: Heard, monkeypatch: pytest.MonkeyPatch
):
    Path("mine").mkdir()
    assert heard("solutions", "04", "--workspace", "mine") == []
    assert heard("solutions", "99", "--workspace", "mine") == []
    monkeypatch.setattr(solutions, "usual_workspace", lambda: Path("not-yet"))
    assert heard("solutions", "04") == []


def test_what_is_said_before_jupyterlab_opens_can_be_translated(
    course: Path, heard: Heard, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(lab, "start_jupyterlab", lambda *_: None)
    monkeypatch.setattr(lab, "write_settings", fails_with(OSError(errno.ENOSPC, "full")))
    assert heard("lab", "--workspace", "mine") == []
    monkeypatch.setattr(lab.tempfile, "TemporaryFile", fails_with(OSError(errno.ENOSPC, "full")))
    assert heard("lab", "--workspace", "mine") == []
    monkeypatch.setattr(lab, "find_spec", lambda name: None)
    assert heard("lab", "--workspace", "mine") == []


# --- progress, and the learner's own functions


@pytest.fixture
def workspace(tmp_path: Path, heard: Heard) -> Path:
    (tmp_path / MARKER).touch()
    (tmp_path / "exercises").mkdir()
    return tmp_path


def test_what_is_said_of_progress_can_be_translated(workspace: Path, heard: Heard):
    assert heard("progress") == []
    (workspace / "progress.json").write_text('{"project_by_hand": 1, "additive_attention": 1.5}')
    assert heard("progress") == []
    (workspace / "progress.json").write_text("{")
    assert heard("progress") == []


def test_what_is_said_of_own_functions_can_be_translated(
    workspace: Path, heard: Heard, monkeypatch: pytest.MonkeyPatch
):
    assert heard("mine", "--collect") == []  # nothing
    notebook(workspace, "09_output_softmax", TIED, "def top_k_probabilities(z, k):\n    return z")
    (workspace / "exercises" / "06_residual_and_layer_norm.ipynb").write_text("{")
    assert heard("mine", "--collect") == []  # one kept, one wrong, one that cannot be read
    assert heard("mine") == []
    assert heard("progress") == []
    assert heard("mine", "--keep", "off") == heard("mine") == heard("mine", "--keep", "on") == []
    file = workspace / FILE
    file.write_text(file.read_text("utf-8").replace("@ table.T", "@ (table"), "utf-8")
    assert heard("mine") == []  # does not run
    assert heard("mine", "--restore", "tied_logits") == []
    assert heard("mine", "--restore", "no_such") == []
    file.write_bytes(b"import nowhere\n" + file.read_bytes())
    assert heard("mine") == []  # nor does its top
    monkeypatch.setattr(mine, "_run", fails_with(OSError(errno.ENOSPC, "full")))
    assert heard("mine") == []
    (workspace / MARKER).unlink()
    monkeypatch.setattr(mine, "work_folder", lambda: workspace)
    assert heard("mine") == []


def test_what_models_of_own_functions_write_can_be_translated(
    workspace: Path, heard: Heard, monkeypatch: pytest.MonkeyPatch
):
    from tutor.models import smollm, speaker_from_parts

    for module in (smollm, speaker_from_parts):
        monkeypatch.setattr(module, "is_installed", lambda: False)
    assert heard("mine", "--write", "The capital of France is") == []
    assert heard("mine", "--write", "The nice thing about") == []


@pytest.mark.long
def test_what_the_translator_and_a_training_say_can_be_translated(workspace: Path, heard: Heard):
    assert heard("mine", "3 days ago") == heard("mine", "3 days ago " * 40) == []
    notebook(workspace, "09_output_softmax", TIED)
    heard("mine", "--collect")
    file = workspace / FILE
    file.write_text(file.read_text("utf-8").replace("@ table.T", "@ table.T * 2"), "utf-8")
    assert heard("mine", "3 days ago") == []
    assert heard("mine", "--train") == []


# --- the environment

FAULTS: dict[str, Callable[[pytest.MonkeyPatch], Any]] = {
    "python": lambda patch: patch.setattr(doctor, "OLDEST_PYTHON", (3, 99)),
    "another": lambda patch: patch.setattr(doctor, "_installed", lambda name: True),
    "not here": lambda patch: patch.setattr(doctor, "_course_installed", lambda: False),
    "packages": lambda patch: patch.setattr(
        doctor, "_requirements", lambda: ["numpy<1", "surely-not-installed"]
    ),
    "kernel": lambda patch: patch.setattr(doctor, "_prefix_of", lambda program: None),
    "folders": lambda patch: patch.setattr(
        lab.tempfile, "TemporaryFile", fails_with(OSError(errno.ENOSPC, "full"))
    ),
    "no lab": lambda patch: patch.setattr(doctor, "find_spec", lambda name: None),
    "typeface": lambda patch: patch.setattr("tutor.display.style.vendored_fonts", lambda: ()),
    "fonts": lambda patch: patch.setattr(
        "matplotlib.font_manager.fontManager", SimpleNamespace(ttflist=[])
    ),
    "device": lambda patch: patch.setattr("torch.ones", fails_with(RuntimeError("【no】"))),
}


@pytest.mark.parametrize("fault", ["none", *FAULTS])
def test_what_the_doctor_says_can_be_translated(
    fault: str, heard: Heard, monkeypatch: pytest.MonkeyPatch
):
    if fault != "none":
        FAULTS[fault](monkeypatch)
    assert heard("doctor") == []


@pytest.mark.parametrize(
    "found", [{}, {"version": "3.1", "ext_path": "/lab"}, {"version": "5.0", "ext_path": "/lab"}]
)
def test_what_the_doctor_says_of_sliders_can_be_translated(
    found: dict[str, str], heard: Heard, monkeypatch: pytest.MonkeyPatch
):
    from jupyterlab_server import config, settings_utils

    known = {doctor.WIDGET_MANAGER: found} if found else {}
    off = {"disabledExtensions": [doctor.WIDGET_MANAGER]}
    default = {"properties": {"commsOverSubshells": {"default": "perComm"}}}
    own = {"settings": {"commsOverSubshells": "perComm"} if found else {}, "schema": default}
    monkeypatch.setattr(config, "get_federated_extensions", lambda folders: known)
    monkeypatch.setattr(config, "get_page_config", lambda *_: off)
    monkeypatch.setattr(settings_utils, "get_settings", lambda *_, **__: (own, ""))
    assert heard("doctor") == []


def test_what_a_damaged_kernel_needs_can_be_translated(
    heard: Heard, monkeypatch: pytest.MonkeyPatch
):
    from jupyter_client.kernelspec import KernelSpecManager

    monkeypatch.setattr(KernelSpecManager, "get_kernel_spec", fails_with(ValueError("damaged")))
    assert heard("doctor") == []


# --- training, and what a teacher hands out


@pytest.mark.parametrize("task", ["cmudict", "phrasebook-fr"])
@pytest.mark.parametrize("bleu", [None, 30.0])
def test_what_a_training_says_can_be_translated(
    task: str, bleu: float | None, heard: Heard, monkeypatch: pytest.MonkeyPatch
):
    config = config_for(task, "gru", steps=9)
    per = 0.5 if task == "cmudict" else None
    result = TrainingResult(
        task, "gru", config, 10, 2.5, exact=0.25, per=per, bleu=bleu, by_length={"2": 1, "8": 0}
    )
    data = SimpleNamespace(train=[1], test=[2])
    monkeypatch.setattr(train, "load_task", lambda name: data)
    monkeypatch.setattr(train, "build_model", lambda *_: None)
    monkeypatch.setattr(train, "count", lambda model: 10)
    monkeypatch.setattr(train, "train_and_test", lambda *_: (None, result))
    assert heard("train", task, "--model", "gru") == []
    monkeypatch.setattr(train, "train_and_test", fails_with(ValueError("【no】")))
    assert heard("train", task) == []


def test_what_a_release_says_can_be_translated(heard: Heard):
    assert heard("release", "class", "--lesson", "04") == []
    assert heard("release", "class", "--lesson", "04") == []  # with the seed of before
    assert heard("release", "class", "--lesson", "99") == []
