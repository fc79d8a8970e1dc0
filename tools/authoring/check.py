"""All that CI checks about notebooks: the rules for their files, and fresh outputs."""

import copy
import subprocess
import sys
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path

from nbformat import NotebookNode

from . import graded, rules, teaching
from .exercises import make_exercise
from .files import (
    EXERCISES,
    LESSONS,
    ROOT,
    SOLUTIONS,
    notebook_text,
    read_notebook,
    shown,
)
from .first_cell import write_first_cell
from .how_sure import folded_lines
from .worth import write_worth

_EVERYWHERE: tuple[rules.Rule, ...] = (
    rules.in_normal_form,
    rules.short_cells,
    rules.pictures_with_alt_text,
    rules.clean_outputs,
    rules.same_everywhere,
    rules.known_tags,
)
_OF_A_KIND: dict[Path, tuple[rules.Rule, ...]] = {
    LESSONS: (
        rules.executed,
        rules.nothing_said_before,
        rules.slides,
        rules.answers,
        rules.core_length,
        folded_lines,
    ),
    SOLUTIONS: (
        rules.executed,
        graded.paired,
        graded.checks_award_points,
        graded.solved,
        graded.names_its_learner,
        graded.given_code_is_wrong_code,
    ),
    EXERCISES: (rules.not_executed, graded.paired),
}


def check(paths: Iterable[Path]) -> int:
    """Print what is wrong with notebooks, then execute them as the tests do; give an exit code.

    A notebook outside the course's folders is held to the rules for its file only.
    """
    paths = list(paths)
    print_complaints(paths)
    inside = [path.stem for path in paths if path.resolve().parent in _OF_A_KIND]
    if not inside:
        return int(any(complaints(path) for path in paths))
    tests = [sys.executable, "-m", "pytest", "tests/notebooks", "-k", " or ".join(set(inside))]
    return subprocess.run(tests, cwd=ROOT, check=False).returncode


def print_complaints(paths: Iterable[Path]) -> None:
    """Print what is wrong with some notebooks' files."""
    for path in paths:
        for complaint in complaints(path):
            print(f"{shown(path)}: {complaint}", flush=True)


def complaints(path: Path) -> list[str]:
    """Give everything that is wrong with a notebook's file, an empty list if nothing is."""
    notebook = read_notebook(path)
    kind = path.resolve().parent
    found = [
        complaint for rule in _EVERYWHERE + _OF_A_KIND.get(kind, ()) for complaint in rule(notebook)
    ]
    if kind in _OF_A_KIND:
        found += _other_first_cell(notebook)
    if kind == LESSONS:
        found += teaching.lesson_complaints(path.stem, notebook)
    if kind == SOLUTIONS:
        found += graded.complete(notebook, lesson_points(path.stem))
        found += _stale_points(notebook, lesson_points(path.stem))
        found += _stale_exercise(notebook, EXERCISES / path.name)
        found += teaching.solution_complaints(notebook, lesson_points(path.stem))
    return found


def _other_first_cell(notebook: NotebookNode) -> list[str]:
    """Complain unless the notebook first looks whether something is missing where it runs."""
    renewed = copy.deepcopy(notebook)
    write_first_cell(renewed)
    if renewed != notebook:
        return ["does not begin by looking for what is missing: run `make notebooks`"]
    return []


def lesson_points(name: str) -> Mapping[str, int]:
    """Give what each exercise of a lesson is worth; nothing, if the lesson has no exercises."""
    try:
        module = import_module(f"tutor.exercises.lesson{name}")
    except ModuleNotFoundError:
        return {}
    return {exercise.name: exercise.points for exercise in module.EXERCISES}


def _stale_points(solution: NotebookNode, points: Mapping[str, int]) -> list[str]:
    """Complain unless cards, table and checks give the exercises' own points."""
    renewed = copy.deepcopy(solution)
    write_worth(renewed, points)
    if renewed != solution:
        return ["says other points than the exercises: run `make notebooks`"]
    return []


def _stale_exercise(solution: NotebookNode, exercise: Path) -> list[str]:
    """Complain unless the exercise's file is what its solution makes."""
    if not exercise.exists():
        return [f"has no {exercise.parent.name}/{exercise.name}: run `make notebooks`"]
    if exercise.read_text("utf-8") != notebook_text(make_exercise(solution)):
        return [f"does not make {exercise.parent.name}/{exercise.name}: run `make notebooks`"]
    return []
