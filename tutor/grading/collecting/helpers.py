"""A learner's own Python files, as they lie beside a notebook that imports them."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
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
    """A learner's Python file.

    Attributes:
        leaf: the file.
        path: by which the learner knows it.
        numbered: another that it may be known by, or "": Canvas numbers the files of a second
            attempt, and nobody can tell its numbers from a learner's own.
    """

    leaf: FileEntry
    path: str
    numbered: str = ""


def script_of(owner: Owner, leaf: FileEntry) -> Script:
    """Give a Python file the name that it had before a platform put its own before it.

    What lies inside an archive or a folder that was handed in has the learner's names already.
    """
    if not owner.rest or not leaf.name.endswith(owner.rest):
        return Script(leaf, leaf.where)
    path = PurePosixPath(leaf.where).with_name(PurePosixPath(owner.rest).name)
    unnumbered = path.with_name(re.sub(r"-\d+(?=\.py$)", "", path.name))
    if owner.platform == "canvas" and unnumbered != path:
        return Script(leaf, str(unnumbered), str(path))
    return Script(leaf, str(path))


def named(scripts: Sequence[Script], notebooks: Sequence[FileEntry]) -> dict[str, Script]:
    """Give for each path the script that is laid there.

    Of two for one path it is the one that is given first; but one that a notebook calls by its
    number comes last where it would take the path without the number.

    Args:
        scripts: the newest first.
        notebooks: the learner's.
    """
    first = {script: script.path for script in scripts}
    if numbered := [script for script in scripts if script.numbered]:
        texts = [_start(leaf) for leaf in notebooks]
        for script in numbered:
            stem = PurePosixPath(script.numbered).stem.encode()
            if any(stem in text for text in texts):
                first[script] = script.numbered
    found: dict[str, Script] = {}
    for script, path in first.items():
        found.setdefault(path, script)
    for script in numbered:
        for path in (script.numbered, script.path):
            found.setdefault(path, script)
    return found


def _start(leaf: FileEntry) -> bytes:
    try:
        return leaf.start(LARGEST)
    except UnreadableError:
        return b""


def why_beside(script: Script, laid: Mapping[str, Script]) -> str:
    """Say where a script was laid, or ""."""
    names = [PurePosixPath(path).stem for path, one in laid.items() if one == script]
    if len(names) > 1:
        return say(
            "This is a Python script; it was laid beside the notebooks, which can import it as "
            "{name} or as {numbered}: the number may be Canvas's or the learner's.",
            name=PurePosixPath(script.path).stem,
            numbered=PurePosixPath(script.numbered).stem,
        )
    if names:
        return say(
            "This is a Python script; it was laid beside the notebooks, which can import it."
        )
    return ""


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
        return say(
            "This is a model of the learner's own. It never counts, and notebooks cannot import it."
        )
    if script.leaf.size > LARGEST:
        return too_large(LARGEST)
    names = PurePosixPath(script.leaf.where).parts
    if any(len(name.encode(errors="replace")) > _LONGEST_NAME for name in names):
        return say("Its name is too long for this Python script to be laid beside a notebook.")
    return ""


def beside(notebook: FileEntry, helpers: Mapping[str, Script]) -> dict[str, bytes]:
    """Read the files that a notebook can import, by their paths from its folder.

    One that lies elsewhere is laid right beside the notebook. Of two with one name the first is.

    Args:
        notebook: the notebook's file.
        helpers: path -> the script that is laid there.
    """
    folder = PurePosixPath(notebook.where).parent
    files: dict[PurePosixPath, bytes] = {}
    for where, script in islice(helpers.items(), MOST):
        path = PurePosixPath(where)
        near = path.is_relative_to(folder)
        name = path.relative_to(folder) if near else PurePosixPath(path.name)
        if ".." in name.parts or name.is_absolute() or _is_in_the_way(name, files):
            continue
        try:
            content = script.leaf.start(LARGEST + 1)
        except UnreadableError:
            continue
        if len(content) <= LARGEST:
            files[name] = content
    return {str(name): content for name, content in files.items()}


def _is_in_the_way(path: PurePosixPath, others: Iterable[PurePosixPath]) -> bool:
    """Say whether a file has the name of another or of its folder, as only an archive allows."""
    return any(path == one or path in one.parents or one in path.parents for one in others)
