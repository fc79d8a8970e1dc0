"""``tutor solutions``: bring a lesson's worked exercises, which lie in nobody's way before."""

import argparse
import sys

from tutor.commands.copy import add_language
from tutor.commands.options import folder_there
from tutor.files import reason
from tutor.learner.course import course_folder
from tutor.learner.language import speak_as_in
from tutor.learner.workspace import fetch_solution, usual_workspace
from tutor.say import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of ``tutor solutions``."""
    parser.add_argument("lesson", help=say("The lesson's number, such as 04."))
    parser.add_argument(
        "--workspace",
        type=folder_there,
        metavar="FOLDER",
        help=say(
            "Your folder. Without it: the one this is started in, or else the one that "
            "`tutor lab` opens."
        ),
    )
    add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    """Copy the worked exercises into the workspace, and say where they are."""
    workspace = (arguments.workspace or usual_workspace()).resolve()
    speak_as_in(workspace, arguments.language)
    if not workspace.is_dir():  # nobody should write into the course itself
        no_copies = "There are no copies of yours in {folder} yet. Make them with: tutor copy"
        print(say(no_copies, folder=workspace), file=sys.stderr)
        return 1
    try:
        found = fetch_solution(course_folder(), workspace, arguments.lesson, arguments.language)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(reason(error), file=sys.stderr)
        return 1
    print(say("The worked exercises are in {file}.", file=found))
    inside = found.relative_to(workspace).as_posix()
    print(say("In JupyterLab open {file} from the list of files.", file=inside))
    return 0
