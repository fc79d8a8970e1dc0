"""Exercise notebooks as a teacher hands them out: with the seed of the class."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tutor.grading.store import write_json

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_NAMING = re.compile(
    rf"^set_learner\((?P<name>{_QUOTED})(?:, class_seed={_QUOTED})?\)", re.MULTILINE
)


def release(
    exercises: Path, folder: Path, class_seed: str, lessons: Sequence[str] = ()
) -> list[Path]:
    """Copy exercise notebooks and write the class's seed into each; give their paths.

    Args:
        exercises: the course's exercise notebooks.
        folder: where the copies go; what lies there under their names is replaced.
        class_seed: makes the predictions of one class differ from another's.
        lessons: names of lessons; empty means all.

    Raises:
        ValueError: there are no such notebooks, or one has no cell that names its learner.
    """
    sources = [
        path
        for path in sorted(exercises.glob("[0-9][0-9]_*.ipynb"))
        if not lessons or path.stem in lessons
    ]
    if not sources:
        raise ValueError(f"There are no exercise notebooks to release in {exercises}.")
    released = []
    for source in sources:
        notebook = json.loads(source.read_text(encoding="utf-8"))
        _write_seed(notebook, class_seed, source)
        target = folder / source.name
        write_json(target, notebook)
        released.append(target)
    return released


def _write_seed(notebook: dict[str, Any], class_seed: str, source: Path) -> None:
    """Replace the call that names the learner, in the one cell that has it."""
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] != "code" or not _NAMING.search(text):
            continue
        seeded = _NAMING.sub(
            lambda call: f"set_learner({call['name']}, class_seed={json.dumps(class_seed)})", text
        )
        cell["source"] = seeded.splitlines(keepends=True)
        return
    raise ValueError(f"{source} has no cell with set_learner(...).")
