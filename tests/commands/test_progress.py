import argparse
from pathlib import Path

import pytest

from tests.commands.damaged import NO_JSON, NO_MAPPINGS, by_content
from tutor.commands import progress
from tutor.exercises import lessons
from tutor.learner import workspace as workspaces
from tutor.learner.progress_file import MARKER, save


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / MARKER).write_text("{}")
    return tmp_path


def test_progress_is_read_from_the_workspace_it_is_started_in(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    save("additive_attention", 3.0, workspace)
    (workspace / "exercises").mkdir()
    monkeypatch.chdir(workspace / "exercises")
    assert progress.run(argparse.Namespace(workspace=None)) == 0
    said = capsys.readouterr().out
    assert "● additive_attention" in said
    assert "○ project_by_hand" in said
    assert "Nothing solved yet" not in said


def test_elsewhere_it_is_the_courses_own_or_the_named_one(
    workspace: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    monkeypatch.setattr(workspaces, "course_folder", lambda: Path("/no/course"))
    progress.run(argparse.Namespace(workspace=None))
    assert "Nothing solved yet in /no/course/workspace" in capsys.readouterr().out
    save("additive_attention", 1.5, workspace)
    progress.run(argparse.Namespace(workspace=workspace))
    said = capsys.readouterr().out
    assert "◐ additive_attention" in said
    possible = sum(exercise.points for lesson in lessons().values() for exercise in lesson)
    assert f"In all 1.5 of {possible} points. ● right  ◐ half points  ○ not yet" in said


@pytest.mark.parametrize("content", [*NO_JSON, *NO_MAPPINGS], ids=by_content)
def test_a_damaged_record_is_told(
    content: bytes, workspace: Path, capsys: pytest.CaptureFixture[str]
):
    (workspace / "progress.json").write_bytes(content)
    assert progress.run(argparse.Namespace(workspace=workspace)) == 1
    said = capsys.readouterr()
    assert "○ project_by_hand" in said.out
    assert f"{workspace / 'progress.json'} is damaged" in said.err
    assert "Nothing solved yet" not in said.out


def test_started_in_a_folder_that_is_gone(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    gone = workspace / "exercises"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    monkeypatch.setattr(workspaces, "course_folder", lambda: Path("/no/course"))
    assert progress.run(argparse.Namespace(workspace=None)) == 0
    assert "Nothing solved yet in /no/course/workspace." in capsys.readouterr().out
