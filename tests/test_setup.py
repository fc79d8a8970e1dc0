"""The first thing a learner runs: quick when nothing is to do, and plain words when it fails."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "tools" / "setup.py"


@pytest.fixture
def setup(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """tools/setup.py as a module, with room enough on the disk and no doctor at the end."""
    spec = spec_from_file_location("course_setup", SOURCE)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "free_gb", lambda folder: 50.0)
    monkeypatch.setattr(module.subprocess, "call", lambda *args, **named: 0)
    return module


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The folder of a course as far as the set-up looks at it."""
    (tmp_path / "pyproject.toml").write_text("[project]")
    (tmp_path / "constraints.txt").write_text("torch==2.13.0")
    return tmp_path


def stand_in(setup: ModuleType, root: Path) -> Any:
    """An environment that notes what it is told to do, and has a Python in which pip is found."""

    class StandIn(setup.Environment):  # type: ignore[name-defined,misc]
        done: list[str]

        def make(self) -> None:
            self.done.append("make")
            self.python.parent.mkdir(parents=True, exist_ok=True)
            self.python.write_text("#!/bin/sh\nexit 0\n")
            self.python.chmod(0o755)

        def install(self, extras: list[str], torch_index: str) -> None:
            self.done.append(" ".join(["install", *extras, torch_index]).strip())

    environment = StandIn(root)
    environment.done = []
    return environment


def test_the_first_run_makes_and_installs_and_the_second_does_nothing(
    setup: ModuleType, root: Path
):
    environment = stand_in(setup, root)
    assert setup.set_up(environment, [], "")
    assert environment.done == ["make", "install"]
    assert not setup.set_up(environment, [], "")
    assert environment.done == ["make", "install"]


@pytest.mark.parametrize("file", ["pyproject.toml", "constraints.txt"])
def test_other_requirements_are_installed_into_the_same_environment(
    file: str, setup: ModuleType, root: Path
):
    environment = stand_in(setup, root)
    setup.set_up(environment, [], "")
    (root / file).write_text("something else")
    assert setup.set_up(environment, [], "")
    assert environment.done == ["make", "install", "install"]


def test_what_tests_need_is_added_once_and_then_serves_learners_too(setup: ModuleType, root: Path):
    environment = stand_in(setup, root)
    setup.set_up(environment, [], "")
    setup.set_up(environment, ["dev"], "")
    assert environment.done == ["make", "install", "install dev"]
    assert not setup.set_up(environment, [], "")
    assert not setup.set_up(environment, ["dev"], "")


@pytest.fixture
def korean(root: Path) -> Path:
    (root / "pyproject.toml").write_text('[project]\nlab-ko = ["pack"]\n')
    return root


def test_menus_in_a_language_are_installed_with_the_rest_and_stay(setup: ModuleType, korean: Path):
    environment = stand_in(setup, korean)
    assert setup.set_up_in(environment, "ko", ["lab"], "")
    assert environment.done == ["make", "install lab lab-ko"]
    assert not setup.set_up_in(environment, "", ["lab"], "")
    assert not setup.set_up_in(environment, "ko", ["lab"], "")
    setup.set_up_in(environment, "", ["lab", "dev"], "")
    assert environment.done[2:] == ["install dev lab lab-ko"]
    assert not setup.set_up_in(environment, "ko", ["lab"], "")


@pytest.mark.parametrize("language", ["", "en", "xx", "."])
def test_a_language_without_menus_of_its_own_installs_nothing_more(
    language: str, setup: ModuleType, korean: Path
):
    environment = stand_in(setup, korean)
    setup.set_up_in(environment, language, ["lab"], "")
    assert environment.done == ["make", "install lab"]


def test_menus_that_cannot_be_had_keep_nobody_from_working(
    setup: ModuleType, korean: Path, capsys: pytest.CaptureFixture[str]
):
    environment = stand_in(setup, korean)
    setup.set_up_in(environment, "", ["lab"], "")
    before = environment.note()

    def offline(extras: list[str], torch_index: str) -> None:
        raise setup.SetupError("The package index could not be reached.")

    environment.install = offline
    assert not setup.set_up_in(environment, "ko", ["lab"], "")
    assert "could not be reached" in (said := capsys.readouterr().out)
    assert "menus stay English" in said
    assert environment.note() == before  # so `make lab` starts at once, as before


def test_make_lab_passes_its_language_on():
    assert "tools/setup.py --quiet --language ko\n" in make("-n", "lab", "LANGUAGE=ko").stdout
    assert "--language" not in make("-n", "lab").stdout


def test_a_run_cut_short_is_taken_up_again(setup: ModuleType, root: Path):
    environment = stand_in(setup, root)

    def interrupted(extras: list[str], torch_index: str) -> None:
        raise KeyboardInterrupt

    install, environment.install = environment.install, interrupted
    with pytest.raises(KeyboardInterrupt):
        setup.set_up(environment, [], "https://wheels/cpu")
    environment.install = install
    setup.set_up(environment, [], "")  # the choice of wheels is remembered from the first try
    assert environment.done == ["make", "install https://wheels/cpu"]


def test_a_folder_without_a_working_python_is_made_again(setup: ModuleType, root: Path):
    environment = stand_in(setup, root)
    setup.set_up(environment, [], "")
    environment.python.unlink()  # as when the Python it was made from was uninstalled
    setup.set_up(environment, [], "")
    environment.write_note()  # as when pip was stopped
    environment.python.write_text("#!/bin/sh\nexit 1\n")
    setup.set_up(environment, [], "")
    assert environment.done == ["make", "install"] * 3


def test_a_course_that_was_moved_gets_a_new_environment(setup: ModuleType, root: Path):
    (root / "here").mkdir()
    for name in ("pyproject.toml", "constraints.txt"):
        shutil.copy(root / name, root / "here")
    setup.set_up(stand_in(setup, root / "here"), [], "")
    moved = stand_in(setup, (root / "here").rename(root / "there"))
    assert setup.set_up(moved, [], "")
    assert moved.done == ["make", "install"]


def test_another_source_of_torch_makes_a_new_environment_and_holds(setup: ModuleType, root: Path):
    environment = stand_in(setup, root)
    setup.set_up(environment, [], "")
    setup.set_up(environment, [], "https://wheels/cpu")
    assert environment.done == ["make", "install", "make", "install https://wheels/cpu"]
    assert not setup.set_up(environment, [], "")
    (root / "constraints.txt").write_text("torch==2.14.0")
    setup.set_up(environment, [], "")
    assert environment.done[4:] == ["install https://wheels/cpu"]


def test_the_size_of_the_download_is_said_before_it_starts(
    setup: ModuleType,
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.setattr(setup.sys, "platform", "linux")
    setup.announce("")
    assert "2.9 GB to download" in (said := capsys.readouterr().out)
    assert "TORCH_INDEX=" in said
    setup.announce("https://wheels/cpu")
    assert "0.3 GB to download" in capsys.readouterr().out


# What stands in the way, in words.


def failure(setup: ModuleType, root: Path) -> str:
    with pytest.raises(setup.SetupError) as caught:
        setup.set_up(stand_in(setup, root), [], "")
    return str(caught.value)


def test_python_too_old(setup: ModuleType, monkeypatch: pytest.MonkeyPatch):
    setup.check_python()
    monkeypatch.setattr(setup.sys, "version_info", (3, 9, 18))
    with pytest.raises(setup.SetupError, match=r"needs Python 3\.11 or newer, but .* is 3\.9"):
        setup.check_python()


def test_an_old_python_can_read_the_script_at_all():
    tree = ast.parse(SOURCE.read_text(encoding="utf-8"), feature_version=(3, 6))
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            hints = [argument.annotation for argument in function.args.args] + [function.returns]
            written = [ast.unparse(hint) for hint in hints if hint is not None]
            assert not any("[" in hint or "|" in hint for hint in written), function.name


@pytest.mark.parametrize("absent", ["venv", "ensurepip"])
def test_no_venv_module(
    absent: str, setup: ModuleType, root: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(setup.importlib.util, "find_spec", lambda name: name != absent or None)
    said = failure(setup, root)
    assert "venv module is not installed" in said
    assert "sudo apt install python3." in said


def test_too_little_room_is_noticed_before_anything_is_made(
    setup: ModuleType, root: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(setup, "free_gb", lambda folder: 1.2)
    assert "not enough room on the disk: 1.2 GB are free" in failure(setup, root)
    assert not (root / ".venv").exists()


# Lines as pip wrote them when the fault was real.
FAULTS = {
    "not enough room on the disk": (
        "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device"
    ),
    "Is this machine online?": (
        "WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) "
        "after connection broken by 'NewConnectionError('<pip._vendor.urllib3.connection."
        "HTTPSConnection object at 0x7f2a>: Failed to establish a new connection: [Errno -3] "
        "Temporary failure in name resolution')': /simple/setuptools/\n"
        "ERROR: No matching distribution found for setuptools>=77"
    ),
    "torch==2.13.0 does not exist for this Python": (
        "ERROR: Could not find a version that satisfies the requirement torch==2.13.0 "
        "(from versions: none)\nERROR: No matching distribution found for torch==2.13.0"
    ),
    "see above for why": "ERROR: Failed building wheel for something",
}


@pytest.mark.parametrize("sentence", FAULTS)
def test_what_pip_said_becomes_one_thing_to_do(
    sentence: str, setup: ModuleType, root: Path, monkeypatch: pytest.MonkeyPatch
):
    """A stand-in for pip writes its log and fails, as pip does."""

    def pip(command: list[str], **named: object) -> int:
        Path(command[command.index("--log") + 1]).write_text(FAULTS[sentence])
        return 1

    monkeypatch.setattr(setup.subprocess, "call", pip)
    environment = setup.Environment(root)
    environment.folder.mkdir()
    with pytest.raises(setup.SetupError, match=re.escape(sentence)):
        environment.install([], "")


def test_a_disk_that_filled_up_is_told_whatever_pip_said(
    setup: ModuleType, root: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(setup, "free_gb", lambda folder: 0.01)
    assert "not enough room" in str(setup.explain("Segmentation fault", root, "pip failed"))


def test_inside_its_own_environment_it_does_not_saw_off_the_branch(
    setup: ModuleType, root: Path, monkeypatch: pytest.MonkeyPatch
):
    environment = setup.Environment(root)
    monkeypatch.setattr(setup.sys, "prefix", str(environment.folder))
    with pytest.raises(setup.SetupError, match="deactivate"):
        environment.make()


def copy_of_the_script(root: Path) -> list[str]:
    (root / "tools").mkdir()
    shutil.copy(SOURCE, root / "tools")
    return [sys.executable, str(root / "tools" / "setup.py")]


@pytest.mark.long
def test_without_a_network_the_real_pip_gives_the_sentence_and_nothing_counts_as_done(root: Path):
    name = '[project]\nname = "course"\nversion = "1"\n'
    (root / "pyproject.toml").write_text(name + '[build-system]\nrequires = ["setuptools"]\n')
    offline = {
        **os.environ,
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_FIND_LINKS": "",
        "PIP_INDEX_URL": "http://127.0.0.1:9/simple",  # nothing listens there
        "PIP_RETRIES": "0",
        "PIP_NO_CACHE_DIR": "1",
    }
    script = copy_of_the_script(root)
    done = subprocess.run(script, capture_output=True, text=True, env=offline)
    assert done.returncode == 1
    assert "The package index could not be reached. Is this machine online?" in done.stderr
    assert "Traceback" not in done.stderr
    assert "key" not in json.loads((root / ".venv" / "course-setup.json").read_text())


def test_a_folder_that_cannot_be_written_gives_a_sentence(root: Path):
    (root / ".venv").write_text("a file where the folder should be")
    done = subprocess.run(copy_of_the_script(root), capture_output=True, text=True)
    assert done.returncode == 1
    assert "Python could not make .venv" in done.stderr
    assert "Traceback" not in done.stderr


def make(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run make as a person would, although `make test` may be running this."""
    inherited = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES")
    variables = {name: value for name, value in os.environ.items() if name not in inherited}
    return subprocess.run(
        ["make", *arguments], capture_output=True, text=True, cwd=ROOT, env=variables
    )


def test_make_alone_lists_every_target():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    listed = [line.split()[1] for line in make().stdout.splitlines()]
    targets = re.findall(r"^([a-z]+):", makefile, flags=re.MULTILINE)
    assert listed == targets
    (phony,) = re.findall(r"^\.PHONY: (.*)$", makefile, flags=re.MULTILINE)
    assert phony.split() == targets


def test_make_without_any_python_says_what_to_get():
    done = make("lab", "PYTHON=python-that-is-not-there")
    assert done.returncode != 0
    assert "needs Python 3.11 or newer, and there is no python-that-is-not-there" in done.stdout


@pytest.mark.long
def test_the_commands_for_those_without_make_are_the_ones_it_runs(
    setup: ModuleType, root: Path, capsys: pytest.CaptureFixture[str]
):
    environment = setup.Environment(root)
    environment.make()
    environment.install(["lab"], "")
    made, installed = capsys.readouterr().out.splitlines()
    documented = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert f"\n{made}\n" in documented
    assert f".venv/bin/{installed}\n" in documented
    assert f".venv\\Scripts\\{installed}\n" in documented
