"""Every option of every command with odd values: a sentence, never a traceback."""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from itertools import dropwhile
from pathlib import Path

import pytest

from tutor.commands import cli, options

ROOT = Path(__file__).parents[2]

# What people type, and what programs write, where a command expects something else.
ODD = [
    "", " ", "0", "-1", "1.5", "nan", "inf", "-inf", "1e400", "9" * 40, "9" * 5000, "0x10", "١٢",
    "none", "ten", "04=", "=", "2026-13-40", "tcp://127.0.0.1:notaport", "tcp://", "://", "a,b",
    "nowhere", "nowhere/deeper", "file", "file/deeper", "folder", "link-to-file", "link-to-folder",
    "link-to-nothing", "circle", "circle/deeper", "binary", "empty.zip", "x" * 300, "~", "..",
    "two\nlines", "tab\there", "\udcff", "'; ls", "--", "-", "{braces}", "%s", "수업",
]  # fmt: skip

# What each command needs before an option of its can be tried, quick where it is right.
WORDS = {
    "lab": [],
    "copy": [],
    "solutions": ["04"],
    "progress": [],
    "mine": ["--workspace=work"],
    "train": ["cmudict"],
    "doctor": [],
    "release": ["handout"],
    "grade": ["empty", "--out", "results"],
}

# Runs many command lines in one process, which loads torch once, without what takes long.
PROGRAM = """
import functools, json, sys, traceback
from pathlib import Path
from tutor.commands import cli, doctor, grade, lab, train
from tutor.models import speaker_from_parts
lab.start_jupyterlab = lambda *_: None
lab.settings_file = lambda: Path("settings") / "course.json"
doctor.run = lambda arguments: 0
grade.CourseCells.of = staticmethod(functools.cache(grade.CourseCells.of))
train.train_and_test = lambda *_: sys.exit(0)
speaker_from_parts.same_numbers = lambda *_: "what a prompt is read for"
for line in map(json.loads, sys.stdin):
    print(f">>> {json.dumps(line)}", flush=True)
    print(f">>> {json.dumps(line)}", file=sys.stderr, flush=True)
    try:
        code = cli.main(line)
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
        code = "traceback"
    print(f"<<< {json.dumps(code)}", file=sys.stderr, flush=True)
"""


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with what odd paths lead to; the one above it, "..", is this test's own as well."""
    here = tmp_path / "here"
    for folder in ("folder", "empty", "work"):
        (here / folder).mkdir(parents=True)
    (here / "file").write_text("hello")
    (here / "binary").write_bytes(bytes(range(256)) * 4)
    (here / "empty.zip").write_bytes(b"")
    (here / "work" / ".tutor-workspace").touch()
    for name, target in {
        "link-to-file": "file",
        "link-to-folder": "folder",
        "link-to-nothing": "gone",
        "circle": "circle",
    }.items():
        (here / name).symlink_to(target)
    return here


def lines_of(command: str) -> Iterator[list[str]]:
    """Every option and argument of a command with every odd value, one at a time."""
    parser = argparse.ArgumentParser(add_help=False)
    import_module(f"tutor.commands.{command}").add_arguments(parser)
    needed = WORDS[command]
    for action in parser._actions:
        if action.nargs == 0:
            continue
        for odd in ODD:
            if action.option_strings:
                yield [command, *needed, f"{action.option_strings[0]}={odd}"]
            else:
                yield [command, odd, *options_in(needed)]
    yield [command, "--unknown"]
    yield [command, *needed, "too", "many"]


def options_in(words: list[str]) -> list[str]:
    return [*dropwhile(lambda word: not word.startswith("--"), words)]


def test_every_command_is_tried():
    assert {*WORDS} == {*cli.COMMANDS}


@pytest.mark.long
@pytest.mark.parametrize("command", WORDS)
def test_no_odd_value_gives_a_traceback(command: str, here: Path):
    lines = [*lines_of(command)]
    own = {"PATH": os.environ["PATH"], "HOME": str(here), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input="".join(f"{json.dumps(line)}\n" for line in lines),
        cwd=here,
        env=own,
        capture_output=True,
        text=True,
        errors="backslashreplace",
    )
    assert done.returncode == 0, done.stderr[-2000:]
    told = done.stderr.split(">>> ")[1:]
    assert len(told) == len(lines)
    wrong = [one for one in told if is_wrong(one)]
    assert not wrong, "\n".join(wrong)


def is_wrong(told: str) -> bool:
    """Whether a command showed a traceback, Python's own words, or failed without a word."""
    said, _, code = told.partition("\n")[2].rpartition("<<< ")
    foreign = ("Traceback", "[Errno", "codec can't", "Error:", "invalid literal")
    return (
        code.strip() not in ("0", "1", "2", "null")
        or any(word in said for word in foreign)
        or (code.strip() in ("1", "2") and not said.strip())
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (["train", "cmudict", "--every", "0"], "0 is not a whole number from 1 to "),
        (["train", "cmudict", "--threads", "0"], "0 is not a whole number from 1 to 1024"),
        (["train", "cmudict", "--steps", "0"], "0 is not a whole number from 1 to "),
        (["train", "cmudict", "--seed", "9" * 20], "is not a whole number from 0 to 4294967295"),
        (["train", "cmudict", "--out", "file"], "file is no folder"),
        (["grade", "folder", "--out", "file"], "file is no folder"),
        (["grade", "folder", "--out", "file/deeper"], "file is no folder"),
        (["grade", "nowhere", "--out", "x"], "there is no folder or file nowhere"),
        (["grade", "circle", "--out", "x"], "circle"),
        (["grade", "folder", "--out", "x", "--workers", "1000000"], "from 1 to 256"),
        (["grade", "folder", "--out", "x", "--grace", "nan"], "nan is not a number from 0 to "),
        (
            ["grade", "folder", "--out", "x", "--scheduler", "tcp://127.0.0.1:notaport"],
            "tcp://127.0.0.1:notaport is no address such as tcp://10.0.0.1:8786",
        ),
        (["solutions", "04", "--workspace", "nowhere"], "there is no folder nowhere"),
        (["progress", "--workspace", "nowhere"], "there is no folder nowhere"),
    ],
)
def test_what_an_option_does_not_take_is_a_sentence_and_exit_2(
    line: list[str],
    said: str,
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(here)
    with pytest.raises(SystemExit, match="2"):
        cli.main(line)
    usage, _, sentence = capsys.readouterr().err.partition(f"tutor {line[0]}: error: argument ")
    assert usage.startswith("usage: ")
    assert said in sentence
    assert sentence.count("\n") == 1


def test_a_link_to_a_folder_is_followed(here: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(here)
    assert options.something_there("link-to-folder") == here / "folder"


@pytest.mark.parametrize("asked", ["99", "", "4.5"])
def test_a_lesson_that_is_not_there_is_told_with_those_that_are(
    asked: str, here: Path, capsys: pytest.CaptureFixture[str]
):
    assert cli.main(["solutions", asked, "--workspace", str(here)]) == 1
    said = capsys.readouterr().err
    assert said == f"There is no lesson {asked}; there are 01, 02, 03, 04, 05, 06, 07, 08, 09.\n"


def test_without_copies_worked_answers_are_not_opened_in_the_course_itself(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    from tutor.commands import solutions

    monkeypatch.setattr(solutions, "usual_workspace", lambda: here / "not-yet")
    assert cli.main(["solutions", "04"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.endswith("Make them with: tutor copy\n")
