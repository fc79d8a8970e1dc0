"""What a run writes of the whole class, beside each learner's own files."""

from collections.abc import Collection
from pathlib import Path

from tutor.grading import changed, exports, last_run
from tutor.grading.folder import ResultsFolder
from tutor.grading.names import file_names
from tutor.grading.overview import ClassTable
from tutor.grading.picture import class_page
from tutor.grading.sending import PACKING
from tutor.grading.store import json_text


def write_class(
    folder: ResultsFolder, table: ClassTable, kinds: Collection[str] = ()
) -> list[Path]:
    """Write the class's page and tables, and take away what earlier runs wrote and this did not.

    Args:
        folder: the folder of results, in which each learner's files are already.
        table: the class.
        kinds: the systems to export to, names from ``EXPORTS``.

    Returns:
        The paths of the exported files.
    """
    folder.write("class.html", class_page(table))
    tables = exports.grades(table) | exports.statistics(table)
    now = last_run.remembered(table)
    _write_changes(folder, now)
    for name, content in tables.items():
        folder.write(name, content)
    exported: dict[str, str | bytes] = {}
    pages = _pages(folder, table) if kinds else {}
    for kind in kinds:
        exported |= exports.EXPORTS[kind](table)
        exported |= PACKING[kind](table, pages) if kind in PACKING else {}
    folder.expect(exported)
    written = [folder.write(name, content) for name, content in exported.items()]
    folder.write(last_run.FILE, json_text(now.as_data()))  # the last, for a run that is killed
    folder.finish()
    return written


def _write_changes(folder: ResultsFolder, now: last_run.Remembered) -> None:
    """Tell what is new beside the last run that came to its end, if anything is."""
    before = last_run.read_last_run(folder.path / last_run.FILE)
    if found := changed.changes(before or now, now):
        folder.write(changed.FILE, changed.changed_page(found, [*now.learners]))


def _pages(folder: ResultsFolder, table: ClassTable) -> dict[str, bytes]:
    """Read the feedback pages that are there already."""
    names = file_names(row.student for row in table.rows)
    paths = {student: folder.path / f"feedback/{name}.html" for student, name in names.items()}
    return {student: path.read_bytes() for student, path in paths.items() if path.is_file()}
