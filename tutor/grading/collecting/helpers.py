"""A learner's own Python files, as they lie beside a notebook that imports them."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from tutor.grading.collecting.files import UnreadableError
from tutor.grading.collecting.tree import FileEntry

MOST, LARGEST = 20, 1 << 20  # files, and bytes of one


def beside(notebook: FileEntry, helpers: Sequence[FileEntry]) -> dict[str, bytes]:
    """Read the files that a notebook can import, by their paths from its folder.

    One that lies elsewhere is laid right beside the notebook.
    """
    folder = PurePosixPath(notebook.where).parent
    files: dict[str, bytes] = {}
    for leaf in helpers[:MOST]:
        path = PurePosixPath(leaf.where)
        near = path.is_relative_to(folder)
        name = path.relative_to(folder) if near else PurePosixPath(path.name)
        try:
            content = leaf.read()
        except UnreadableError:
            continue
        if len(content) <= LARGEST and ".." not in name.parts and not name.is_absolute():
            files.setdefault(str(name), content)
    return files
