"""A learner's own Python files, as they lie beside a notebook that imports them."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from tutor.grading.collecting.files import UnreadableError, too_large
from tutor.grading.collecting.owners import Owner
from tutor.grading.collecting.tree import FileEntry
from tutor.say import say

MOST, LARGEST = 20, 1 << 20  # files, and bytes of one
_LONGEST_NAME = 200  # bytes of a file's or a folder's
OWN_MODEL = "my_transformer"  # what a learner keeps of right answers, for models that run


class Script(NamedTuple):
    """A learner's Python file, and the path by which the learner knows it."""

    leaf: FileEntry
    path: str


def script_of(owner: Owner, leaf: FileEntry) -> Script:
    """Give a Python file the name that it had before a platform put its own before it.

    What lies inside an archive or a folder that was handed in has the learner's names already.
    """
    if not owner.rest or not leaf.name.endswith(owner.rest):
        return Script(leaf, leaf.where)
    name = PurePosixPath(owner.rest).name
    if owner.platform == "canvas":  # of a second attempt, whose files it numbers
        name = re.sub(r"-\d+(?=\.py$)", "", name)
    return Script(leaf, str(PurePosixPath(leaf.where).with_name(name)))


def is_own_model(where: str) -> bool:
    """Say whether a Python file is a learner's own model, or a part of it.

    Example:
        >>> is_own_model("ada/MY_TRANSFORMER.PY"), is_own_model("ada/helpers.py")
        (True, False)
    """
    path = PurePosixPath(unicodedata.normalize("NFKC", where).casefold())
    return OWN_MODEL in (path.stem.strip(), *(part.strip() for part in path.parts[:-1]))


def why_left_out(script: Script) -> str:
    """Say why a Python file is never laid beside a notebook, or ""."""
    if is_own_model(script.path):
        return say("This is your own model, which never counts, so notebooks cannot import it.")
    if script.leaf.size > LARGEST:
        return too_large(LARGEST)
    names = PurePosixPath(script.leaf.where).parts
    if any(len(name.encode(errors="replace")) > _LONGEST_NAME for name in names):
        return say("Its name is too long for this Python script to be laid beside a notebook.")
    return ""


def beside(notebook: FileEntry, helpers: Sequence[Script]) -> dict[str, bytes]:
    """Read the files that a notebook can import, by their paths from its folder.

    One that lies elsewhere is laid right beside the notebook. Of two with one name the first is.
    """
    folder = PurePosixPath(notebook.where).parent
    files: dict[PurePosixPath, bytes] = {}
    for leaf, where in helpers[:MOST]:
        path = PurePosixPath(where)
        near = path.is_relative_to(folder)
        name = path.relative_to(folder) if near else PurePosixPath(path.name)
        if ".." in name.parts or name.is_absolute() or _is_in_the_way(name, files):
            continue
        try:
            content = leaf.start(LARGEST + 1)
        except UnreadableError:
            continue
        if len(content) <= LARGEST:
            files[name] = content
    return {str(name): content for name, content in files.items()}


def _is_in_the_way(path: PurePosixPath, others: Iterable[PurePosixPath]) -> bool:
    """Say whether a file has the name of another or of its folder, as only an archive allows."""
    return any(path == one or path in one.parents or one in path.parents for one in others)
