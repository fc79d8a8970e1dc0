"""The command from end to end, in processes of its own, also when it is killed."""

import csv
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest

from tests.grading.classroom import (
    EXERCISE_FILE,
    LESSON,
    RIGHT,
    WORTH,
    as_bytes,
    filled,
    insert,
    right_answers,
)
from tests.grading.collecting.platforms import put
from tests.grading.conftest import descendants
from tests.grading.test_run import SharedSandbox, files_of
from tutor.commands import grade
from tutor.commands.cli import main
from tutor.grading.job import Job
from tutor.grading.release import release
from tutor.grading.results import GradedNotebook
from tutor.grading.sandbox import Sandbox
from tutor.learner.language import VARIABLE, Catalogue
from tutor.learner.progress_file import MARKER

ROOT = Path(__file__).resolve().parents[2]
KILLS = int(os.environ.get("TUTOR_KILLS", "1"))  # more in test_store, without processes
STUDENTS = 10


def a_class(folder: Path) -> None:
    for number in range(STUDENTS):
        learner = f"student{number}"
        answers = right_answers(learner) if number % 2 else RIGHT
        notebook = filled(answers, learner)
        if number % 5 == 0:
            notebook = insert(notebook, "print('x' * 100)\nraise ValueError('a cell that fails')")
        path = folder / learner / f"{LESSON}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(as_bytes(notebook))


def words(folder: Path, out: Path) -> list[str]:
    options = ["--seed", "5", "--workers", "1", "--export", "canvas", "--export", "gradescope"]
    return ["grade", str(folder), "--out", str(out), *options]


def command(folder: Path, out: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "tutor", *words(folder, out)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.long
def test_killed_at_any_moment_and_run_again(
    tmp_path: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_class(tmp_path / "class")
    monkeypatch.setattr(grade, "_grader", lambda *_: SharedSandbox(sandbox))
    assert main(words(tmp_path / "class", tmp_path / "whole")) == 0  # never killed
    rng = random.Random(os.environ.get("TUTOR_KILL_SEED", "0"))
    killed = 0
    for _ in range(KILLS):
        killed += _killed_once(tmp_path / "class", tmp_path / "again", rng)
    assert killed
    last = command(tmp_path / "class", tmp_path / "again")
    _kill_its_worker(last)
    said, errors = last.communicate()
    assert last.returncode == 0, errors.decode()
    assert "Next: open" in said.decode()
    assert b"notebook" in errors  # the progress bar
    assert files_of(tmp_path / "again") == files_of(tmp_path / "whole")


def _killed_once(folder: Path, out: Path, rng: random.Random) -> bool:
    """Start a run and kill it once it has written a few more results; say whether it was."""
    results = out / "results"
    enough = len(list(results.glob("*.json"))) + rng.randint(1, 4)
    process = command(folder, out)
    while process.poll() is None and len(list(results.glob("*.json"))) < enough:
        time.sleep(0.002)
    time.sleep(rng.uniform(0, 0.05))
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return process.returncode == -signal.SIGKILL


def _kill_its_worker(run: subprocess.Popen[bytes]) -> None:
    """Kill the worker of a run once its sandbox is there: a copy of the run's own process."""
    while run.poll() is None:
        programs = {process: _program(process) for process in descendants(run.pid)}
        if any(b"zygote" in program for program in programs.values()):
            (worker,) = (one for one in programs if programs[one] == _program(run.pid))
            os.kill(worker, signal.SIGKILL)
            return


def _program(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:  # ended meanwhile
        return b""


def test_refusals(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = str(tmp_path / "out")
    (tmp_path / "class").mkdir()
    folder = str(tmp_path / "class")
    assert main(["grade", folder, "--out", f"{folder}/out"]) == 1
    assert "must not lie inside" in capsys.readouterr().err
    assert main(["grade", folder, "--out", out, "--lesson", "42"]) == 1
    assert "there are" in capsys.readouterr().err
    monkeypatch.setattr(grade, "unavailable", lambda: "bubblewrap is not installed")
    assert main(["grade", folder, "--out", out]) == 1
    said = capsys.readouterr().err
    for words in ("bubblewrap is not installed", "docker run", "--unsafe-no-sandbox"):
        assert words in said


@pytest.mark.parametrize(
    ("told", "asked", "spoken"),
    [("", "", "en"), ("ko", "", "ko"), ("", "ko", "ko"), ("ko", "en", "en")],
)
def test_grading_speaks_english_in_any_workspace_unless_told(
    told: str,
    asked: str,
    spoken: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / MARKER).write_text('{"language": "ko"}')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VARIABLE, told)
    monkeypatch.setattr("tutor.say._catalogue", None)
    sentence = "There is no lesson {lesson} with exercises; there are {known}."
    monkeypatch.setattr(grade, "catalogue", lambda name: Catalogue({("", sentence): name}))
    words = ["--language", asked] if asked else []
    assert main(["grade", ".", "--lesson", "42", *words]) == 1
    assert capsys.readouterr().err == f"tutor grade: {spoken}\n"


def test_a_folder_without_notebooks_is_refused(
    tmp_path: Path, bubblewrap: None, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "class"
    (folder / "ada").mkdir(parents=True)
    arguments = ["grade", str(folder), "--out", str(tmp_path / "out")]
    assert main(arguments) == 1
    assert capsys.readouterr().err.endswith(f"No notebook was found in {folder}.\n")
    (folder / "all.zip").write_bytes(b"PK")
    assert main(arguments) == 1
    assert "all.zip: The archive is damaged" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.fixture(scope="module")
def no_sandbox() -> Iterator[Sandbox]:
    unsafe = Sandbox(safe=False)
    yield unsafe
    unsafe.close()


@pytest.fixture
def in_this_process(no_sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """Grade without a worker process and a sandbox of its own, whose start takes seconds."""
    monkeypatch.setattr(grade, "_grader", lambda *_: SharedSandbox(no_sandbox))


def own_notebooks(folder: Path, **class_seeds: str) -> list[str]:
    """Write notebooks of these learners and class seeds; give the command that grades them."""
    for learner, class_seed in class_seeds.items():
        text = as_bytes(filled(RIGHT, learner)).decode()
        named = f'set_learner(\\"{learner}\\"'
        assert named in text
        path = folder / "class" / learner / f"{LESSON}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(text.replace(named, f'{named}, class_seed=\\"{class_seed}\\"'))
    options = ["--unsafe-no-sandbox", "--workers", "1", "--out", str(folder / "out")]
    return ["grade", str(folder / "class"), *options]


@pytest.mark.long
def test_a_lesson_that_nobody_handed_in_is_no_nought_for_all(
    tmp_path: Path, in_this_process: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*own_notebooks(tmp_path, ada=""), "--lesson", "09"]) == 1
    assert "No notebook is for lesson 09_output_softmax" in capsys.readouterr().err
    assert not (tmp_path / "out" / "grades.csv").exists()


@pytest.mark.long
def test_a_doubtful_class_seed_is_told_with_the_command_to_use(
    tmp_path: Path, in_this_process: None, capsys: pytest.CaptureFixture[str]
) -> None:
    command = own_notebooks(tmp_path, ada="our seed", bob="our seed", carl="other")
    release(EXERCISE_FILE.parent, tmp_path / "handout", "our seed", [LESSON])
    proposed = f"  tutor grade {command[1]} --out {tmp_path / 'out'} --class-seed 'our seed'\n"
    assert main([*command, "--class-seed", "wrong"]) == 0
    said = capsys.readouterr().out
    assert "All notebooks have another class seed: did you give the right one?" in said
    assert proposed in said
    assert main(command) == 0
    said = capsys.readouterr().out
    assert "No class seed was given" in said
    assert proposed in said
    assert main([*command, "--released", str(tmp_path / "handout")]) == 0
    assert "class seed" not in capsys.readouterr().out  # carl alone is told in class.html
    assert main(own_notebooks(tmp_path / "more", ada="")) == 0
    assert "Most have none" in capsys.readouterr().out
    (tmp_path / "none").mkdir()
    assert main([*command, "--released", str(tmp_path / "none")]) == 1
    assert "No seed of a class is kept" in capsys.readouterr().err


@pytest.mark.long
def test_without_a_sandbox_ones_own_notebooks_are_graded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "class" / "me" / f"{LESSON}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_bytes(as_bytes(filled(right_answers("me"), "me")))
    arguments = ["grade", str(tmp_path / "class"), "--out", str(tmp_path / "out")]
    assert main([*arguments, "--unsafe-no-sandbox", "--workers", "1"]) == 0
    captured = capsys.readouterr()
    assert "only for notebooks you would run yourself" in captured.err
    assert f"{sum(WORTH.values())} to {sum(WORTH.values())}" in captured.out


class Failing:
    """Stands for a sandbox that cannot run anything."""

    def results(self, jobs: Iterable[Job]) -> Iterator[GradedNotebook]:
        for job in jobs:
            yield GradedNotebook(job.file, job.key, fault="the disk is full\x1b[2J")


@pytest.mark.parametrize("lesson", [(), ("--lesson", "04")])
def test_nothing_graded_is_no_nought(
    lesson: Sequence[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(grade, "_grader", lambda *_: Failing())
    assert main([*own_notebooks(tmp_path, ada="", bob=""), *lesson]) == 1
    said = capsys.readouterr()
    assert "2 learners could not be graded, through no fault of theirs" in said.err
    assert "The reason: the disk is full\\x1b[2J." in said.err
    assert "Points:" not in said.out
    rows = list(csv.DictReader((tmp_path / "out" / "grades.csv").read_text().splitlines()))
    assert [(row["points"], row[LESSON]) for row in rows] == [("", ""), ("", "")]


def test_nothing_that_learners_wrote_reaches_the_terminal_raw(
    tmp_path: Path, in_this_process: None, capfd: pytest.CaptureFixture[str]
) -> None:
    seed = "\\u001b]0;owned\\u0007\\u202e"
    command = own_notebooks(tmp_path, ada=seed, bob=seed)
    put(tmp_path / "class", "\x1b[31mred/04_self_attention.pdf")
    put(tmp_path / "class", "\x1b[2Jnotes.txt")
    assert main(command) == 0
    said = "".join(capfd.readouterr())
    assert "characters that cannot be seen" in said
    assert "\\x1b[2Jnotes.txt" in said
    assert not set(said) & set("\x1b\x07\u202e")
