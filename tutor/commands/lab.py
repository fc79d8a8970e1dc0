"""``tutor lab``: fill the learner's workspace and open JupyterLab on it."""

import argparse
import json
import os
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import Any

from tutor.files import reason, write_whole
from tutor.learner.renames import mend, old_copies
from tutor.learner.workspace import Changes, course_folder, fill
from tutor.say import say

# Settings of this environment's JupyterLab. Whatever a learner sets in JupyterLab goes before them.
COURSE_SETTINGS: dict[str, dict[str, Any]] = {
    # On subshell threads sliders and a running cell spoil each other's pyplot figures.
    "@jupyterlab/apputils-extension:kernels-settings": {"commsOverSubshells": "disabled"},
    # No questions about news, and no request to a website, when a lesson opens.
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
    # On slides an answer has its own step: there is nothing left to unfold.
    "@deathbeds/jupyterlab-fonts:fonts": {
        "styles": {
            "body[data-jp-deck-mode='presenting'] details::details-content": {
                "content-visibility": "visible !important",
                "block-size": "auto !important",
            },
            "body[data-jp-deck-mode='presenting'] details > summary": {"list-style": "none"},
        }
    },
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of ``tutor lab``; what it does not know goes on to JupyterLab."""
    parser.add_argument(
        "--workspace",
        type=Path,
        metavar="FOLDER",
        help="The folder for your copies, made if it is not there. Without it: workspace/ in the "
        "course's folder.",
    )
    parser.add_argument(
        "--mend",
        action="store_true",
        help="Mend the lines of your copies that import names which have changed since, without "
        "asking. Answers stay as they are, and a copy of each notebook is kept beside it.",
    )
    parser.epilog = "All other options go to JupyterLab, for instance: --no-browser --port 8899"
    parser.set_defaults(rest=[])


def run(arguments: argparse.Namespace) -> int:
    """Fill the workspace, say what was done, and run JupyterLab until it is stopped."""
    course = course_folder()
    try:
        workspace = (arguments.workspace or course / "workspace").resolve()
        is_new = not workspace.exists()
        changes = fill(course, workspace)
    except ValueError as error:
        return _refuse(str(error))
    except OSError as error:
        elsewhere = say("Your copies can lie in another folder: tutor lab --workspace FOLDER")
        return _refuse(reason(error), elsewhere)
    print(describe(changes, workspace), flush=True)
    try:
        offer_mending(workspace, arguments.mend)
    except OSError as error:  # the notebooks are as they were
        _refuse(reason(error))
    if refused := jupyter_refused():
        return _refuse(*refused)
    try:
        write_settings()
    except OSError as error:  # the course works without
        _refuse(say("JupyterLab has not got the course's settings."), reason(error))
    start_jupyterlab(workspace, lab_page(workspace) if is_new else "/lab", arguments.rest)
    return 0


def _refuse(*sentences: str) -> int:
    print(*sentences, file=sys.stderr, sep="\n")
    return 1


def offer_mending(workspace: Path, unasked: bool) -> None:
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
        print(say("They stay as they are. To mend them later: tutor lab --mend"))


def _wanted() -> bool:
    """Ask whether to mend, if somebody is there to answer."""
    if not (sys.stdin and sys.stdin.isatty()):
        return False
    try:
        return input(say("Mend these lines now, and change nothing else? [y/N] ")).lower() == "y"
    except EOFError:
        return False


def jupyter_refused() -> list[str]:
    """Say where Jupyter must write and may not, and how to give it another place."""
    from jupyter_core.paths import jupyter_config_dir, jupyter_data_dir, jupyter_runtime_dir

    for folder in (jupyter_config_dir(), jupyter_data_dir(), jupyter_runtime_dir()):
        try:
            os.makedirs(folder, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder) as file:
                file.write(b"a kernel's address")
        except OSError as error:
            return [
                say("Jupyter cannot write to {folder}.", folder=folder),
                reason(error),
                say(
                    "Name other folders by the variables JUPYTER_CONFIG_DIR, JUPYTER_DATA_DIR and "
                    "JUPYTER_RUNTIME_DIR, or one for all by HOME."
                ),
            ]
    return []


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


def lab_page(workspace: Path) -> str:
    """Return JupyterLab's address for the first lesson, or its front page if there is none."""
    lessons = sorted((workspace / "notebooks").glob("*.ipynb"))
    return f"/lab/tree/notebooks/{lessons[0].name}" if lessons else "/lab"


def settings_file() -> Path:
    """Return where this environment's JupyterLab looks for the course's settings."""
    from jupyterlab.commands import get_app_dir

    return Path(get_app_dir()) / "settings" / "overrides.d" / "transformer-tutor.json"


def write_settings() -> None:
    """Give this environment's JupyterLab the course's settings, if it has not got them yet."""
    write_whole(settings_file(), json.dumps(COURSE_SETTINGS, indent=1) + "\n")


def start_jupyterlab(workspace: Path, page: str, options: list[str]) -> None:
    """Run JupyterLab in this process, on the workspace, until it is stopped."""
    from jupyterlab.labapp import LabApp

    # So that `tutor` and `python` in JupyterLab's terminals are this environment's.
    os.environ["PATH"] = os.pathsep.join(
        [str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]
    )
    ours = [
        f"--ServerApp.root_dir={workspace}",
        f"--LabApp.default_url={page}",
        # Explorers of yesterday show their pictures and not "model not found".
        "--ServerApp.contents_manager_class=tutor.learner.contents.CourseContents",
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        ours.append("--allow-root")  # in a container root is often the only user there is
    LabApp.launch_instance(argv=[*ours, *options])
