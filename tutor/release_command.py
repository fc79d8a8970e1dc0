"""``tutor release``: write what a teacher hands out."""

import argparse
import secrets
import sys
from pathlib import Path

from tutor.grade_command import chosen_lessons
from tutor.grading.release import release
from tutor.workspace import course_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of ``tutor release``."""
    parser.add_argument("folder", type=Path, help="where the notebooks go")
    parser.add_argument("--lesson", action="append", default=[], metavar="04", help="only this one")
    parser.add_argument("--class-seed", help="any word; a fresh one if not given")


def run(arguments: argparse.Namespace) -> int:
    """Write the exercise notebooks with the class's seed, and say what to do next."""
    class_seed = arguments.class_seed or secrets.token_hex(4)
    try:
        lessons = chosen_lessons(arguments.lesson)
        released = release(course_folder() / "exercises", arguments.folder, class_seed, lessons)
    except (ValueError, OSError) as problem:
        print(f"tutor release: {problem}", file=sys.stderr)
        return 1
    for path in released:
        print(f"  {path}")
    print(f"The seed of this class is {class_seed}. Keep it for grading:")
    print(f"  tutor grade SUBMISSIONS --out RESULTS --class-seed {class_seed}")
    return 0
