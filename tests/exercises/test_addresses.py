"""Where an exercise is found: the file that bears its name, whatever else was loaded before."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import tutor.exercises
from tutor.exercises import lessons

FOLDER = Path(tutor.exercises.__file__).parent
EXERCISES = [
    pytest.param(f"lesson{lesson}", exercise, id=exercise.name)
    for lesson, exercises in lessons().items()
    for exercise in exercises
]
FILES = sorted(FOLDER.glob("lesson*/*.py"))
CLOSED = json.loads((Path(__file__).parent / "catalogue.json").read_text("utf-8"))


def assigned_in(file: Path) -> set[str]:
    """Every name that a file gives a value at its top."""
    nodes = ast.parse(file.read_text(encoding="utf-8")).body
    targets = [node.targets[0] for node in nodes if isinstance(node, ast.Assign)]
    return {target.id for target in targets if isinstance(target, ast.Name)}


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_its_file_bears_its_name(lesson: str, exercise):
    assert exercise.name in assigned_in(FOLDER / lesson / f"{exercise.name}.py")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(FOLDER).as_posix())
def test_a_file_defines_no_other_exercise(file: Path):
    names = {exercise.name for exercises in lessons().values() for exercise in exercises}
    assert assigned_in(file) & names <= {file.stem}
    if file.stem.endswith("_mistakes"):
        assert file.stem.removesuffix("_mistakes") in names


LOAD = """
from importlib import import_module
from tutor.checking.exercise import Exercise
modules, packages = {modules!r}, {packages!r}
for name in modules:
    import_module(name)
for name in packages:
    package = import_module(name)
    for exercise in package.EXERCISES:
        assert getattr(package, exercise.name) is exercise, exercise.name
"""


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.long
def test_a_name_is_the_exercise_not_its_file(backwards: bool):
    """A file of the same name replaces it in the package when it is loaded later."""
    dotted = [".".join(file.relative_to(FOLDER).with_suffix("").parts) for file in FILES]
    modules = [f"tutor.exercises.{name}" for name in dotted if not name.endswith("__init__")]
    packages = sorted({name.rpartition(".")[0] for name in modules})
    program = LOAD.format(modules=sorted(modules, reverse=backwards), packages=packages)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_the_catalogue_of_mistakes_grows_for_a_reason_only(lesson: str, exercise):
    """An exercise that is new since has the reason of being new."""
    since = [mistake for mistake in exercise.mistakes if mistake.reason]
    if exercise.name in CLOSED:
        assert len(exercise.mistakes) - len(since) == CLOSED[exercise.name]
    assert all(len(mistake.reason) > 20 for mistake in since)
