"""Where the vendored files lie and how the packed ones are read and written."""

import gzip
from pathlib import Path

HERE = Path(__file__).parent
FILES = HERE / "files"
RESULTS = HERE / "results"
CHECKPOINTS = HERE / "checkpoints"


def read_lines(name: str) -> list[str]:
    """Read a packed text file of the course as lines.

    Example:
        >>> read_lines("glove-words.txt.gz")[:3]
        ['the', ',', '.']
    """
    with gzip.open(FILES / name, "rt", encoding="utf-8", newline="\n") as file:
        return file.read().splitlines()


def pack(text: str) -> bytes:
    r"""Compress text to the same bytes whenever it is done (no time, no file name inside).

    Example:
        >>> gzip.decompress(pack("one\ntwo\n"))
        b'one\ntwo\n'
    """
    return gzip.compress(text.encode("utf-8"), compresslevel=9, mtime=0)
