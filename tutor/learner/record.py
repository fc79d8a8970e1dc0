"""What the learner has solved and predicted so far, kept in their workspace and nowhere else."""

import json
from pathlib import Path
from typing import Any

from tutor.files import write_whole

MARKER = ".tutor-workspace"
FILE = "progress.json"
PREDICTIONS = "predictions.json"


def workspace_of(folder: Path) -> Path | None:
    """Find the learner's workspace that a folder lies in, or None outside of any."""
    return next((place for place in (folder, *folder.parents) if (place / MARKER).exists()), None)


def load(folder: Path | None = None) -> dict[str, float]:
    """Read the best points so far: exercise -> points; empty where nothing is recorded.

    Example:
        >>> load(Path("/"))
        {}
    """
    return {name: float(best) for name, best in _read(FILE, folder).items()}


def save(exercise: str, points: float, folder: Path | None = None) -> None:
    """Keep the points of an exercise if they are its best; does nothing outside a workspace."""
    best = load(folder)
    if points > best.get(exercise, 0.0):
        _write(FILE, best | {exercise: points}, folder)


def load_predictions(folder: Path | None = None) -> dict[str, str]:
    """Read what was predicted: the prediction's name -> what was written down.

    Example:
        >>> load_predictions(Path("/"))
        {}
    """
    return {name: str(answer) for name, answer in _read(PREDICTIONS, folder).items()}


def save_prediction(name: str, answer: str, folder: Path | None = None) -> None:
    """Keep what was predicted; does nothing outside a workspace."""
    _write(PREDICTIONS, load_predictions(folder) | {name: answer}, folder)


def _read(file: str, folder: Path | None) -> dict[str, Any]:
    workspace = workspace_of(folder or Path.cwd())
    if workspace is None:
        return {}
    try:
        content = json.loads((workspace / file).read_text(encoding="utf-8"))
    except (FileNotFoundError, json.JSONDecodeError):
        return {}
    return {str(key): value for key, value in content.items()}


def _write(file: str, content: dict[str, Any], folder: Path | None) -> None:
    workspace = workspace_of(folder or Path.cwd())
    if workspace is not None:
        write_whole(workspace / file, json.dumps(content, indent=1, sort_keys=True) + "\n")
