"""``tutor progress``: show which exercises are done, lesson by lesson."""

import argparse
import sys
from pathlib import Path

from tutor import record
from tutor.workspace import course_folder


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
    from tutor.notebook import Progress

    folder = arguments.workspace or _workspace_here()
    best = record.load(folder)
    print(Progress(best))
    if not best:
        print(f"Nothing solved yet in {folder}. Open the lessons and exercises with: make lab")
    return 0


def _workspace_here() -> Path:
    """Return the workspace this was started in, else the course's own."""
    return record.workspace_of(Path.cwd()) or course_folder() / "workspace"
