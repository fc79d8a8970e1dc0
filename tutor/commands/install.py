"""How the course is installed anew, as a cure to name: from where it came."""

import json
import sys
from importlib import metadata

from tutor.learner.course import is_installed

DISTRIBUTION = "transformer-tutor"


def install_command(extra: str = "lab") -> str:
    """Write the command that installs the course with all that a learner's own machine needs.

    Example:
        >>> "[dev]" in install_command("dev")
        True
    """
    pip = f"{sys.executable} -m pip install"
    if not is_installed():
        return f'{pip} -c constraints.txt -e ".[{extra}]"  (in the course\'s folder)'
    place = _place()
    return f'{pip} "{DISTRIBUTION}[{extra}]{f" @ {place}" if place else ""}"'


def _place() -> str:
    """Return the file or repository it was installed from; "" if that was an index, or unknown."""
    try:
        noted = metadata.distribution(DISTRIBUTION).read_text("direct_url.json")
        direct = json.loads(noted or "{}")
    except (metadata.PackageNotFoundError, ValueError):
        return ""
    kind = direct.get("vcs_info", {}).get("vcs")
    return f"{kind}+{direct['url']}" if kind else str(direct.get("url", ""))
