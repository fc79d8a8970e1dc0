"""Reading a table that a spreadsheet or a platform has written."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from tutor.grading.collecting.files import read_file
from tutor.grading.inside.encodings import older


def read_table(path: Path) -> list[list[str]]:
    """Read a table with a row a line, its cells separated by commas, ; or tabs.

    Raises:
        UnreadableError: the file cannot be read.
    """
    return list(_rows(_text(read_file(path))))


def _text(content: bytes) -> str:
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", errors="replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return older(content)[0]


def _rows(text: str) -> Iterator[list[str]]:
    start = text[:2000]
    mark = max(",;\t", key=start.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark)
    yield from ([cell.strip() for cell in row] for row in reader)
