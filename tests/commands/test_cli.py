import argparse
import errno
import os
import re
import shlex
import subprocess
import sys
import types
from importlib import import_module
from pathlib import Path

import pytest

from tests.tiers import first_quick
from tutor.commands import cli
from tutor.learner.progress_file import MARKER


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """A command `greet NAME` of its own, so that the real ones need not run."""
    module = types.ModuleType("tutor.commands.greet")
    module.add_arguments = lambda parser: parser.add_argument("name")
    module.run = lambda arguments: print(f"Hello {arguments.name}") or 3
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(cli, "COMMANDS", cli.COMMANDS | {"greet": "say hello"})
    return module


def test_a_command_gets_its_arguments_and_gives_the_exit_code(
    command: types.ModuleType, capsys: pytest.CaptureFixture[str]
):
    assert cli.main(["greet", "Ada"]) == 3
    assert capsys.readouterr().out == "Hello Ada\n"


def test_an_option_nobody_knows_is_refused(
    command: types.ModuleType, capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(SystemExit) as stopped:
        cli.main(["greet", "Ada", "--loud"])
    assert stopped.value.code == 2
    assert "unrecognised: --loud" in capsys.readouterr().err


def test_a_command_may_take_options_it_does_not_know(
    command: types.ModuleType, monkeypatch: pytest.MonkeyPatch
):
    seen: list[list[str]] = []
    monkeypatch.setattr(command, "add_arguments", lambda parser: parser.set_defaults(rest=[]))
    monkeypatch.setattr(command, "run", lambda arguments: seen.append(arguments.rest) or 0)
    assert cli.main(["greet", "--no-browser", "--port", "8899"]) == 0
    assert seen == [["--no-browser", "--port", "8899"]]


def test_no_command_shows_them_all(capsys: pytest.CaptureFixture[str]):
    assert cli.main([]) == 2
    said = capsys.readouterr().out
    for name, summary in cli.COMMANDS.items():
        assert name in said
        assert summary in said


def test_ctrl_c_ends_with_a_word_and_no_traceback(
    command: types.ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    def interrupted(arguments: argparse.Namespace) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "run", interrupted)
    assert cli.main(["greet", "Ada"]) == 130
    assert capsys.readouterr().err == "\nStopped.\n"


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_has_a_module_with_the_two_functions(name: str):
    module = import_module(f"tutor.commands.{name}")
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)
    assert callable(module.run)


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_option_is_explained_in_a_sentence(name: str):
    parser = argparse.ArgumentParser(add_help=False)
    import_module(f"tutor.commands.{name}").add_arguments(parser)
    for action in parser._actions:
        assert re.fullmatch(r"[A-Z].+ .+\.", action.help or ""), action


def test_only_the_module_of_the_chosen_command_is_loaded():
    modules = ", ".join(f"'tutor.commands.{name}'" for name in cli.COMMANDS)
    program = (
        "import sys\nfrom tutor.commands import cli\n"
        "try: cli.main(['progress', '--help'])\nexcept SystemExit: pass\n"
        f"print(*(name for name in ({modules}) if name in sys.modules), 'torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "tutor.commands.progress False"


@pytest.mark.parametrize("arguments", first_quick([[], ["--help"], ["progress"]], 2))
def test_a_reader_who_has_seen_enough_ends_it_without_a_traceback(arguments: list[str]):
    """As in `tutor progress | head -1`: the pipe is closed before all is written."""
    reader, writer = os.pipe()
    os.close(reader)
    buffered = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    command = [sys.executable, "-m", "tutor", *arguments]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, env=buffered)
    os.close(writer)
    assert done.stderr == ""
    assert done.returncode == 141


def test_python_dash_m_tutor_is_the_same():
    done = subprocess.run([sys.executable, "-m", "tutor"], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stdout.startswith("usage: tutor ")


def test_what_the_system_refuses_is_one_sentence(
    command: types.ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    def full(arguments: argparse.Namespace) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(command, "run", full)
    monkeypatch.setattr(cli, "_leave_unsaid", lambda: None)
    assert cli.main(["greet", "Ada"]) == 1
    assert capsys.readouterr().err == "tutor greet: The disk is full.\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has such a device")
@pytest.mark.parametrize("arguments", first_quick([["--help"], ["progress"]]))
def test_a_full_disk_behind_the_output_is_one_sentence(arguments: list[str]):
    command = [sys.executable, "-m", "tutor", *arguments]
    buffered = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, env=buffered)
    assert done.stderr == f"tutor {arguments[0]}: The disk is full.\n"
    assert done.returncode == 1


@pytest.mark.long
def test_without_any_output_to_write_to_it_still_works():
    command = f"{shlex.quote(sys.executable)} -m tutor progress >&- 2>&-"
    assert subprocess.run(["sh", "-c", command]).returncode == 0


@pytest.mark.parametrize("encoding", ["ascii", "cp949", "cp1252", "euc-kr"])
@pytest.mark.long
def test_an_old_code_page_is_no_error(encoding: str, tmp_path: Path):
    """Redirected, output has the system's encoding, which may lack circles and Hangul."""
    workspace = tmp_path / "수업"
    workspace.mkdir()
    (workspace / MARKER).touch()
    (workspace / "progress.json").write_text('{"layer_norm": 2, "feed_forward": 1}')
    old = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "LC_ALL": "C"}
    program = (
        "import sys\nfrom tutor.commands.cli import main\n"
        "for workspace in sys.argv[1:]: assert main(['progress', f'--workspace={workspace}']) == 0"
    )
    command = [sys.executable, "-c", program, str(workspace), str(tmp_path)]  # and an empty one
    done = subprocess.run(command, capture_output=True, env=old)
    assert done.stderr == b""
    right, half, not_yet = "●◐○" if encoding in ("cp949", "euc-kr") else "x/-"
    said = done.stdout.decode(encoding)
    assert f"  {right} layer_norm" in said
    assert f"  {half} feed_forward" in said
    assert f"  {not_yet} causal_mask" in said
    assert f"{right} right  {half} half points  {not_yet} not yet" in said
    assert done.returncode == 0
