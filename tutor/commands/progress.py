"""``tutor progress``: show which exercises are done, lesson by lesson."""

import argparse
import sys
from pathlib import Path

from tutor.commands.options import folder_there
from tutor.learner import progress_file
from tutor.learner.language import speak_as_in
from tutor.learner.workspace import usual_workspace
from tutor.say import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of ``tutor progress``."""
    parser.add_argument(
        "--workspace",
        type=folder_there,
        metavar="FOLDER",
        help=say(
            "Your folder. Without it: the one this is started in, or else the one that "
            "`tutor lab` opens."
        ),
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the map of lessons and exercises, with what to do next."""
    from tutor.learner.own_parts import own_names  # load torch, which --help need not wait for
    from tutor.learner.progress_map import Progress

    folder = arguments.workspace or work_folder()
    speak_as_in(folder)
    best = progress_file.load(folder)
    print(_in_known_marks(str(Progress(best, own_names(folder)))))
    if trouble := progress_file.trouble(folder):
        print(trouble, file=sys.stderr)
        return 1
    if not best:
        print(say("Nothing solved yet in {folder}.", folder=folder))
        print(say("Open the lessons and exercises with: tutor lab"))
    return 0


def _in_known_marks(text: str) -> str:
    """Write the marks in letters that everyone has where the screen's encoding has no circles."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "ascii")
        return text
    except UnicodeEncodeError:
        return text.translate(str.maketrans("●◐○", "x/-"))


def work_folder() -> Path:
    """Return where the work done in this folder is kept, else the usual workspace."""
    try:
        kept = progress_file.place()
    except FileNotFoundError:  # the folder was deleted under our feet
        kept = None
    return kept or usual_workspace()
