"""Where the vendored files lie and how the packed ones are read and written."""

import gzip
import json
from pathlib import Path
from typing import Any

from tutor.say import say

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


def load_results(name: str) -> dict[str, Any]:
    """Read a stored measurement: ``values``, and how they came about.

    Example:
        >>> sorted(load_results("attention_cost"))
        ['command', 'seed', 'threads', 'values', 'versions', 'what']

    Raises:
        ValueError: there is no result of that name.
    """
    path = RESULTS / f"{name}.json"
    if not path.exists():
        there = sorted(found.stem for found in RESULTS.glob("*.json"))
        raise ValueError(
            say("there is no stored result {name!r}; there are {there}", name=name, there=there)
        )
    result: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return result


def pack(text: str) -> bytes:
    r"""Compress text, with no time and no file name inside: one machine gives the same bytes again.

    Example:
        >>> gzip.decompress(pack("one\ntwo\n"))
        b'one\ntwo\n'
    """
    return gzip.compress(text.encode("utf-8"), compresslevel=9, mtime=0)
