"""What pyproject.toml says of the course as published: by whom, when, where, how to cite it."""

import json
import tomllib
from typing import Any

from .files import ROOT

COLAB, BINDER = "https://colab.research.google.com", "https://mybinder.org"
_GITHUB = "https://github.com/"


def repository() -> str:
    """Give the address where the course is published; "" if pyproject.toml names none."""
    return str(project().get("urls", {}).get("Repository", ""))


def project() -> dict[str, Any]:
    """Give what pyproject.toml says of the project, with the date of its version."""
    read = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return read["project"] | {"date": read["tool"]["course"]["date"]}


def title() -> str:
    """Give the course's title, with which its description begins."""
    return str(project()["description"]).partition(":")[0]


def authors() -> str:
    """Give those who made the course, in one line."""
    return ", ".join(str(author["name"]) for author in project()["authors"])


def citation() -> str:
    """Write CITATION.cff, the form in which GitHub, Zenodo and Zotero read how to cite."""
    said = project()
    lines = {
        "cff-version": "1.2.0",
        "message": "If you teach with this course or write about it, please cite it as below.",
        "type": "software",
        "title": title(),
        "abstract": said["description"],
        "authors": [{"name": author["name"]} for author in said["authors"]],
        "version": said["version"],
        "date-released": str(said["date"]),
        "license": str(said["license"]).split(" AND ")[0],  # the code's: Zenodo takes only one
    }
    if repository():
        lines["repository-code"] = repository()
    return "".join(f"{name}: {json.dumps(value)}\n" for name, value in lines.items())


def in_colab(folder: str, name: str) -> str:
    """Give the address that opens a notebook in Colab."""
    path = repository().removeprefix(_GITHUB)
    return f"{COLAB}/github/{path}/blob/main/{folder}/{name}.ipynb"


def on_binder(folder: str = "", name: str = "") -> str:
    """Give the address that opens the course on Binder, or one of its notebooks."""
    address = f"{BINDER}/v2/gh/{repository().removeprefix(_GITHUB)}/main"
    return f"{address}?urlpath=lab/tree/{folder}/{name}.ipynb" if name else address
