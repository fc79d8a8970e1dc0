"""What is kept beside the learner's own file: their last right answers, and whether to keep any."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from tutor.files import write_whole

RECORD = "my_transformer.json"


@dataclass(frozen=True)
class KeptAnswers:
    """The last right version of each section, as it was put into the file.

    Attributes:
        keeps: whether answers are kept.
        right: exercise -> code.
    """

    keeps: bool = True
    right: Mapping[str, str] = field(default_factory=dict)

    def with_right(self, exercise: str, text: str) -> "KeptAnswers":
        """Remember an exercise's latest right code."""
        return replace(self, right={**self.right, exercise: text})

    def write(self, folder: Path) -> None:
        """Write it into a folder.

        Raises:
            OSError: it cannot be written.
        """
        write_whole(folder / RECORD, json.dumps(asdict(self), indent=1, sort_keys=True) + "\n")


def load_record(folder: Path) -> KeptAnswers:
    """Read the record; one that is damaged or not there says nothing.

    Example:
        >>> load_record(Path("/"))
        KeptAnswers(keeps=True, right={})
    """
    try:
        content: Any = json.loads((folder / RECORD).read_bytes())
        right = {str(name): str(text) for name, text in content["right"].items()}
        return KeptAnswers(content["keeps"] is not False, right)
    except (OSError, ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return KeptAnswers()
