"""Exercise notebooks as a teacher hands them out: with the seed of the class, kept beside them."""

import json
import re
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tutor.exercises import lessons as course_lessons
from tutor.files import write_whole
from tutor.grading.store import json_text, read_json
from tutor.say import say

CLASS_FILE = "class.json"

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
        folder: where the copies go; the class's seed is kept there.
        class_seed: makes the predictions of one class differ from another's.
        lessons: names of lessons; empty means all.

    Raises:
        ValueError: there are no such notebooks, one has no cell that names its learner, or another
            notebook or another class lies in the folder: what learners have is not replaced.
    """
    sources = [
        path
        for path in sorted(exercises.glob("[0-9][0-9]_*.ipynb"))
        if path.stem in (lessons or course_lessons())  # not a copy that JupyterLab made of one
    ]
    if not sources:
        raise ValueError(
            say("There are no exercise notebooks to release in {exercises}.", exercises=exercises)
        )
    if (kept := class_seed_of(folder)) not in (None, class_seed):
        raise ValueError(
            say(
                "{folder} belongs to the class with the seed {kept}. Leave --class-seed out "
                "to go on with it, or name another folder for another class.",
                folder=folder,
                kept=kept,
            )
        )
    contents = {folder / source.name: _seeded(source, class_seed) for source in sources}
    for target, content in contents.items():
        if target.exists() and target.read_bytes() != content.encode():
            raise ValueError(
                say(
                    "{target} is there already and differs; nothing was written. Move it away, "
                    "or name another folder, to release this version.",
                    target=target,
                )
            )
    write_whole(folder / CLASS_FILE, json_text({"class_seed": class_seed}))
    for target, content in contents.items():
        write_whole(target, content)
    return list(contents)


def class_seed_of(folder: Path) -> str | None:
    """Give the seed of the class that a folder was released for; None if it is not known."""
    kept = read_json(folder / CLASS_FILE)
    seed = kept.get("class_seed") if isinstance(kept, dict) else None
    return seed if isinstance(seed, str) else None


def fresh_class_seed() -> str:
    """Draw a seed for a class.

    Example:
        >>> len(fresh_class_seed())
        8
    """
    return secrets.token_hex(4)


def _seeded(source: Path, class_seed: str) -> str:
    notebook = json.loads(source.read_text(encoding="utf-8"))
    _write_seed(notebook, class_seed, source)
    return json_text(notebook)


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
    raise ValueError(say("{source} has no cell with set_learner(...).", source=source))
