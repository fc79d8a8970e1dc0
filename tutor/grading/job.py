"""One notebook to grade, as it is handed to whoever grades it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Job:
    """One notebook to grade.

    Attributes:
        file: its name, as results show it.
        key: digest of all that the result depends on.
        content: the file's bytes.
        lesson: which lesson the name of the file speaks of, or "".
        seed: draws the cases.
        class_seed: of the class's predictions; None believes what the notebook says.
        only: grade these lessons; empty means all.
        files: the learner's own Python files that lie beside the notebook.
        language: of the sentences in its result.
    """

    file: str
    key: str
    content: bytes
    lesson: str = ""
    seed: int = 0
    class_seed: str | None = None
    only: Sequence[str] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)
    language: str = "en"
