"""``tutor progress``: show which exercises are done, lesson by lesson."""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from tutor.learner import record
from tutor.learner.workspace import course_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of ``tutor progress``."""
    parser.add_argument(
        "--workspace",
        type=Path,
        metavar="FOLDER",
        help="Your folder. Without it: the one this is started in, or else workspace/ in the "
        "course's folder.",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the map of lessons and exercises, with what to do next."""
    if arguments.workspace and not arguments.workspace.is_dir():
        print(f"There is no folder {arguments.workspace}.", file=sys.stderr)
        return 1
    from tutor.learner.progress import Progress  # loads torch, which --help need not wait for

    folder = arguments.workspace or _workspace_here()
    best = record.load(folder)
    print(Progress(best))
    print(_total(best))
    if not best:
        print(f"Nothing solved yet in {folder}. Open the lessons and exercises with: make lab")
    return 0


def _total(best: Mapping[str, float]) -> str:
    """Sum up, and say what the marks mean."""
    from tutor.exercises import lessons

    exercises = [exercise for lesson in lessons().values() for exercise in lesson]
    reached = sum(best.get(exercise.name, 0.0) for exercise in exercises)
    possible = sum(exercise.points for exercise in exercises)
    return f"In all {reached:g} of {possible} points. ● right  ◐ half points  ○ not yet"


def _workspace_here() -> Path:
    """Return the workspace this was started in, else the course's own."""
    return record.workspace_of(Path.cwd()) or course_folder() / "workspace"
