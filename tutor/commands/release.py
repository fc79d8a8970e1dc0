"""``tutor release``: write what a teacher hands out."""

import argparse
import shlex
import sys

from tutor.commands.grade import chosen_lessons
from tutor.commands.options import folder_to_write, word
from tutor.exercises import lessons as course_lessons
from tutor.files import reason
from tutor.grading.release import class_seed_of, fresh_class_seed, release
from tutor.learner.course import course_folder
from tutor.say import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of ``tutor release``."""
    parser.add_argument(
        "folder",
        type=folder_to_write,
        help=say("The folder for the notebooks, one for each class."),
    )
    parser.add_argument(
        "--lesson",
        action="append",
        default=[],
        metavar="04",
        help=say("Release this lesson only. Can be given several times."),
    )
    parser.add_argument(
        "--class-seed",
        type=word,
        metavar="WORD",
        help=say(
            "Any word. It makes this class's predictions differ from another's. Without it the "
            "seed kept in the folder is used, or a fresh one is drawn."
        ),
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the exercise notebooks with the class's seed, and say what to do next."""
    folder, kept = arguments.folder, class_seed_of(arguments.folder)
    class_seed = arguments.class_seed or kept or fresh_class_seed()
    try:
        lessons = chosen_lessons(arguments.lesson)
        released = release(course_folder() / "exercises", folder, class_seed, lessons)
    except (ValueError, OSError) as problem:
        why = reason(problem) if isinstance(problem, OSError) else problem
        print(say("tutor release: {problem}", problem=why), file=sys.stderr)
        return 1
    for path in released:
        points = sum(exercise.points for exercise in course_lessons()[path.stem])
        print(say("  {path}: {points} points", path=path, points=points))
    gaps = {"seed": class_seed, "file": folder / "class.json"}
    if kept:
        print(say("The seed of this class is {seed}, as before. It is kept in {file}.", **gaps))
    else:
        print(say("The seed of this class is {seed}. It is kept in {file}.", **gaps))
    quoted = shlex.quote(str(folder))
    command = " ".join(["tutor grade SUBMISSIONS --out RESULTS", "--released", quoted])
    print(say("To grade what comes back:\n  {command}", command=command))
    return 0
