"""``tutor copy``: bring a learner's own copies of lessons and exercises up to date.

For those who open them with something else than ``tutor lab``: VS Code, a hub, JupyterLab of
their own.
"""

import argparse
import sys
from pathlib import Path

from tutor.commands.options import folder_to_write, language
from tutor.files import reason
from tutor.learner.course import course_folder
from tutor.learner.language import speak_as_in
from tutor.learner.workspace import Changes, fill, usual_workspace
from tutor.say import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of ``tutor copy``."""
    parser.add_argument(
        "folder",
        type=folder_to_write,
        nargs="?",
        help=say(
            "The folder for your copies, made if it is not there. Without it: the one you are "
            "in, or else workspace/ in a clone of the course, or a new folder transformer-course/."
        ),
    )
    add_language(parser)


def add_language(parser: argparse.ArgumentParser) -> None:
    """Describe the option by which copies get another language."""
    parser.add_argument(
        "--language",
        type=language,
        metavar="NAME",
        help=say(
            "Of your copies, such as ko; kept for the next time. Cells that you have changed stay "
            "as they are, and what is not translated yet stays English."
        ),
    )


def run(arguments: argparse.Namespace) -> int:
    """Bring the copies up to date and say what was done."""
    workspace = arguments.folder or usual_workspace()
    return 0 if bring(workspace.resolve(), "tutor copy", "FOLDER", arguments.language) else 1


def bring(workspace: Path, command: str, option: str, language: str | None = None) -> bool:
    """Fill a workspace and say what was done.

    Args:
        workspace: the learner's folder.
        command: the one that does this, to be named.
        option: that with which it takes another folder.
        language: to bring the copies into, and to speak from now on; without it, theirs.

    Returns:
        Whether the copies are there; if not, the reason was told.
    """
    speak_as_in(workspace, language)
    try:
        changes = fill(course_folder(), workspace, language)
    except ValueError as error:
        return refuse(str(error))
    except OSError as error:
        elsewhere = "Your copies can lie in another folder: {command} {option}"
        return refuse(reason(error), say(elsewhere, command=command, option=option))
    print(describe(changes, workspace), flush=True)
    return True


def refuse(*sentences: str) -> bool:
    """Say what keeps the command from its work; give False."""
    print(*sentences, file=sys.stderr, sep="\n")
    return False


def describe(changes: Changes, workspace: Path) -> str:
    """Say in a few lines what filling the workspace did.

    Example:
        >>> print(describe(Changes(copied=["notebooks/a.ipynb"]), Path("/course/workspace")))
        Your workspace is /course/workspace (1 new).
        A lesson opens without results. Run it cell by cell with Shift+Enter, or whole with
        Run > Run All Cells; sliders move once their cell has run.
    """
    lines = [_where(changes, workspace)]
    lines += [
        say(
            "A lesson opens without results. Run it cell by cell with Shift+Enter, or whole with\n"
            "Run > Run All Cells; sliders move once their cell has run."
        )
    ]
    if changes.switched:
        lines += [
            say(
                "Now in your language, and without the results of before; cells that you have "
                "worked on stay as they are, with theirs:"
            ),
            *(f"  {name}" for name in changes.switched),
        ]
    if changes.kept:
        lines += [
            say("Newer in the course, but you have worked on your copy, so it stays as it is:"),
            *(f"  {name}" for name in changes.kept),
            say("To get the newer one too, rename yours and start again."),
        ]
    return "\n".join(lines)


def _where(changes: Changes, workspace: Path) -> str:
    """Say where the workspace is, and how many notebooks were put there."""
    new, renewed = len(changes.copied), len(changes.renewed)
    done = [say("{count} new", count=new)] if new else []
    done += [say("{count} brought up to date", count=renewed)] if renewed else []
    if not done:
        return say("Your workspace is {workspace}.", workspace=workspace)
    listed = ", ".join(done)
    return say("Your workspace is {workspace} ({done}).", workspace=workspace, done=listed)
