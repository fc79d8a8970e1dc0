"""Where the course is published, and the addresses that lead to its notebooks there."""

import tomllib

from .files import ROOT

COLAB, BINDER = "https://colab.research.google.com", "https://mybinder.org"
_GITHUB = "https://github.com/"


def repository() -> str:
    """Give the address where the course is published; "" if pyproject.toml names none."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return str(project.get("urls", {}).get("Repository", ""))


def in_colab(folder: str, name: str) -> str:
    """Give the address that opens a notebook in Colab."""
    path = repository().removeprefix(_GITHUB)
    return f"{COLAB}/github/{path}/blob/main/{folder}/{name}.ipynb"


def on_binder(folder: str = "", name: str = "") -> str:
    """Give the address that opens the course on Binder, or one of its notebooks."""
    address = f"{BINDER}/v2/gh/{repository().removeprefix(_GITHUB)}/main"
    return f"{address}?urlpath=lab/tree/{folder}/{name}.ipynb" if name else address
