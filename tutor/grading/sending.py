"""Feedback pages packed as platforms take them back, each named as its platform names learners."""

import io
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath

from tutor.grading.collecting.owners import owner_of
from tutor.grading.overview import ClassTable, LearnerRow

Pages = Mapping[str, bytes]
"""Learner -> page."""
Packed = dict[str, bytes]
"""Path below the folder of results -> content."""

_PAGE = "feedback.html"
_MOMENT = (1980, 1, 1, 0, 0, 0)  # the same in every archive, so that its bytes are the same


def moodle(table: ClassTable, pages: Pages) -> Packed:
    """Pack what Moodle calls "Upload multiple feedback files in a zip".

    Moodle finds the learner by the number that it has put into the name of the folder.
    """
    named = {
        f"{re.sub(r'[_/]', ' ', row.who.name)}_{row.who.id}_assignsubmission_file_/{_PAGE}": page
        for row in table.rows
        if row.who.platform == "moodle" and row.who.id and (page := pages.get(row.student))
    }
    return _zipped("exports/moodle-feedback.zip", named)


def canvas(table: ClassTable, pages: Pages) -> Packed:
    """Pack what Canvas takes as "Upload submissions": a comment with a file for each learner.

    Canvas finds learner and attempt by the numbers in the names that it has written itself.
    """
    named = {
        f"{start}feedback.html": page
        for row in table.rows
        if row.who.platform == "canvas" and (page := pages.get(row.student))
        for start in _starts(row)
    }
    return _zipped("exports/canvas-feedback.zip", named)


def _starts(row: LearnerRow) -> list[str]:
    """Give what Canvas has put before the notebooks that count, or else before any one file."""
    starts = [start for file in row.files.values() if (start := _start_of(file))]
    return starts or [start for file in row.handed_in if (start := _start_of(file))][:1]


def _start_of(file: str) -> str:
    """Give what Canvas has put before a learner's own name of a file or of the zip that holds it.

    Example:
        >>> _start_of("hw4/lovelaceada_LATE_4711_88123_hw4-1.ipynb")
        'lovelaceada_LATE_4711_88123_'
        >>> _start_of("hw4.zip/lovelaceada_4711_88123_work.zip/b_22_99_04.ipynb")
        'lovelaceada_4711_88123_'
    """
    for name in PurePosixPath(file).parts:  # the outermost is Canvas's; what it holds may look so
        owner = owner_of(name, False)
        if owner.platform == "canvas":
            return name.removesuffix(owner.rest)
    return ""


def nbgrader(table: ClassTable, pages: Pages) -> Packed:
    """Lay pages where ``nbgrader release_feedback`` looks for them."""
    return {
        f"exports/nbgrader/feedback/{row.who.login or row.student}/{lesson}/{lesson}.html": page
        for row in table.rows
        if row.who.platform == "nbgrader" and (page := pages.get(row.student))
        for lesson in row.files
        if re.fullmatch(r"\w[\w.@+-]*", row.who.login or row.student)
    }


PACKING: Mapping[str, Callable[[ClassTable, Pages], Packed]] = {
    "canvas": canvas,
    "moodle": moodle,
    "nbgrader": nbgrader,
}


def _zipped(path: str, files: Mapping[str, bytes]) -> Packed:
    """Pack files; nothing if there are none."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in _unlike(files):
            archive.writestr(zipfile.ZipInfo(name, _MOMENT), content, zipfile.ZIP_DEFLATED)
    return {path: packed.getvalue()} if files else {}


def _unlike(files: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """Give files with names that every system can unpack."""
    yield from ((re.sub(r'[\x00-\x1f<>:"|?*\\]', " ", name), files[name]) for name in sorted(files))
