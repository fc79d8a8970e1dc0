"""Reads a notebook's file as honest hands leave it: other encodings, damage, other formats."""

import ast
import base64
import binascii
import json
import re
from collections.abc import Iterator
from typing import Any

from tutor.grading.inside.encodings import older

_BYTE_ORDER_MARKS = {  # those of UTF-32 begin as those of UTF-16 do
    b"\xff\xfe\x00\x00": "utf-32",
    b"\x00\x00\xfe\xff": "utf-32",
    b"\xef\xbb\xbf": "utf-8-sig",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}
_WITHOUT_MARK = {  # how "{" and what follows begins
    b"{\x00\x00\x00": "utf-32-le",
    b"\x00\x00\x00{": "utf-32-be",
    b"{\x00": "utf-16-le",
    b"\x00{": "utf-16-be",
}
_OTHER_FILES = {  # how they begin
    b"PK\x03\x04": "zip",
    b"\x1f\x8b": "gzip",
    b"%PDF": "pdf",
    b"version https://git-lfs": "git-lfs",
    b"<!": "web-page",
    b"<html": "web-page",
    b"<?xml": "web-page",
}
_BASE64 = re.compile(rb"(?:data:[\w/+.;=-]*,)?([A-Za-z0-9+/\s]{40,}={0,2})\s*")
_CONFLICT = re.compile(
    r"^<{7} .*?\n(.*?)(?:^\|{7}.*?)?^={7}\n(.*?)^>{7} .*?\n", re.MULTILINE | re.DOTALL
)
_CELL_MARK = re.compile(r"^# (?:In ?\[[\d ]*\]:?|%%.*)$", re.MULTILINE)
_DECODER = json.JSONDecoder(strict=False)  # raw control characters inside strings are kept


Note = tuple[str, dict[str, str]]
"""Something odd, as a reason and what fills the gaps of its sentence; the judge has that."""


class RefusedError(Exception):
    """There is nothing to grade in this file, for a reason of which the judge has the sentence."""

    def __init__(self, reason: str, **gaps: object) -> None:
        super().__init__(reason)
        self.note: Note = (reason, {name: str(gap) for name, gap in gaps.items()})


def read_json(content: bytes, notes: list[Note]) -> dict[str, Any]:
    """Read the notebook that a file holds, as far as it is whole.

    Args:
        content: the file's bytes.
        notes: what was odd is added to it.

    Raises:
        RefusedError: it holds none.
    """
    text = _text(_decoded(content, notes), notes)
    try:
        parsed = _whole(text, notes) or _mended(text, notes) or _python(text, notes)
    except RecursionError:
        raise RefusedError("too-deep") from None
    if parsed is None:
        raise RefusedError("damaged")
    if not isinstance(parsed, dict):
        raise RefusedError("other-json")
    inside = parsed.get("content")  # as Jupyter's server sends a notebook
    return inside if isinstance(inside, dict) and "cells" not in parsed else parsed


def _decoded(content: bytes, notes: list[Note]) -> bytes:
    """Turn base64 back into what it was."""
    if not content.strip(b"\0 \t\r\n"):
        raise RefusedError("only-empty-bytes" if content.strip() else "empty")
    for start, reason in _OTHER_FILES.items():
        if content.lstrip()[: len(start)].lower() == start.lower():
            raise RefusedError(reason)
    if found := _BASE64.fullmatch(content):
        try:
            decoded = base64.b64decode(found[1])
        except binascii.Error:
            return content
        if decoded.lstrip(b"\xef\xbb\xbf \r\n")[:1] == b"{":
            notes.append(("base64", {}))
            return decoded
    return content


def _text(content: bytes, notes: list[Note]) -> str:
    starts = {**_BYTE_ORDER_MARKS, **_WITHOUT_MARK}
    known = next((starts[start] for start in starts if content.startswith(start)), "utf-8")
    try:
        text, encoding = content.decode(known), known
    except UnicodeDecodeError:
        text, encoding = older(content)
    if encoding != "utf-8":
        notes.append(("encoding", {"encoding": encoding.upper()}))
    if text.endswith("\0"):
        notes.append(("empty-bytes", {}))
    return text.strip("\0\ufeff \t\r\n")


def _whole(text: str, notes: list[Note]) -> Any:
    """Read the notebook, or the last of several that stand one behind the other."""
    documents, left = [], text
    while left[:1] in ("{", "["):
        try:
            document, end = _DECODER.raw_decode(left)
        except ValueError:
            break
        documents.append(document)
        left = left[end:].lstrip()
    if len(documents) > 1:
        notes.append(("several", {"count": str(len(documents))}))
    if documents and left:
        notes.append(("something-follows", {}))
    return documents[-1] if documents else None


def _mended(text: str, notes: list[Note]) -> dict[str, Any] | None:
    """Read what is whole of a notebook in which Git left two versions, or that was cut off."""
    if _CONFLICT.search(text):
        for version in (r"\1", r"\2"):
            if mended := _whole(_CONFLICT.sub(version, text), []):
                notes.append(("conflict", {}))
                return dict(mended) if isinstance(mended, dict) else None
    if re.search(r"^<{7} ", text, flags=re.MULTILINE):
        raise RefusedError("conflict")
    cells = list(_leading_cells(text))
    if not cells:
        return None
    notes.append(("cut-off", {"count": str(len(cells))}))
    return {"cells": cells}


def _leading_cells(text: str) -> Iterator[Any]:
    """Read cells one by one until something is broken."""
    found = re.search(r'"cells"\s*:\s*\[', text)
    place = found.end() if found else len(text)
    while place < len(text):
        place = len(text) - len(text[place:].lstrip(", \t\r\n"))
        try:
            cell, place = _DECODER.raw_decode(text, place)
        except ValueError:
            return
        yield cell


def _python(text: str, notes: list[Note]) -> dict[str, Any] | None:
    """Read Python text as a notebook, a cell at each mark that jupytext or nbconvert sets."""
    try:
        steps = ast.parse(text).body
    except (SyntaxError, ValueError, MemoryError):
        return None
    if not any(isinstance(step, ast.FunctionDef | ast.Assign | ast.Import) for step in steps):
        return None
    notes.append(("python-text", {}))
    pieces = [piece for piece in _CELL_MARK.split(text) if piece.strip()]
    return {"cells": [{"cell_type": "code", "source": piece.strip()} for piece in pieces]}
