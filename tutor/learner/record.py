"""What the learner has solved so far, kept in one file of their workspace and nowhere else."""

import json
from pathlib import Path

from tutor.files import write_whole

MARKER = ".tutor-workspace"
FILE = "progress.json"


def workspace_of(folder: Path) -> Path | None:
    """Find the learner's workspace that a folder lies in, or None outside of any."""
    return next((place for place in (folder, *folder.parents) if (place / MARKER).exists()), None)


def load(folder: Path | None = None) -> dict[str, float]:
    """Read the best points so far: exercise -> points; empty where nothing is recorded.

    Example:
        >>> load(Path("/"))
        {}
    """
    workspace = workspace_of(folder or Path.cwd())
    if workspace is None:
        return {}
    try:
        points = json.loads((workspace / FILE).read_text(encoding="utf-8"))
    except (FileNotFoundError, json.JSONDecodeError):
        return {}
    return {str(name): float(best) for name, best in points.items()}


def save(exercise: str, points: float, folder: Path | None = None) -> None:
    """Keep the points of an exercise if they are its best; does nothing outside a workspace."""
    workspace = workspace_of(folder or Path.cwd())
    best = load(folder)
    if workspace is None or points <= best.get(exercise, 0.0):
        return
    best[exercise] = points
    write_whole(workspace / FILE, json.dumps(best, indent=1, sort_keys=True) + "\n")
