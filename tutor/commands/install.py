"""How the course is installed anew, as a cure to name: from where it came."""

import json
import sys
from importlib import metadata

from tutor.learner.course import is_installed
from tutor.say import say

DISTRIBUTION = "transformer-tutor"


def run_here(*words: str) -> str:
    """Write the command that runs a module in the environment of this Python.

    Example:
        >>> run_here("pip", "list").endswith(" -m pip list")
        True
    """
    return " ".join([sys.executable, "-m", *words])


def install_command(extra: str = "lab") -> str:
    """Write the command that installs the course with all that a learner's own machine needs.

    Example:
        >>> "[dev]" in install_command("dev")
        True
    """
    if not is_installed():
        command = run_here("pip", "install", "-c", "constraints.txt", "-e", f'".[{extra}]"')
        return say("{command}  (in the course's folder)", command=command)
    name, place = f"{DISTRIBUTION}[{extra}]", _place()
    return run_here("pip", "install", f'"{name} @ {place}"' if place else f'"{name}"')


def _place() -> str:
    """Return the file or repository it was installed from; "" if that was an index, or unknown."""
    try:
        noted = metadata.distribution(DISTRIBUTION).read_text("direct_url.json")
        direct = json.loads(noted or "{}")
    except (metadata.PackageNotFoundError, ValueError):
        return ""
    kind = direct.get("vcs_info", {}).get("vcs")
    return f"{kind}+{direct['url']}" if kind else str(direct.get("url", ""))
