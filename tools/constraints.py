"""Print constraints.txt: the exact version, installed here, of everything the course pulls in.

For authors, after trying newer versions in a fresh environment:

    python tools/constraints.py > constraints.txt
"""

import sys
import tomllib
from importlib.metadata import PackageNotFoundError, metadata, requires, version
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

OLDEST_PYTHON = "3.11.0"
PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"
HEADER = """\
# Exact versions that were tested together; pyproject.toml has the ranges that are allowed.
# Written by `python tools/constraints.py > constraints.txt`; see CONTRIBUTING.md.
"""


def direct_requirements(pyproject: Path = PYPROJECT) -> list[Requirement]:
    """Everything pyproject.toml asks for, all extras included."""
    project = tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    lines = [*project["dependencies"], *(line for extra in extras for line in extra)]
    return [Requirement(line) for line in lines]


def wanted(requirement: Requirement, extras: set[str]) -> bool:
    """Whether this platform, with one of these extras of the asking package, needs it."""
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in {"", *extras})


def closure(requirements: list[Requirement]) -> dict[str, str]:
    """Follow requirements of requirements; give name -> installed version, without build tags."""
    found: dict[str, str] = {}
    seen: set[tuple[str, str]] = set()
    waiting = [(requirement, set[str]()) for requirement in requirements]
    while waiting:
        requirement, asking_extras = waiting.pop()
        key = (str(requirement), ",".join(sorted(asking_extras)))
        if key in seen or not wanted(requirement, asking_extras):
            continue
        seen.add(key)
        found[canonicalize_name(requirement.name)] = Version(version(requirement.name)).public
        for line in requires(requirement.name) or []:
            waiting.append((Requirement(line), set(requirement.extras)))
    return found


def too_new(name: str) -> bool:
    """Whether the installed version leaves out a Python that the course allows."""
    return OLDEST_PYTHON not in SpecifierSet(metadata(name).get("Requires-Python") or "")


def main() -> int:
    try:
        found = closure(direct_requirements())
    except PackageNotFoundError as missing:
        print(f"{missing.name} is not installed here: run `make test` first.", file=sys.stderr)
        return 1
    unfit = [f"{name}=={found[name]}" for name in sorted(found) if too_new(name)]
    if unfit:
        refused = f"These do not run on Python {OLDEST_PYTHON}; install older versions:"
        print(refused, *unfit, file=sys.stderr)
        return 1
    print(HEADER + "\n".join(f"{name}=={found[name]}" for name in sorted(found)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
