"""Two notebooks keep their work in one folder at once, or one is killed: nothing is lost."""

import subprocess
import sys
from pathlib import Path

import filelock
import pytest

from tutor.learner import one_at_a_time as turns
from tutor.learner import progress_file
from tutor.learner.one_at_a_time import BusyError, one_at_a_time

ENTRIES = 60

POINTS = """
from tutor.learner.progress_file import save
for number in range({entries}):
    assert save(f"{who}-{{number}}", 1.0) == ""
"""
SECTIONS = """
from pathlib import Path
from tutor.learner.one_at_a_time import one_at_a_time
from tutor.learner.own_answers import read_file, write_file
from tutor.learner.own_file import Section
for number in range({entries}):
    with one_at_a_time(Path()):
        file = read_file(Path("my_transformer.py"))
        section = Section.of(f"{who}_{{number}}", 1, f"def {who}_{{number}}(): ...")
        write_file(Path("my_transformer.py"), file.with_section(section, []))
"""
HOLDS = """
import time
from pathlib import Path
from tutor.learner.one_at_a_time import one_at_a_time
with one_at_a_time(Path()):
    print("holding", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".tutor-workspace").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def started(program: str, folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program], cwd=folder, stdout=subprocess.PIPE, text=True
    )


def both(program: str, folder: Path) -> None:
    running = [started(program.format(entries=ENTRIES, who=who), folder) for who in "ab"]
    assert [one.wait(timeout=300) for one in running] == [0, 0]


def test_points_of_two_notebooks_all_stay(workspace: Path):
    both(POINTS, workspace)
    assert len(progress_file.load()) == 2 * ENTRIES


@pytest.mark.long
def test_answers_of_two_notebooks_all_stay(workspace: Path):
    both(SECTIONS, workspace)
    text = (workspace / "my_transformer.py").read_text(encoding="utf-8")
    assert text.count("# ── ") == 2 * ENTRIES


def test_whoever_waits_too_long_is_told(workspace: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(turns, "PATIENCE", 0.1)
    with one_at_a_time(workspace):
        assert progress_file.save("layer_norm", 2.0) == (
            "Not saved: Another notebook is writing there; try again."
        )
        with pytest.raises(BusyError), one_at_a_time(workspace):
            pass
    assert progress_file.save("layer_norm", 2.0) == ""


def test_a_killed_kernel_holds_nobody_up(workspace: Path):
    killed = started(HOLDS, workspace)
    assert killed.stdout is not None
    assert killed.stdout.readline() == "holding\n"
    killed.kill()
    killed.wait(timeout=60)
    assert progress_file.save("layer_norm", 2.0) == ""


def test_a_disk_without_locks_is_written_all_the_same(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
):
    def unknown(*_: object, **__: object) -> None:
        raise NotImplementedError("no locks here")

    monkeypatch.setattr(filelock.FileLock, "acquire", unknown)
    assert progress_file.save("layer_norm", 2.0) == ""


def test_fewer_points_do_not_replace_more(workspace: Path):
    """Another notebook may have saved more between reading and writing."""
    assert progress_file.save("layer_norm", 2.0) == ""
    assert progress_file._add(progress_file.FILE, {"layer_norm": 1.0}, None) == ""
    assert progress_file.load() == {"layer_norm": 2.0}
