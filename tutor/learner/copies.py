"""A learner's copy of one notebook: what it holds, whether it was worked on, its language."""

import hashlib
import json
from pathlib import Path
from typing import Any

from tutor.learner.folding import fold, is_reveal, unfold
from tutor.learner.language import ENGLISH, in_language, languages

LESSONS = "notebooks"
_SPOKEN = ("source", "outputs", "execution_count")  # what of a cell is in a language


def copy_of(source: Path, language: str = ENGLISH) -> bytes:
    """Give what a learner's copy of a notebook holds: a lesson's outputs left out, answers folded.

    Solutions keep theirs: who opens one wants to see the answer. A file that is no notebook is
    copied byte by byte.

    Args:
        source: the course's notebook, in English.
        language: of the copy; what is not translated stays English.
    """
    content = source.read_bytes()
    is_lesson = source.parent.name == LESSONS
    if not is_lesson and language == ENGLISH:
        return content
    try:
        notebook = in_language(json.loads(content), language)
        for cell in notebook["cells"] if is_lesson else ():
            if cell["cell_type"] == "code":
                cell["outputs"], cell["execution_count"] = [], None
            elif is_reveal(cell):
                cell["source"] = fold("".join(cell["source"])).splitlines(keepends=True)
    except (ValueError, KeyError, TypeError):
        return content
    return _written(notebook)


def in_every_language(source: Path) -> list[bytes]:
    """Give what the copies of a notebook hold, one a language of the course, English first."""
    return [copy_of(source, language) for language in languages()]


def switched(copy: bytes, former: bytes, new: bytes) -> bytes:
    """Bring a copy into another language: the cells that are as they were copied, and no others.

    These get a new copy's outputs too, as theirs are in the former language.

    Args:
        copy: the learner's notebook.
        former: the course's in the language of that.
        new: the course's in the other language.
    """
    try:
        notebook = json.loads(copy)
        before, after = _cells(former), _cells(new)
        for cell in notebook["cells"]:
            name = cell.get("id")
            if name in before and name in after and _same_text(cell, before[name]):
                cell |= {part: after[name][part] for part in _SPOKEN if part in after[name]}
    except (ValueError, KeyError, TypeError, AttributeError):
        return copy  # it is no notebook any more
    return _written(notebook)


def cells_digest(content: bytes) -> str:
    """Digest what a person wrote into a notebook: the cells' texts, but no outputs or empty cells.

    Folded or not, an answer counts the same: folding is the copy's doing, not a person's. A file
    that is no notebook counts byte by byte.
    """
    try:
        cells = json.loads(content)["cells"]
        texts = [(cell["cell_type"], _plain("".join(cell["source"]))) for cell in cells]
    except (ValueError, KeyError, TypeError):
        return digest(content)
    return digest(json.dumps([text for text in texts if text[1]]).encode())


def digest(content: bytes) -> str:
    """Digest the bytes of a file."""
    return hashlib.sha256(content).hexdigest()


def _cells(content: bytes) -> dict[str, dict[str, Any]]:
    return {cell["id"]: cell for cell in json.loads(content)["cells"]}


def _same_text(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return _plain("".join(one["source"])) == _plain("".join(other["source"]))


def _plain(text: str) -> str:
    return unfold(text).rstrip()


def _written(notebook: dict[str, Any]) -> bytes:
    return json.dumps(notebook, ensure_ascii=False, indent=1).encode() + b"\n"
