"""``tutor progress``: show which exercises are done, lesson by lesson."""

import argparse
from pathlib import Path

from tutor import record
from tutor.workspace import course_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of ``tutor progress``."""
    parser.add_argument("--workspace", type=Path, help="your folder, if it is not workspace/")


def run(arguments: argparse.Namespace) -> int:
    """Print the map of lessons and exercises, with what to do next."""
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
