"""What the learner has solved and predicted so far, kept in their workspace and nowhere else."""

import json
import math
import os
from pathlib import Path
from typing import Any

from tutor.files import reason, write_whole
from tutor.say import say

MARKER = ".tutor-workspace"
FILE = "progress.json"
PREDICTIONS = "predictions.json"


def workspace_of(folder: Path) -> Path | None:
    """Find the learner's workspace that a folder lies in, or None outside of any."""
    places = (folder, *folder.parents)
    return next((place for place in places if os.path.exists(place / MARKER)), None)


def load(folder: Path | None = None) -> dict[str, float]:
    """Read the best points so far: exercise -> points; empty where nothing is recorded.

    Example:
        >>> load(Path("/"))
        {}
    """
    return _points(_content(FILE, folder))


def save(exercise: str, points: float, folder: Path | None = None) -> str:
    """Keep the points of an exercise if they are its best; does nothing outside a workspace.

    Returns:
        A sentence for the learner if they could not be kept, else "".
    """
    if points <= load(folder).get(exercise, 0.0):
        return ""
    return _add(FILE, {exercise: points}, folder)


def trouble(folder: Path | None = None) -> str:
    """Say why points that may have been kept cannot be read, or "".

    Example:
        >>> trouble(Path("/"))
        ''
    """
    try:
        workspace = workspace_of(folder or Path.cwd())
        if workspace is not None:
            _read(workspace / FILE)
    except OSError as error:
        return reason(error)
    except _DamagedError as damaged:
        return say("{file} is damaged; nothing in it can be read.", file=damaged)
    return ""


def load_predictions(folder: Path | None = None) -> dict[str, str]:
    """Read what was predicted: the prediction's name -> what was written down.

    Example:
        >>> load_predictions(Path("/"))
        {}
    """
    return {name: str(answer) for name, answer in _content(PREDICTIONS, folder).items()}


def save_prediction(name: str, answer: str, folder: Path | None = None) -> str:
    """Keep what was predicted; does nothing outside a workspace, and returns as `save` does."""
    return _add(PREDICTIONS, {name: answer}, folder)


def _points(content: dict[str, Any]) -> dict[str, float]:
    numbers = {name: best for name, best in content.items() if type(best) in (int, float)}
    return {name: float(best) for name, best in numbers.items() if math.isfinite(best)}


def _content(file: str, folder: Path | None) -> dict[str, Any]:
    """Give what a file of the workspace holds; nothing where it cannot be read."""
    try:
        workspace = workspace_of(folder or Path.cwd())
        return _read(workspace / file) if workspace else {}
    except (OSError, _DamagedError):
        return {}


class _DamagedError(Exception):
    """The file holds something else than what is written there."""


def _read(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError):
        raise _DamagedError(path) from None
    if not isinstance(content, dict):
        raise _DamagedError(path)
    return content


def _add(file: str, entries: dict[str, Any], folder: Path | None) -> str:
    """Add entries to a file of the workspace; a damaged one is put aside first."""
    try:
        workspace = workspace_of(folder or Path.cwd())
        if workspace is None:
            return ""
        return _add_to(workspace / file, entries)
    except OSError as error:
        return say("Not saved: {reason}", reason=reason(error))


def _add_to(path: Path, entries: dict[str, Any]) -> str:
    said = ""
    try:
        content = _read(path)
    except _DamagedError:
        aside = path.with_name(f"{path.name}.damaged")
        path.replace(aside)
        content = {}
        said = say(
            "{file} was damaged and is now {aside}; a new one was begun.",
            file=path.name,
            aside=aside.name,
        )
    write_whole(path, json.dumps(content | entries, indent=1, sort_keys=True) + "\n")
    return said
