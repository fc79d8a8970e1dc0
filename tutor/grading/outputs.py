"""What a run writes of the whole class, beside each learner's own files."""

from collections.abc import Iterable
from pathlib import Path

from tutor.grading import exports
from tutor.grading.folder import ResultsFolder
from tutor.grading.overview import ClassTable
from tutor.grading.picture import class_page


def write_class(folder: ResultsFolder, table: ClassTable, kinds: Iterable[str] = ()) -> list[Path]:
    """Write the class's page and tables, and take away what earlier runs wrote and this did not.

    Args:
        folder: the folder of results, in which each learner's files are already.
        table: the class.
        kinds: the systems to export to, names from ``EXPORTS``.

    Returns:
        The paths of the exported files.
    """
    folder.write("class.html", class_page(table))
    for name, content in exports.grades(table).items():
        folder.write(name, content)
    exported: exports.Files = {}
    for kind in kinds:
        exported |= exports.EXPORTS[kind](table)
    folder.expect(exported)
    written = [folder.write(name, content) for name, content in exported.items()]
    folder.finish()
    return written
