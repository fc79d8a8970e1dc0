"""``tutor copy``: bring a learner's own copies of lessons and exercises up to date.

For those who open them with something else than ``tutor lab``: VS Code, a hub, JupyterLab of
their own.
"""

import argparse
import sys
import textwrap
from pathlib import Path

from tutor.files import reason
from tutor.learner.course import course_folder
from tutor.learner.renames import mend, old_copies
from tutor.learner.workspace import Changes, fill, usual_workspace
from tutor.say import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of ``tutor copy``."""
    parser.add_argument(
        "folder",
        type=Path,
        nargs="?",
        help="The folder for your copies, made if it is not there. Without it: the one you are "
        "in, or else workspace/ in a clone of the course, or a new folder transformer-course/.",
    )
    add_mend(parser)


def add_mend(parser: argparse.ArgumentParser) -> None:
    """Describe the option by which nobody is asked."""
    parser.add_argument(
        "--mend",
        action="store_true",
        help="Mend the lines of your copies that import names which have changed since, without "
        "asking. Answers stay as they are, and a copy of each notebook is kept beside it.",
    )


def run(arguments: argparse.Namespace) -> int:
    """Bring the copies up to date and say what was done."""
    workspace = arguments.folder or usual_workspace()
    return 0 if bring(workspace.resolve(), arguments.mend, "tutor copy", "FOLDER") else 1


def bring(workspace: Path, unasked: bool, command: str, option: str) -> bool:
    """Fill a workspace, say what was done, and offer to mend old imports in it.

    Args:
        workspace: the learner's folder.
        unasked: mend without asking.
        command: the one that does this, to be named.
        option: that with which it takes another folder.

    Returns:
        Whether the copies are there; if not, the reason was told.
    """
    try:
        changes = fill(course_folder(), workspace)
    except ValueError as error:
        return refuse(str(error))
    except OSError as error:
        elsewhere = "Your copies can lie in another folder: {command} {option}"
        return refuse(reason(error), say(elsewhere, command=command, option=option))
    print(describe(changes, workspace), flush=True)
    try:
        offer_mending(workspace, unasked, command)
    except OSError as error:  # the notebooks are as they were
        refuse(reason(error))
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
    counts = [(len(changes.copied), "new"), (len(changes.renewed), "brought up to date")]
    done = ", ".join(f"{count} {what}" for count, what in counts if count)
    lines = [f"Your workspace is {workspace}{f' ({done})' if done else ''}."]
    lines += ["A lesson opens without results. Run it cell by cell with Shift+Enter, or whole with"]
    lines += ["Run > Run All Cells; sliders move once their cell has run."]
    if changes.kept:
        lines += ["Newer in the course, but you have worked on your copy, so it stays as it is:"]
        lines += [f"  {name}" for name in changes.kept]
        lines += ["To get the newer one too, rename yours and start again."]
    return "\n".join(lines)


def offer_mending(workspace: Path, unasked: bool, command: str) -> None:
    """Say which copies import names that have changed since, and mend these lines if wanted."""
    copies = old_copies(workspace)
    if not copies:
        return
    print(say("Names have changed since you worked on these; a cell that imports them stops:"))
    for path, imports in copies.items():
        print(f"  {path.relative_to(workspace).as_posix()}")
        for one in imports:
            print(textwrap.indent(one.old, "    - "))
            print(textwrap.indent(one.new or say("This line is for you to change."), "    + "))
    if unasked or _wanted():
        for path in copies:
            kept = mend(path).relative_to(workspace).as_posix()
            print(say("Mended; the notebook as it was is kept in {copy}.", copy=kept))
    else:
        later = "They stay as they are. To mend them later: {command} --mend"
        print(say(later, command=command))


def _wanted() -> bool:
    """Ask whether to mend, if somebody is there to answer."""
    if not (sys.stdin and sys.stdin.isatty()):
        return False
    try:
        return input(say("Mend these lines now, and change nothing else? [y/N] ")).lower() == "y"
    except EOFError:
        return False
