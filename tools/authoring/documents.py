"""What `make notebooks` writes beside the notebooks: documents made from the course itself."""

from collections.abc import Callable, Mapping
from pathlib import Path

from .claims_page import claims_page
from .files import ROOT
from .readme import README, readme

# Each document with the function that writes what it says.
DOCUMENTS: Mapping[Path, Callable[[], str]] = {
    README: readme,
    ROOT / "docs" / "claims.md": claims_page,
}


def write_documents() -> list[Path]:
    """Bring the documents up to date; return those that said something else."""
    written = []
    for path, content in DOCUMENTS.items():
        text = content()
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            written.append(path)
    return written
