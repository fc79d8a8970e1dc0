"""Make the course's environment: a folder .venv with everything in the versions tested together.

`make setup`, `make lab` and `make test` run this with whatever Python 3 is there. So it uses the
standard library alone and no syntax or type hint younger than Python 3.6: an old Python shall be
told in words that it is too old. What it runs are the three commands that CONTRIBUTING.md gives for
machines without make. A second run that finds nothing changed takes a blink.
"""

import argparse
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST_PYTHON = (3, 11)
NEEDED_GB = 2.0  # .venv with torch's CPU build takes 1.4 GB, and pip unpacks beside it
FULL_GB = 0.1

NO_SPACE = ("No space left on device", "[Errno 28]", "Disk quota exceeded")
NO_NETWORK = (
    "Failed to establish a new connection",
    "Temporary failure in name resolution",
    "Name or service not known",
    "nodename nor servname",
    "getaddrinfo failed",
    "Network is unreachable",
    "Connection refused",
    "Connection reset",
    "ConnectTimeoutError",
    "ReadTimeoutError",
    "ProxyError",
    "CERTIFICATE_VERIFY_FAILED",
    "No matching distribution found for setuptools",  # pip's first wish, which every index has
)


class SetupError(Exception):
    """What stands in the way, in words for whoever runs this."""


def this_python() -> str:
    return f"{sys.version_info[0]}.{sys.version_info[1]}"


def check_python() -> None:
    if sys.version_info[:2] < OLDEST_PYTHON:
        raise SetupError(
            f"The course needs Python 3.11 or newer, but {sys.executable} is {this_python()}.\n"
            "Get a newer one from https://www.python.org/downloads/; or, if you have one under\n"
            "another name, say which:  make lab PYTHON=python3.12"
        )


def check_venv_module() -> None:
    """Debian and Ubuntu ship Python without the parts that make environments."""
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        raise SetupError(
            "This Python cannot make environments: its venv module is not installed.\n"
            f"On Debian and Ubuntu:  sudo apt install python{this_python()}-venv\n"
            "Then run the same command again."
        )


def free_gb(folder: Path) -> float:
    return shutil.disk_usage(str(folder)).free / 1e9


def no_room(folder: Path) -> SetupError:
    return SetupError(
        f"There is not enough room on the disk: {free_gb(folder):.1f} GB are free in\n"
        f"{folder}, and the environment needs about {NEEDED_GB:.0f} GB.\n"
        "Make room, then run the same command again."
    )


class Environment:
    """The folder .venv, and a note in it of what was installed from which requirements."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        self.folder = root / ".venv"
        windows = os.name == "nt"
        self.python = self.folder / ("Scripts/python.exe" if windows else "bin/python")
        self.note_file = self.folder / "course-setup.json"
        self.log = self.folder / "pip.log"

    def key(self) -> str:
        """Name the requirements that the installed packages follow from."""
        files = [self.root / "pyproject.toml", self.root / "constraints.txt"]
        return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()

    def note(self) -> dict:
        try:
            return json.loads(self.note_file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}

    def write_note(self, **note: object) -> None:
        self.note_file.write_text(json.dumps(note, indent=1) + "\n", encoding="utf-8")

    def is_current(self, extras: list, torch_index: str) -> bool:
        note = self.note()
        return (
            self.python.exists()
            and note.get("root") == str(self.root)
            and note.get("key") == self.key()
            and set(extras) <= set(note.get("extras", []))
            and torch_index in ("", note.get("torch_index"))
        )

    def menus(self, language: str) -> list:
        """Name the extra with JupyterLab's menus in a language, if there is one."""
        extra = f"lab-{language}"
        declared = (self.root / "pyproject.toml").read_text(encoding="utf-8").splitlines()
        return [extra] if any(line.startswith(f"{extra} =") for line in declared) else []

    def is_usable(self, torch_index: str) -> bool:
        """Whether packages can be added to it: not cut short, moved, or made for another torch."""
        note = self.note()
        if note and (note.get("root"), note.get("torch_index")) != (str(self.root), torch_index):
            return False
        try:
            trial = [str(self.python), "-c", "import pip"]
            return subprocess.run(trial, capture_output=True).returncode == 0
        except OSError:
            return False

    def make(self) -> None:
        """Make the folder anew, with Python and pip in it."""
        if Path(sys.prefix).resolve() == self.folder.resolve():
            raise SetupError("First leave the old environment: type  deactivate  and try again.")
        print("python3 -m venv .venv", flush=True)
        command = [sys.executable, "-m", "venv", "--clear", str(self.folder)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            said = done.stdout + done.stderr
            raise explain(said, self.root, f"Python could not make .venv:\n{said.strip()}")

    def install(self, extras: list, torch_index: str) -> None:
        """Install the course with pip, which shows its own progress bars."""
        what = f".[{','.join(extras)}]" if extras else "."
        options = ["-c", "constraints.txt", "-e", what]
        if torch_index:
            options = ["--extra-index-url", torch_index, *options]
        shown = " ".join(options).replace(what, f'"{what}"') if extras else " ".join(options)
        print(f"python -m pip install {shown}", flush=True)
        self.log.unlink(missing_ok=True)
        command = [str(self.python), "-m", "pip", "install", "--log", str(self.log), *options]
        variables = dict(os.environ, PIP_DISABLE_PIP_VERSION_CHECK="1")
        if subprocess.call(command, cwd=str(self.root), env=variables):
            said = self.log.read_text(encoding="utf-8", errors="replace")
            raise explain(said, self.root, "pip could not install the course; see above for why.")
        self.log.unlink(missing_ok=True)


def explain(said: str, root: Path, otherwise: str) -> SetupError:
    """Turn what pip or venv said when it failed into one thing to do."""
    if any(sign in said for sign in NO_SPACE) or free_gb(root) < FULL_GB:
        return no_room(root)
    if any(sign in said for sign in NO_NETWORK):
        return SetupError(
            "The package index could not be reached. Is this machine online? Behind a proxy, set\n"
            "HTTPS_PROXY. Then run the same command again; what is already here stays."
        )
    if "No matching distribution found for " in said:
        missing = said.split("No matching distribution found for ")[-1].split()[0]
        return SetupError(
            f"{missing} does not exist for this Python ({this_python()}) on this system. Try the\n"
            "Python that the course is tested with:  make lab PYTHON=python3.11"
        )
    return SetupError(otherwise)


def announce(torch_index: str) -> None:
    print("Setting up the course, once: this takes some minutes.")
    if sys.platform == "linux" and not torch_index:
        print(
            "From PyPI, PyTorch for Linux brings GPU libraries: 2.9 GB to download, 6 on disk.\n"
            "Without an NVIDIA GPU stop this (Ctrl-C) and take the small build, 0.3 GB:\n"
            "  make lab TORCH_INDEX=https://download.pytorch.org/whl/cpu"
        )
    else:
        print("About 0.3 GB to download, 1.5 GB on disk.")


def set_up(environment: Environment, extras: list, torch_index: str) -> bool:
    """Bring the environment up to date; say whether there was anything to do."""
    if environment.is_current(extras, torch_index):
        return False
    # The choice made in the first run holds in later ones.
    torch_index = torch_index or environment.note().get("torch_index", "")
    if environment.is_usable(torch_index):
        extras = sorted({*extras, *environment.note().get("extras", [])})
    else:
        check_venv_module()
        if free_gb(environment.root) < NEEDED_GB:
            raise no_room(environment.root)
        announce(torch_index)
        environment.make()
    note = {"root": str(environment.root), "torch_index": torch_index}
    environment.write_note(**note)  # no key yet: a run cut short here is taken up again
    environment.install(extras, torch_index)
    environment.write_note(key=environment.key(), extras=extras, **note)
    # Writes JupyterLab's settings for the course. What it finds besides is told, and stops nothing.
    subprocess.call([str(environment.python), "-m", "tutor", "doctor", "--mend"])
    return True


def set_up_in(environment: Environment, language: str, extras: list, torch_index: str) -> bool:
    """Bring the environment up to date, with menus in a language where they can be had."""
    wanted = extras + environment.menus(language)
    if not environment.is_current(extras, torch_index):
        return set_up(environment, wanted, torch_index)
    before = environment.note()
    try:
        return set_up(environment, wanted, torch_index)
    except SetupError as error:
        environment.write_note(**before)
        print(f"\n{error}\nUntil then JupyterLab's menus stay English.", flush=True)
        return False


def main() -> int:
    parser = argparse.ArgumentParser(description="Make the course's environment, .venv.")
    parser.add_argument("--dev", action="store_true", help="add what tests and authors need")
    parser.add_argument("--language", default="", help="add JupyterLab's menus in it, such as ko")
    parser.add_argument("--quiet", action="store_true", help="say nothing if nothing is to do")
    options = parser.parse_args()
    try:
        check_python()
        extras = ["lab", "dev"] if options.dev else ["lab"]
        torch_index = os.environ.get("TORCH_INDEX", "")
        changed = set_up_in(Environment(), options.language, extras, torch_index)
    except SetupError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"\n{explain(str(error), ROOT, f'The set-up failed: {error}')}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. Run the same command again to go on.", file=sys.stderr)
        return 130
    if not options.quiet:
        print(f"The environment {'is ready' if changed else 'was ready already'}. Next: make lab")
    return 0


if __name__ == "__main__":
    sys.exit(main())
