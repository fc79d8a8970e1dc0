"""What `make notebooks` writes beside the notebooks: documents made from the course itself."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from tutor.files import write_whole

from .claims_page import claims_page, measured_page
from .exercises_page import exercises_page
from .files import LESSONS, ROOT, notebooks_in
from .published import citation
from .readme import README, readme
from .speed_page import SPEED, speed_page

# Each document with the function that writes what it says.
DOCUMENTS: Mapping[Path, Callable[[], str]] = {
    README: readme,
    ROOT / "docs" / "claims.md": claims_page,
    ROOT / "docs" / "exercises.md": exercises_page,
    SPEED: speed_page,
    ROOT / "CITATION.cff": citation,
} | {
    ROOT / "docs" / "measured" / f"{path.stem}.md": partial(measured_page, path.stem)
    for path in notebooks_in(LESSONS)
}


def write_documents() -> list[Path]:
    """Bring the documents up to date; return those that said something else."""
    return [path for path, content in DOCUMENTS.items() if write_whole(path, content())]
