"""``tutor lab``: fill the learner's workspace and open JupyterLab on it."""

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from tutor.files import write_whole
from tutor.learner.workspace import Changes, course_folder, fill

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
    parser.epilog = "All other options go to JupyterLab, for instance: --no-browser --port 8899"
    parser.set_defaults(rest=[])


def run(arguments: argparse.Namespace) -> int:
    """Fill the workspace, say what was done, and run JupyterLab until it is stopped."""
    course = course_folder()
    workspace = (arguments.workspace or course / "workspace").resolve()
    is_new = not workspace.exists()
    try:
        changes = fill(course, workspace)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    print(describe(changes, workspace), flush=True)
    write_settings()
    start_jupyterlab(workspace, lab_page(workspace) if is_new else "/lab", arguments.rest)
    return 0


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
