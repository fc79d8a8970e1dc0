"""Reading a table that a spreadsheet or a platform has written."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from tutor.grading.collecting.files import read_file

_ENCODINGS = ("utf-8-sig", "cp949", "cp1252")


def read_table(path: Path) -> list[list[str]]:
    """Read a table with a row a line, its cells separated by commas, ; or tabs.

    Raises:
        UnreadableError: the file cannot be read.
    """
    return list(_rows(_text(read_file(path))))


def _text(content: bytes) -> str:
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", errors="replace")
    for encoding in _ENCODINGS:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return content.decode("latin-1")


def _rows(text: str) -> Iterator[list[str]]:
    start = text[:2000]
    mark = max(",;\t", key=start.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark)
    yield from ([cell.strip() for cell in row] for row in reader)
