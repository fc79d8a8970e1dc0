"""What the learner has solved and predicted so far, and where it is kept.

In the workspace they work in. Elsewhere, as on Colab or a hub with the package installed, in a
folder of theirs; and nowhere where authors run the notebooks of a clone.
"""

import json
import math
import os
from pathlib import Path
from typing import Any

from tutor.files import reason, write_whole
from tutor.learner.course import NAME, is_installed
from tutor.learner.one_at_a_time import BusyError, one_at_a_time
from tutor.say import say

MARKER = ".tutor-workspace"
FILE = "progress.json"
PREDICTIONS = "predictions.json"
DRIVE = Path("/content/drive/MyDrive")  # of a learner on Colab, once it is mounted


def workspace_of(folder: Path) -> Path | None:
    """Find the learner's workspace that a folder lies in, or None outside of any."""
    places = (folder, *folder.parents)
    return next((place for place in places if os.path.exists(place / MARKER)), None)


def place(folder: Path | None = None) -> Path | None:
    """Find where the work done in a folder is kept; None where it is not.

    Example:
        >>> place(Path("/")) is None or is_installed()
        True
    """
    if workspace := workspace_of(folder or Path.cwd()):
        return workspace
    if not is_installed():
        return None
    return (DRIVE if on_colab() and DRIVE.is_dir() else Path.home()) / NAME


def on_colab() -> bool:
    """Say whether this runs on one of Google Colab's machines."""
    return "COLAB_RELEASE_TAG" in os.environ


def where_kept(folder: Path | None = None) -> str:
    """Say where points and predictions go, for a learner outside any workspace; "" inside one."""
    kept = place(folder)
    if kept is None:
        return say("Points are not kept here. For copies of your own: tutor copy")
    if workspace_of(folder or Path.cwd()):
        return ""
    if on_colab() and not DRIVE.is_dir():
        return say(
            "Colab forgets what you solve. To keep it, run this first, and save a copy of the "
            "notebook in Drive: from google.colab import drive; drive.mount('/content/drive')"
        )
    return say("Your points and predictions are kept in {folder}", folder=kept)


def load(folder: Path | None = None) -> dict[str, float]:
    """Read the best points so far: exercise -> points; empty where nothing is recorded.

    Example:
        >>> load(Path("/"))
        {}
    """
    return _points(_content(FILE, folder))


def save(exercise: str, points: float, folder: Path | None = None) -> str:
    """Keep the points of an exercise if they are its best.

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
        kept = place(folder)
        if kept is not None:
            _read(kept / FILE)
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
    """Keep what was predicted; returns as `save` does."""
    return _add(PREDICTIONS, {name: answer}, folder)


def _points(content: dict[str, Any]) -> dict[str, float]:
    numbers = {name: best for name, best in content.items() if type(best) in (int, float)}
    return {name: float(best) for name, best in numbers.items() if math.isfinite(best)}


def _content(file: str, folder: Path | None) -> dict[str, Any]:
    """Give what a kept file holds; nothing where it cannot be read."""
    try:
        kept = place(folder)
        return _read(kept / file) if kept else {}
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
    """Add entries to a kept file; a damaged one is put aside first."""
    try:
        kept = place(folder)
        if kept is None:
            return ""
        with one_at_a_time(kept):
            return _add_to(kept / file, entries)
    except OSError as error:
        return say("Not saved: {reason}", reason=reason(error))
    except BusyError as busy:
        return say("Not saved: {reason}", reason=busy)


def _add_to(path: Path, entries: dict[str, Any]) -> str:
    said = ""
    try:
        content = _read(path)
    except _DamagedError:
        aside = path.with_name(f"{path.name}.damaged")
        path.replace(aside)
        content = {}
        said = say(
            "{file} was damaged and is now called {aside}; a new one was begun.",
            file=path.name,
            aside=aside.name,
        )
    best = _points(content)
    entries = {name: max(new, best[name]) if name in best else new for name, new in entries.items()}
    write_whole(path, json.dumps(content | entries, indent=1, sort_keys=True) + "\n")
    return said
