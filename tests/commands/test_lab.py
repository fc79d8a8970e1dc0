import argparse
import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

import tutor.say
from tutor.commands import copy, lab
from tutor.learner import workspace
from tutor.learner.language import catalogue
from tutor.learner.workspace import Changes
from tutor.say import speak

ROOT = Path(__file__).parents[2]


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course of two lessons, and settings that go into the test's own folder."""
    (tmp_path / "notebooks").mkdir()
    for name in ("02_embeddings", "01_rnn_limits"):
        (tmp_path / "notebooks" / f"{name}.ipynb").write_text('{"cells": []}')
    monkeypatch.setattr(copy, "course_folder", lambda: tmp_path)
    monkeypatch.setattr(workspace, "course_folder", lambda: tmp_path)
    monkeypatch.setattr(lab, "settings_file", lambda: tmp_path / "settings" / "course.json")
    return tmp_path


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The command lines that JupyterLab would have been started with."""
    from jupyterlab.labapp import LabApp

    lines: list[list[str]] = []
    monkeypatch.setattr(LabApp, "launch_instance", lambda argv: lines.append(argv))
    monkeypatch.setenv("PATH", os.environ["PATH"])  # so that it is put back
    return lines


Packs = Callable[..., None]


@pytest.fixture
def packs(monkeypatch: pytest.MonkeyPatch) -> Packs:
    """Let only these language packs of JupyterLab be installed; the course may speak any."""
    monkeypatch.setattr(tutor.say, "_catalogue", catalogue("en"))

    def install(*locales: str) -> None:
        found = [EntryPoint(locale, f"pack_{locale}", lab.PACKS) for locale in locales]
        monkeypatch.setattr(lab, "entry_points", lambda group: found)

    return install


def options(**given: Any) -> argparse.Namespace:
    return argparse.Namespace(**({"workspace": None, "rest": [], "language": None} | given))


def test_the_first_time_the_first_lesson_opens_and_then_what_was_open_last(
    course: Path, started: list[list[str]], capsys: pytest.CaptureFixture[str]
):
    assert lab.run(options()) == 0
    assert f"--ServerApp.root_dir={course / 'workspace'}" in started[0]
    assert "--LabApp.default_url=/lab/tree/notebooks/01_rnn_limits.ipynb" in started[0]
    assert "(2 new)" in capsys.readouterr().out
    lab.run(options())
    assert "--LabApp.default_url=/lab" in started[1]
    said = capsys.readouterr().out.splitlines()
    assert said[0] == f"Your workspace is {course / 'workspace'}."
    assert "Shift+Enter" in said[1]


def test_the_learners_options_come_last_and_so_win(course: Path, started: list[list[str]]):
    lab.run(options(rest=["--no-browser", "--LabApp.default_url=/lab/tree/mine.ipynb"]))
    assert started[0][-2:] == ["--no-browser", "--LabApp.default_url=/lab/tree/mine.ipynb"]


def test_another_folder_can_be_the_workspace(
    course: Path, started: list[list[str]], tmp_path: Path
):
    lab.run(options(workspace=tmp_path / "elsewhere" / "mine"))
    assert (tmp_path / "elsewhere" / "mine" / "notebooks" / "01_rnn_limits.ipynb").exists()
    assert not (course / "workspace").exists()


@pytest.mark.parametrize(("user", "allowed"), [(0, True), (1000, False)])
def test_root_may_start_it(
    user: int,
    allowed: bool,
    course: Path,
    started: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(os, "geteuid", lambda: user)
    lab.run(options())
    assert ("--allow-root" in started[0]) is allowed


def test_terminals_in_jupyterlab_find_this_environments_commands(
    course: Path, started: list[list[str]]
):
    lab.run(options())
    assert os.environ["PATH"].split(os.pathsep)[0] == str(Path(sys.executable).parent)


def test_settings_are_written_once_and_mended(course: Path, started: list[list[str]]):
    lab.run(options())
    file = course / "settings" / "course.json"
    assert json.loads(file.read_text()) == lab.COURSE_SETTINGS
    before = file.stat().st_mtime_ns
    lab.run(options())
    assert file.stat().st_mtime_ns == before
    file.write_text("{}")
    lab.run(options())
    assert json.loads(file.read_text()) == lab.COURSE_SETTINGS


def locale_of(course: Path) -> str | None:
    """Which language the menus of this environment's JupyterLab have now, None for its default."""
    settings = json.loads((course / "settings" / "course.json").read_text())
    return settings.get(lab.TRANSLATION, {}).get("locale")


def test_a_korean_workspace_has_korean_menus_and_an_english_one_has_not(
    course: Path, started: list[list[str]], packs: Packs, capsys: pytest.CaptureFixture[str]
):
    packs("de_DE", "ko_KR")
    for asked, locale in ((None, None), ("ko", "ko_KR"), (None, "ko_KR"), ("en", None)):
        speak(catalogue("en"))  # as each process does at first
        lab.run(options(language=asked))
        assert locale_of(course) == locale
    assert json.loads((course / "settings" / "course.json").read_text()) == lab.COURSE_SETTINGS
    assert "lab-ko" not in capsys.readouterr().out


def test_without_its_pack_a_korean_lab_opens_and_says_how_to_get_korean_menus(
    course: Path, started: list[list[str]], packs: Packs, capsys: pytest.CaptureFixture[str]
):
    packs("de_DE")
    assert lab.run(options(language="ko")) == 0
    assert locale_of(course) is None
    assert "[lab-ko]" in capsys.readouterr().out
    assert len(started) == 1


@pytest.mark.parametrize("own", ["en", "default", "de_DE"])
def test_a_language_chosen_in_jupyterlab_goes_before_the_courses(
    own: str, packs: Packs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    from jupyterlab.commands import get_app_dir
    from jupyterlab_server.settings_utils import get_settings

    packs("ko_KR")
    file = tmp_path / "settings" / "overrides.d" / "course.json"
    monkeypatch.setattr(lab, "settings_file", lambda: file)
    speak(catalogue("ko"))
    lab.write_settings()

    def read() -> str:
        places = str(file.parents[1]), str(Path(get_app_dir()) / "schemas"), str(tmp_path / "own")
        found, _ = get_settings(*places, schema_name=lab.TRANSLATION)
        return found["settings"].get("locale", found["schema"]["properties"]["locale"]["default"])

    assert read() == "ko_KR"
    chosen = tmp_path / "own" / (lab.TRANSLATION.replace(":", "/") + ".jupyterlab-settings")
    chosen.parent.mkdir(parents=True)
    chosen.write_text(json.dumps({"locale": own}))
    lab.write_settings()
    assert read() == own


def test_jupyterlab_knows_every_setting_by_this_name(packs: Packs):
    """A misspelt setting would be ignored without a word."""
    packs("ko_KR")
    for plugin, settings in lab.course_settings("ko").items():
        schema = json.loads(schema_file(plugin).read_text(encoding="utf-8"))
        for key, value in settings.items():
            known = schema["properties"][key]
            choices = [choice["const"] for choice in known.get("oneOf", [])]
            kinds = {bool: ["boolean"], list: ["array"], str: ["string"]}
            kinds[dict] = ["#/definitions/IStyles", "object"]
            kind = known.get("type", known.get("$ref"))
            assert value in choices or kind in kinds.get(type(value), [])
            assert value != known["default"]


def schema_file(plugin: str) -> Path:
    """Where JupyterLab's own plugins, or an extension, say which settings they have."""
    from jupyterlab.commands import get_app_dir

    name = plugin.replace(":", "/") + ".json"
    share = Path(get_app_dir()).parent
    extension = share / "labextensions" / plugin.partition(":")[0] / "schemas" / name
    return extension if extension.exists() else Path(get_app_dir()) / "schemas" / name


def test_a_course_without_lessons_says_what_to_do(
    course: Path, started: list[list[str]], capsys: pytest.CaptureFixture[str]
):
    for lesson in (course / "notebooks").iterdir():
        lesson.unlink()
    assert lab.run(options()) == 1
    assert "There are no lessons in" in capsys.readouterr().err
    assert started == []


def test_kept_files_are_named_with_the_way_to_the_newer_ones():
    said = copy.describe(Changes(renewed=["a", "b"], kept=["exercises/c.ipynb"]), Path("/w"))
    assert said.splitlines() == [
        "Your workspace is /w (2 brought up to date).",
        "A lesson opens without results. Run it cell by cell with Shift+Enter, or whole with",
        "Run > Run All Cells; sliders move once their cell has run.",
        "Newer in the course, but you have worked on your copy, so it stays as it is:",
        "  exercises/c.ipynb",
        "To get the newer one too, rename yours and start again.",
    ]


@pytest.mark.parametrize(
    ("number", "said"),
    [(errno.ENOSPC, "The disk is full."), (errno.EROFS, "This may not be written or read: ")],
)
def test_a_workspace_that_cannot_be_written_is_one_sentence_and_the_option_that_helps(
    number: int,
    said: str,
    course: Path,
    started: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    def refused(path: Path, content: bytes) -> None:
        raise OSError(number, os.strerror(number), str(path))

    monkeypatch.setattr(Path, "write_bytes", refused)
    assert lab.run(options()) == 1
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith(said)
    assert "tutor lab --workspace FOLDER" in second
    assert started == []


def test_settings_that_cannot_be_written_keep_nobody_from_working(
    course: Path,
    started: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    (course / "settings").write_text("a file where a folder should be")
    assert lab.run(options()) == 0
    assert "JupyterLab has not got the course's settings." in capsys.readouterr().err
    assert len(started) == 1


@pytest.mark.parametrize("variable", ["HOME", "JUPYTER_RUNTIME_DIR"])
def test_a_home_that_cannot_be_written_is_told_with_the_variables_that_help(
    variable: str, tmp_path: Path
):
    nowhere = "/dev/null/home"
    ours = {key: value for key, value in os.environ.items() if not key.startswith("JUPYTER_")}
    ours |= {"HOME": str(tmp_path), "PYTHONPATH": str(ROOT), variable: nowhere}
    command = [sys.executable, "-m", "tutor", "lab", "--no-browser"]
    command += ["--workspace", str(tmp_path / "mine")]
    done = subprocess.run(command, capture_output=True, text=True, env=ours)
    assert done.returncode == 1
    assert done.stderr.startswith(f"Jupyter cannot write to {nowhere}")
    assert variable in done.stderr.splitlines()[-1]
    assert (tmp_path / "mine" / "notebooks" / "01_rnn_limits.ipynb").exists()


def test_without_jupyterlab_the_copies_are_there_and_the_cure_is_told(
    course: Path,
    started: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.setattr(lab, "find_spec", lambda name: None)
    assert lab.run(options()) == 1
    assert (course / "workspace" / "notebooks" / "01_rnn_limits.ipynb").exists()
    said = capsys.readouterr().err
    assert said.startswith("JupyterLab is not installed here: ")
    assert "[lab]" in said
    assert started == []


def test_copies_can_be_had_without_jupyterlab(course: Path, tmp_path: Path):
    mine = tmp_path / "mine"
    assert copy.run(argparse.Namespace(folder=mine, language=None)) == 0
    assert (mine / "notebooks" / "02_embeddings.ipynb").exists()


def test_started_in_a_workspace_it_is_that_one(
    course: Path, started: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    mine = tmp_path / "mine"
    lab.run(options(workspace=mine))
    monkeypatch.chdir(mine / "notebooks")
    lab.run(options())
    assert f"--ServerApp.root_dir={mine}" in started[1]
