"""The phrasebook: dates, times, units, money and lists of names, English to French or Korean.

The phrases are the Unicode CLDR's (licence Unicode-3.0), frozen in ``files/phrasebook.tsv.gz`` by
``tools/data/phrasebook.py``, which also says how held-out combinations are kept apart.
"""

import re
import sys
from collections.abc import Sequence
from functools import cache

from tutor.data.files import read_lines
from tutor.data.pairs import Pair, Task, make_task
from tutor.say import say

_TOKEN = re.compile(r"\d+|,|[^\s\d,]+")
_COLUMN = {"fr": 3, "ko": 4}


def tokenise(text: str) -> tuple[str, ...]:
    """Cut a phrase into words, numbers and commas; ``##`` marks what is glued to its left.

    A comma is always glued, so it goes unmarked.

    Example:
        >>> tokenise("May 3, 2024")
        ('May', '3', ',', '2024')
        >>> tokenise("2024년 5월 3일")
        ('2024', '##년', '5', '##월', '3', '##일')
    """
    tokens = []
    for match in _TOKEN.finditer(text):
        glued = match.start() > 0 and not text[match.start() - 1].isspace()
        token = f"##{match[0]}" if glued and match[0] != "," else match[0]
        tokens.append(sys.intern(token))  # kept once, however many phrases have it
    return tuple(tokens)


def join(tokens: Sequence[str]) -> str:
    """Write tokens as text again.

    Example:
        >>> join(("2024", "##년", "5", "##월", "3", "##일"))
        '2024년 5월 3일'
    """
    spaced = (t if t == "," or t.startswith("##") else f" {t}" for t in tokens)
    return "".join(text.removeprefix("##") for text in spaced).strip()


@cache
def load_phrasebook(language: str) -> Task:
    """Load English and another language ("fr" or "ko") as a task.

    Example:
        >>> task = load_phrasebook("ko")
        >>> pair = next(pair for pair in task.test if pair.kind == "date")
        >>> join(pair.source), join(pair.target)
        ('February 13', '2월 13일')

    Raises:
        ValueError: for another language.
    """
    if language not in _COLUMN:
        raise ValueError(
            say(
                "language must be one of {languages}, got {language!r}",
                languages=sorted(_COLUMN),
                language=language,
            )
        )
    splits: dict[str, list[Pair]] = {}
    for line in read_lines("phrasebook.tsv.gz"):
        fields = line.split("\t")
        pair = Pair(fields[1], tokenise(fields[2]), tokenise(fields[_COLUMN[language]]))
        splits.setdefault(fields[0], []).append(pair)
    return make_task(f"phrasebook-{language}", splits, tokenise, join)


def list_length(kind: str) -> int | None:
    """Say how many names a phrase of this kind lists, if it is a list at all.

    Example:
        >>> list_length("list4"), list_length("date")
        (4, None)
    """
    return int(kind.removeprefix("list")) if kind.startswith("list") else None
