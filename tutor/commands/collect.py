"""Brings right answers of saved notebooks into the learner's own file: `tutor mine --collect`."""

import json
from collections.abc import Iterator
from pathlib import Path

from tutor.checking.exercise import Exercise
from tutor.exercises import lessons
from tutor.learner.history import Run
from tutor.learner.one_at_a_time import one_at_a_time
from tutor.learner.own_answers import NotWrittenError, put
from tutor.learner.own_code import NotAloneError, taken
from tutor.say import say


def collect(folder: Path) -> Iterator[str]:
    """Bring in what is right in the exercise notebooks below a folder; say what was done with each.

    Cells are read, not run; the answers alone run, when they are checked.
    """
    for lesson, exercises in lessons().items():
        notebook = folder / "exercises" / f"{lesson}.ipynb"
        if not notebook.exists():
            continue
        try:
            runs = [Run(source) for source in _cells(notebook)]
        except (ValueError, LookupError, TypeError, RecursionError):
            yield say("{notebook} cannot be read.", notebook=notebook)
            continue
        given = {name for run in runs for name in run.given}
        for exercise in exercises:
            if exercise.kind == "write" and exercise.name in given:
                yield from _brought(folder, exercise, runs, given)


def _cells(notebook: Path) -> list[str]:
    cells = json.loads(notebook.read_text(encoding="utf-8-sig"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def _brought(folder: Path, exercise: Exercise, runs: list[Run], given: set[str]) -> Iterator[str]:
    """Bring in one answer; say nothing of one that is not written yet, or there already."""
    try:
        answer = taken(exercise.name, exercise.name, runs, dict.fromkeys(given))
        with one_at_a_time(folder):
            said = put(folder, exercise, answer)
    except NotWrittenError:
        return
    except NotAloneError as why:
        said = str(why)
    if said:
        yield say("{name}: {said}", name=exercise.name, said=said)
