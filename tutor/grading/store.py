"""The folder of results: written in one step each, resumed where it was left, locked by one run."""

import contextlib
import hashlib
import json
import secrets
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import torch

from tutor.files import UNFINISHED, write_whole
from tutor.grading.components import PACKAGE, components
from tutor.grading.results import GradedNotebook, GradedStudent, student_of, to_data

RUN_FILE = "run.json"
_GRADING = ("checking/*.py", "exercises/**/*.py", "grading/**/*.py")


class BusyError(Exception):
    """Another run writes to the same folder."""


@contextlib.contextmanager
def locked(out: Path) -> Iterator[None]:
    """Keep the folder for this run.

    Raises:
        BusyError: another run has it.
    """
    import fcntl  # not on Windows, where grading refuses before it comes here

    out.mkdir(parents=True, exist_ok=True)
    with open(out / ".lock", "w", encoding="ascii") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BusyError(f"Another `tutor grade` is writing to {out}.") from None
        for unfinished in out.rglob(UNFINISHED):
            unfinished.unlink()
        yield


def json_text(data: Any) -> str:
    r"""Give plain data as JSON, the same text for the same data.

    Example:
        >>> json_text({"b": 1, "a": 2})
        '{\n "a": 2,\n "b": 1\n}\n'
    """
    return json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def write_json(path: Path, data: Any) -> None:
    """Write plain data as JSON."""
    write_whole(path, json_text(data))


def read_json(path: Path) -> Any:
    """Read JSON; None if there is none, or none that can be read."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def seed_of_run(out: Path, asked: int | None) -> int:
    """Give the seed of the cases: the one asked for, that of the run before, or a fresh one."""
    recorded = read_json(out / RUN_FILE)
    before = recorded.get("seed") if isinstance(recorded, dict) else None
    seed = asked if asked is not None else before
    if not isinstance(seed, int):
        seed = secrets.randbelow(2**32)
    write_json(out / RUN_FILE, {"seed": seed})
    return seed


@cache
def version() -> str:
    """Digest everything that results depend on besides submissions and options."""
    files = {path for pattern in _GRADING for path in PACKAGE.glob(pattern)}
    files |= {PACKAGE / f"{name}.py" for name in components()}
    digest = hashlib.sha256(torch.__version__.encode())
    for path in sorted(files):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def key_of(content: bytes, *options: Any) -> str:
    """Digest what a notebook's result depends on."""
    text = json.dumps([version(), *options], sort_keys=True)
    return hashlib.sha256(text.encode() + b"\0" + content).hexdigest()[:32]


def known_notebooks(path: Path) -> dict[tuple[str, str], GradedNotebook]:
    """Read the complete results that a learner's file holds: (file, key) -> result."""
    try:
        student = student_of(read_json(path))
    except (TypeError, KeyError, AttributeError):
        return {}
    complete = (notebook for notebook in student.notebooks if notebook.complete)
    return {(notebook.file, notebook.key): notebook for notebook in complete}


def save(path: Path, student: GradedStudent) -> None:
    """Write a learner's result."""
    write_json(path, to_data(student))
