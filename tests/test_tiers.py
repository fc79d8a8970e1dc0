"""Two tiers: nothing is in neither, each layer has its tests in the quick one, make runs both."""

import os
import shlex
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

from tests.tiers import first_quick

ROOT = Path(__file__).parents[1]

# Where each layer's tests are: a mistake in it should be seen by `make test`.
LAYERS = {
    "components": "tests/test_attention.py",
    "checker": "tests/checking/test_examine.py",
    "exercises": "tests/exercises/test_all.py",
    "numbers of lessons": "tests/notebooks/test_stored_outputs.py",
    "sliders": "tests/explorers/test_every_explorer.py",
    "pages": "tests/test_publish.py",
    "lessons in a browser": "tests/browser/test_lessons.py",
    "grader": "tests/grading/test_adversaries.py",
    "commands": "tests/commands/test_cli.py",
    "set-up": "tests/test_setup.py",
    "documents": "tests/claims/test_register.py",
}
SAMPLED = {"exercises", "numbers of lessons", "sliders", "lessons in a browser", "grader"}


class Tiers:
    """A plug-in that notes which tests were found in which tier.

    Attributes:
        quick: those of a file that nobody marked, by the file.
        long: the others.
    """

    def __init__(self) -> None:
        self.quick: dict[str, list[str]] = defaultdict(list)
        self.long: dict[str, list[str]] = defaultdict(list)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            tier = self.long if item.get_closest_marker("long") else self.quick
            tier[item.path.relative_to(ROOT).as_posix()].append(item.name)


@pytest.fixture(scope="module")
def tiers() -> Tiers:
    """The tests of these files, found in this process, which has PyTorch already."""
    found = Tiers()
    silent = ["-o", "addopts=--import-mode=importlib", "-p", "no:cacheprovider"]
    silent += ["-p", "no:terminal", "--collect-only"]
    assert pytest.main([*silent, *LAYERS.values()], plugins=[found]) == 0
    return found


@pytest.mark.xdist_group("tiers")  # which reads all these files once
@pytest.mark.parametrize("layer", LAYERS)
def test_every_layer_has_a_quick_test(layer: str, tiers: Tiers):
    assert tiers.quick[LAYERS[layer]]


@pytest.mark.xdist_group("tiers")
@pytest.mark.parametrize("layer", sorted(SAMPLED))
def test_of_a_family_more_are_long_than_quick(layer: str, tiers: Tiers):
    assert tiers.long[LAYERS[layer]]


def pytest_runs(*goals: str) -> list[list[str]]:
    """Say with which arguments make would have pytest run."""
    inherited = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES")
    variables = {name: value for name, value in os.environ.items() if name not in inherited}
    command = ["make", "-n", *goals]
    done = subprocess.run(
        command, cwd=ROOT, env=variables, capture_output=True, text=True, check=True
    )
    lines = [line.partition(" -m pytest ")[2] for line in done.stdout.splitlines()]
    return [shlex.split(line) for line in lines if line]


def test_make_check_is_make_test_and_then_the_long_tests():
    quick, long = pytest_runs("check")
    assert pytest_runs("test") == [quick]
    assert pytest_runs("test", "check") == [quick, long]
    assert (quick[-2:], long[-2:]) == (["-m", "not long"], ["-m", "long"])
    assert quick[:-2] == long[:-2]
    assert "make test check" in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_tests_that_are_named_run_whatever_their_tier():
    for goal in ("test", "check"):
        assert pytest_runs(goal, "ARGS=tests/test_tiers.py -x") == [["tests/test_tiers.py", "-x"]]


def test_parameters_keep_their_ids_and_marks():
    values = ["a", pytest.param("b", 2, id="two", marks=pytest.mark.xdist_group("b")), "c"]
    marked = first_quick(values)
    assert [param.values for param in marked] == [("a",), ("b", 2), ("c",)]
    assert marked[1].id == "two"
    names = [[mark.name for mark in param.marks] for param in marked]
    assert names == [[], ["xdist_group", "long"], ["long"]]
