"""One sandbox for all tests of grading: starting one costs seconds, a notebook milliseconds."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.grading.classroom import as_bytes
from tests.needs import missing
from tutor.grading.job import Job
from tutor.grading.judge import grade
from tutor.grading.limits import Limits
from tutor.grading.results import Graded, GradedNotebook
from tutor.grading.sandbox import Sandbox, unavailable

# Hostile notebooks use their time up: here they get little, but enough on a busy machine.
SHORT = Limits(call=1, cell=1, notebook=12, sleep=1.0, memory=1 << 29)

Grade = Callable[..., GradedNotebook]


def pytest_itemcollected(item: pytest.Item) -> None:
    """Keep these tests in one process where several run the tests: they share the sandbox."""
    item.add_marker(pytest.mark.xdist_group("grading"))


@pytest.fixture(scope="session")
def bubblewrap() -> None:
    """A bubblewrap that is able to make a sandbox on this machine."""
    if fault := unavailable():
        missing("bubblewrap", fault)


@pytest.fixture(scope="session")
def sandbox(bubblewrap: None) -> Iterator[Sandbox]:
    shared = Sandbox(SHORT)
    yield shared
    shared.close()


@pytest.fixture
def graded(sandbox: Sandbox) -> Grade:
    """Grade a notebook, given as a dict or as a file's bytes."""

    def run(notebook: dict[str, Any] | bytes, **options: Any) -> GradedNotebook:
        content = notebook if isinstance(notebook, bytes) else as_bytes(notebook)
        return grade(Job("notebook.ipynb", "key", content, **{"seed": 11, **options}), sandbox)

    return run


def points(result: GradedNotebook) -> dict[str, float | None]:
    return {exercise.name: exercise.points for exercise in result.exercises}


def found(result: GradedNotebook, name: str) -> Graded:
    return next(exercise for exercise in result.exercises if exercise.name == name)


def descendants(ancestor: int) -> set[int]:
    """List the processes below another, as the host sees them."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                status = (entry / "stat").read_text()
            except OSError:  # ended meanwhile
                continue
            parents[int(entry.name)] = int(status.rpartition(")")[2].split()[1])
    below = {ancestor}
    while more := {child for child, parent in parents.items() if parent in below} - below:
        below |= more
    return below - {ancestor, os.getpid()}
