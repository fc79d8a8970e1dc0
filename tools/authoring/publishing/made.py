"""What was published from what, so that nothing is published twice."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from ..files import ROOT, shown
from ..refresh import digest

_FOLDERS = ("tutor", "tools", "notebooks", "exercises", "solutions", "docs")
_NO_SOURCES = ("__pycache__", ".ipynb_checkpoints")
_FILE = "published.json"


def is_made(asked: str, folder: Path, root: Path = ROOT) -> bool:
    """Say whether what is asked for was published from today's files, and nobody touched it since.

    Args:
        asked: the options it was published with.
        folder: where it was published.
        root: the course.
    """
    file = folder / _FILE
    if not file.exists():
        return False
    made = json.loads(file.read_text("utf-8"))
    if made["from"] != sources(asked, root):
        return False
    return all(_hash(folder / name) == hashed for name, hashed in made["files"].items())


def remember(made_from: str, folder: Path, files: Iterable[Path]) -> None:
    """Write down what was published, and what `sources` said before it was."""
    hashed = {file.relative_to(folder).as_posix(): _hash(file) for file in files}
    made = {"from": made_from, "files": hashed}
    (folder / _FILE).write_text(json.dumps(made, indent=1), "utf-8")


def sources(asked: str, root: Path = ROOT) -> str:
    """Hash what is asked for and all that it is made from."""
    return digest(asked.encode(), sorted(shown(file) for file in _all_sources(root)))


def _all_sources(root: Path) -> Iterator[Path]:
    yield from (file for file in root.iterdir() if file.is_file())
    for name in _FOLDERS:
        for file in (root / name).rglob("*"):
            if file.is_file() and not set(_NO_SOURCES) & set(file.parts):
                yield file


def _hash(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.exists() else "gone"
