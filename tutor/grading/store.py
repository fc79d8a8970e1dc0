"""What a run keeps, so that the next one goes on where it was left."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

import torch

from tutor.grading.components import PACKAGE, components
from tutor.grading.results import Graded, GradedNotebook, Late
from tutor.grading.students import Correction, GradedStudent, Other, Who

RUN_FILE = "run.json"
_DASH = "-"
_GRADING = ("checking/*.py", "exercises/**/*.py", "grading/**/*.py")


def json_text(data: Any) -> str:
    r"""Give plain data as JSON, the same text for the same data.

    Example:
        >>> json_text({"b": 1, "a": 2})
        '{\n "a": 2,\n "b": 1\n}\n'
    """
    return json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def read_json(path: Path) -> Any:
    """Read JSON; None if there is none, or none that can be read."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def seed_of_run(path: Path) -> int | None:
    """Give the seed of the cases that a run has kept in a file; None if it has not."""
    kept = read_json(path)
    seed = kept.get("seed") if isinstance(kept, dict) else None
    return seed if isinstance(seed, int) else None


@cache
def version() -> str:
    """Digest everything that results depend on besides submissions and options."""
    files = {path for pattern in _GRADING for path in PACKAGE.glob(pattern)}
    files |= {PACKAGE / f"{name}.py" for name in components()}
    digest = hashlib.sha256(torch.__version__.encode())
    for path in sorted(files):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def digest(content: bytes) -> str:
    """Give a short text that differs where the content does."""
    return hashlib.sha256(content).hexdigest()[:32]


def key_of(content: bytes, around: Any, *options: Any) -> str:
    """Digest what a notebook's result depends on.

    Args:
        content: the notebook's.
        around: what else of the hand-in it depends on.
        options: the run's.
    """
    handed_in = json.dumps(around, sort_keys=True).encode() + b"\0" + content
    graded_by = json.dumps([version(), *options], sort_keys=True).encode()
    return f"{digest(handed_in)}{_DASH}{digest(graded_by)}"


def parts_of(key: str) -> tuple[str, str]:
    """Give of a key the digest of what was handed in, and that of how it is graded.

    Example:
        >>> parts_of("3f-a0")
        ('3f', 'a0')
    """
    handed_in, _, graded_by = key.partition(_DASH)
    return handed_in, graded_by


def known_notebooks(path: Path) -> dict[tuple[str, str], GradedNotebook]:
    """Read the complete results that a learner's file holds: (file, key) -> result."""
    try:
        student = student_of(read_json(path))
    except (TypeError, KeyError, AttributeError):
        return {}
    complete = (notebook for notebook in student.notebooks if notebook.complete)
    return {(notebook.file, notebook.key): notebook for notebook in complete}


def to_data(result: GradedNotebook | GradedStudent) -> dict[str, Any]:
    """Give a result as plain data."""
    return asdict(result)


def notebook_of(data: Mapping[str, Any]) -> GradedNotebook:
    """Read a notebook's result.

    Raises:
        TypeError, KeyError: the data were not written by ``to_data`` of this version.
    """
    whole = GradedNotebook(**data)
    exercises = [Graded(**exercise) for exercise in data["exercises"]]
    late = {lesson: Late(**one) for lesson, one in data["late"].items()}
    return replace(whole, exercises=exercises, late=late)


def student_of(data: Mapping[str, Any]) -> GradedStudent:
    """Read a learner's result; raises as ``notebook_of`` does."""
    notebooks = [notebook_of(notebook) for notebook in data["notebooks"]]
    others = [Other(**other) for other in data["others"]]
    corrections = [Correction(**one) for one in data["corrections"]]
    return GradedStudent(Who(**data["who"]), notebooks, data["notes"], others, corrections)
