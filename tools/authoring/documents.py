"""What `make notebooks` writes beside the notebooks: documents made from the course itself."""

from collections.abc import Callable, Mapping
from pathlib import Path

from tutor.files import write_whole

from .claims_page import claims_page
from .exercises_page import exercises_page
from .files import ROOT
from .readme import README, readme
from .speed_page import SPEED, speed_page

# Each document with the function that writes what it says.
DOCUMENTS: Mapping[Path, Callable[[], str]] = {
    README: readme,
    ROOT / "docs" / "claims.md": claims_page,
    ROOT / "docs" / "exercises.md": exercises_page,
    SPEED: speed_page,
}


def write_documents() -> list[Path]:
    """Bring the documents up to date; return those that said something else."""
    return [path for path, content in DOCUMENTS.items() if write_whole(path, content())]
