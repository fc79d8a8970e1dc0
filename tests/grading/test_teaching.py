"""TEACHING.md: every command in it is run, and every option of the commands is told of."""

import argparse
import re
import shlex
from pathlib import Path

import pytest

from tests.grading.classroom import LESSON, as_bytes, filled, right_answers
from tests.grading.collecting.platforms import put
from tests.grading.test_run import SharedSandbox
from tutor.commands import grade, release
from tutor.commands.cli import main
from tutor.grading.exports import EXPORTS
from tutor.grading.sandbox import Sandbox

PAGE = (Path(__file__).parents[2] / "TEACHING.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
COMMANDS = [line for block in BLOCKS for line in block.splitlines() if line.startswith("tutor ")]


def test_every_command_is_run(
    tmp_path: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(grade, "_grader", lambda *_: SharedSandbox(sandbox))
    for learner in ("lovelace", "hopper"):
        content = as_bytes(filled(right_answers(learner), learner))
        put(tmp_path, f"submissions/{learner}/{LESSON}.ipynb", content)
        put(tmp_path, f"submitted/{learner}/{LESSON}/{LESSON}.ipynb", content)  # as on a hub
    Path("class.csv").write_text("login,name\nlovelace,Ada Lovelace\nhopper,Grace Hopper\n")
    (table,) = (block for block in BLOCKS if block.startswith("student,"))
    Path("corrections.csv").write_text(table)
    assert len(COMMANDS) >= 4
    for command in COMMANDS:
        assert main(shlex.split(command)[1:]) == 0, command
        shown = Path("results/feedback/lovelace.html")
        said = shown.is_file() and "You explained it at the board." in shown.read_text()
        assert said == ("corrections.csv" in command), command
    told = re.findall(r"^\| `([\w/.]+)` \|", PAGE, re.MULTILINE)
    for name in told:
        assert list(Path("results").glob(name.replace("STUDENT", "lovelace"))), name


def test_every_option_is_told_of_and_there() -> None:
    known: set[str] = set()
    for command in (grade, release):
        parser = argparse.ArgumentParser(add_help=False)
        command.add_arguments(parser)
        known |= {word for action in parser._actions for word in action.option_strings}
    told = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+(?![\w.])", PAGE))
    # Of docker, every command, the doctor, and make site.
    others = {"--security-opt", "--help", "--mend", "--lecturer"}
    assert told - others == known
    assert all(f"`{kind}`" in PAGE or f"--export {kind}" in PAGE for kind in EXPORTS)
