"""``tutor lab``: fill the learner's workspace and open JupyterLab on it."""

import argparse
import json
import os
import sys
import tempfile
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tutor.commands.copy import add_language, bring, refuse
from tutor.commands.install import install_command
from tutor.commands.options import folder_to_write
from tutor.files import reason, write_whole
from tutor.learner.lab_words import served_folders
from tutor.learner.language import ENGLISH
from tutor.learner.workspace import usual_workspace
from tutor.say import language, say

# Settings of this environment's JupyterLab. Whatever a learner sets in JupyterLab goes before them.
COURSE_SETTINGS: dict[str, dict[str, Any]] = {
    # On subshell threads sliders and a running cell spoil each other's pyplot figures.
    "@jupyterlab/apputils-extension:kernels-settings": {"commsOverSubshells": "disabled"},
    # No questions about news, and no request to a website, when a lesson opens.
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
    # *How sure?* leads to a page of tables, which nobody wants to see as source.
    "@jupyterlab/docmanager-extension:plugin": {"defaultViewers": {"markdown": "Markdown Preview"}},
    # A button with the command's own word on it, in the language of the page. In Notebook 7, which
    # does not load the course's extension, there is no button rather than slides without notes.
    "@jupyterlab/notebook-extension:panel": {
        "toolbar": [{"name": "deck", "command": "tutor:slides", "rank": 900}]
    },
    # On slides an answer has its own step: there is nothing left to unfold.
    "@deathbeds/jupyterlab-fonts:fonts": {
        "styles": {
            "body[data-jp-deck-mode='presenting'] details::details-content": {
                "content-visibility": "visible !important",
                "block-size": "auto !important",
            },
            "body[data-jp-deck-mode='presenting'] details > summary": {"list-style": "none"},
            # A Korean line breaks between words; lines of other scripts break as before.
            ".jp-RenderedHTMLCommon": {"word-break": "keep-all"},
        }
    },
}
# JupyterLab's own menus are translated by packs, which each name a locale such as ko_KR.
TRANSLATION = "@jupyterlab/translation-extension:plugin"
PACKS = "jupyterlab.languagepack"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of ``tutor lab``; what it does not know goes on to JupyterLab."""
    parser.add_argument(
        "--workspace",
        type=folder_to_write,
        metavar="FOLDER",
        help=say(
            "The folder for your copies, made if it is not there. Without it: the one you are "
            "in, or else workspace/ in a clone of the course, or a new folder transformer-course/."
        ),
    )
    add_language(parser)
    parser.epilog = say(
        "All other options go to JupyterLab, for instance: --no-browser --port 8899"
    )
    parser.set_defaults(rest=[])


def run(arguments: argparse.Namespace) -> int:
    """Fill the workspace, say what was done, and run JupyterLab until it is stopped."""
    workspace = (arguments.workspace or usual_workspace()).resolve()
    is_new = not workspace.exists()
    if not bring(workspace, "tutor lab", "--workspace FOLDER", arguments.language):
        return 1
    if find_spec("jupyterlab") is None:
        refuse(say("JupyterLab is not installed here: {install}", install=install_command()))
        return 1
    if refused := jupyter_refused():
        refuse(*refused)
        return 1
    try:
        write_settings()
    except OSError as error:  # the course works without
        refuse(say("JupyterLab has not got the course's settings."), reason(error))
    if language() != ENGLISH and not locale_of_menus(language()):
        install = install_command(f"lab-{language()}")
        print(say("For JupyterLab's menus in your language: {install}", install=install))
    start_jupyterlab(workspace, lab_page(workspace) if is_new else "/lab", arguments.rest)
    return 0


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


def lab_page(workspace: Path) -> str:
    """Return JupyterLab's address for the first lesson, or its front page if there is none."""
    lessons = sorted((workspace / "notebooks").glob("*.ipynb"))
    return f"/lab/tree/notebooks/{lessons[0].name}" if lessons else "/lab"


def settings_file() -> Path:
    """Return where this environment's JupyterLab looks for the course's settings."""
    from jupyterlab.commands import get_app_dir

    return Path(get_app_dir()) / "settings" / "overrides.d" / "transformer-tutor.json"


def locale_of_menus(spoken: str) -> str | None:
    """Name the locale of JupyterLab's menus in a language, None if its pack is not installed.

    Example:
        >>> locale_of_menus("en")  # needs no pack
    """
    found = sorted(pack.name for pack in entry_points(group=PACKS))
    return next((name for name in found if name.partition("_")[0] == spoken), None)


def course_settings(spoken: str) -> dict[str, dict[str, Any]]:
    """Give the course's settings, with menus in its language where their pack is installed."""
    locale = locale_of_menus(spoken)
    return COURSE_SETTINGS | ({TRANSLATION: {"locale": locale}} if locale else {})


def write_settings() -> None:
    """Give this environment's JupyterLab the course's settings, if it has not got them yet."""
    write_whole(settings_file(), json.dumps(course_settings(language()), indent=1) + "\n")


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
        # Slides as large as they fit.
        *(f"--LabApp.extra_labextensions_path={folder}" for folder in served_folders(workspace)),
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        ours.append("--allow-root")  # in a container root is often the only user there is
    LabApp.launch_instance(argv=[*ours, *options])
