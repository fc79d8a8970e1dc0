"""The segments of a notebook: what is translated of its cells, one paragraph or string each.

Of Markdown a segment is a paragraph, a heading, an item of a list, a cell of a table or the title
of what is folded; of code see `tutor.learner.code_segments`. Whatever stands between segments
stays byte for byte, and so do ids, metadata and what the code does.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from tutor.learner.code_segments import in_code

Look = Callable[[str], str | None]  # a segment -> its translation, None if there is none
Notebook = dict[str, Any]

# What a translation keeps as it is: formulas, code, the addresses of links, tags.
KEPT = re.compile(r"\$\$.*?\$\$|\$[^$\n]+\$|`[^`\n]+`|\]\([^)\s]+\)|</?[A-Za-z][^<>]*>", re.DOTALL)

_WORD = re.compile(r"[A-Za-z]{2,}")
_LEAD = re.compile(r"\s*(?:#{1,6} +|[-*] +|\d+\. +|> ?)|<details>|<summary>")
_TAIL = re.compile(r"(?:</summary>|</details>)\s*$")
_TABLE = re.compile(r"^\|[ :|-]+\|$", re.MULTILINE)

# Lines that differ in numbers and names only: one segment for all of them.
_REPEATED = (
    (r"For the lecturer: (?P<minutes>\d+) min", "For the lecturer: {minutes} min"),
    (r"(?P<minutes>\d+) extra", "{minutes} extra"),
    (
        r"(?P<name>`\w+`) · (?P<points>\d+) points? · (?P<stars>[●○]+) · (?P<minutes>\d+) minutes",
        "{name} · {points} points · {stars} · {minutes} minutes",
    ),
    (
        r"(?P<name>`\w+`) · (?P<points>\d+) points? · (?P<stars>[●○]+) · (?P<minutes>\d+) minutes"
        r" · extra",
        "{name} · {points} points · {stars} · {minutes} minutes · extra",
    ),
)


def has_words(text: str) -> bool:
    """Say whether a text holds something to translate besides formulas, code and numbers.

    Example:
        >>> has_words("From 10 to 20"), has_words("`softmax` and"), has_words("$x W$, 3")
        (True, True, False)
    """
    return bool(_WORD.search(KEPT.sub(" ", text)))


def pieces(text: str) -> list[tuple[bool, str]]:
    """Split a cell of Markdown into (is it a segment, text); joined these are the cell again.

    Example:
        >>> pieces("## Who asks?")
        [(False, '## '), (True, 'Who asks?'), (False, '')]
    """
    found: list[tuple[bool, str]] = []
    for block in re.split(r"(\n{2,})", text):
        if not block.strip() or block.startswith(("```", "$$")):
            found.append((False, block))
        elif _TABLE.search(block):
            cells = re.split(r"(\s*(?<!\\)\|\s*|\n)", block)
            found += [(has_words(cell) and "|" not in cell, cell) for cell in cells]
        else:
            found += [piece for part in _parts(block) for piece in _framed(part)]
    return found


def _parts(block: str) -> Iterator[str]:
    """Split a block of lines where an item, a heading, a fold or a formula begins or ends."""
    part = ""
    for line in block.splitlines(keepends=True):
        if part and (_LEAD.match(line) or line.startswith("$$") or part.startswith("$$")):
            yield part
            part = ""
        part += line
    yield part


def _framed(part: str) -> list[tuple[bool, str]]:
    """Part a text from the signs of Markdown before it and behind it."""
    if part.startswith("$$"):
        return [(False, part)]
    start = 0
    while lead := _LEAD.match(part, start):
        start = lead.end()
    tail = _TAIL.search(part, start)
    end = tail.start() if tail else max(start, len(part.rstrip()))
    inside = part[start:end]
    return [(False, part[:start]), (has_words(inside), inside), (False, part[end:])]


def in_markdown(text: str, look: Look) -> str:
    """Give a cell of Markdown with every segment translated for which there is a translation.

    Example:
        >>> in_markdown("## Who asks?", {"Who asks?": "누가 묻나요?"}.get)
        '## 누가 묻나요?'
    """
    return "".join(
        new if is_segment and (new := _looked_up(piece, look)) is not None else piece
        for is_segment, piece in pieces(text)
    )


def _looked_up(text: str, look: Look) -> str | None:
    """Look up a segment; of a repeated line its pattern, filled again with the line's numbers."""
    for pattern, template in _REPEATED:
        if found := re.fullmatch(pattern, text):
            new = look(template)
            return text if new == template else new and new.format(**found.groupdict())
    return look(text)


def translated(notebook: Notebook, look: Look, mark: str = "") -> Notebook:
    """Give a notebook with its texts translated: the same cells, ids and metadata.

    Args:
        notebook: as it stands in its file.
        look: gives the translation of a segment, None if there is none.
        mark: stands below a cell of Markdown that stayed English in part, and of a notebook that
            has no translation at all below its first cell only.
    """
    known = _Counted(look)
    texts = [_translated_cell(cell, known) for cell in notebook["cells"]]
    partly = [place for place, (_, is_whole) in enumerate(texts) if not is_whole]
    marked = partly if known.translated else partly[:1]
    cells = []
    for place, (cell, (text, _)) in enumerate(zip(notebook["cells"], texts, strict=True)):
        whole = f"{text}\n\n<sub>{mark}</sub>" if mark and place in marked else text
        cells.append(cell | {"source": whole.splitlines(keepends=True)})
    return notebook | {"cells": cells}


class _Counted:
    """Looks up, and counts what had a translation and what had none."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self.translated = self.missing = 0

    def __call__(self, text: str) -> str | None:
        new = self._look(text)
        self.translated += new is not None
        self.missing += new is None
        return new


def _translated_cell(cell: dict[str, Any], known: _Counted) -> tuple[str, bool]:
    """Translate a cell, and say whether no text of it stayed English; of code that is not told."""
    text = "".join(cell["source"])
    if cell["cell_type"] != "markdown":
        return (in_code(text, known) if cell["cell_type"] == "code" else text), True
    missing = known.missing
    return in_markdown(text, known), known.missing == missing
