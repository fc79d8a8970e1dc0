"""What a machine sees to be wrong with a translation, without reading it.

It sees what is left out or broken: a formula, a gap, a number, a bound, a negation, a heading; and
the forms that Korean loses in a program: particles that depend on a gap, emphasis that Markdown
does not close.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from babel.messages.catalog import Message

from tutor.learner.segments import KEPT

from .catalogues import key_of, translation_of

_GAP = re.compile(r"(?<!\{)\{[^{}]+\}(?!\})|%\(\w+\)[a-z]|%[rs]\b")
_NUMBER = re.compile(r"\d[\d.,]*\d|\d")
_HEADING = re.compile(r"\*\*[^*\n]+\*\* ")
_SOFT = re.compile(r"[은는이가을를과와]\([은는이가을를과와]\)|\(이\)|\(으\)로")
_GLUED = re.compile(r"\}[”’]*(은|는|이|가|을|를|과|와|으로|로|이라|라)(?=[\s,.?!]|$)")
_CLOSING = re.compile(r"(\S)(?:\*{1,2}|_)(?=[가-힣])")  # or opening: it is told by what is before
_NOT = re.compile(
    r"\b(not|no|never|none|nobody|nothing|neither|without|cannot)\b|n't\b", re.IGNORECASE
)
_NOT_KOREAN = re.compile(
    r"않|없|못|아니|아닙|아닌|아님|아직|오해|다른|안 |아무|말[고아]|금지|틀리|드뭅|빼"
)
_BOUNDS = (  # in English -> one of these stands in Korean
    (
        r"\b(more|greater|larger|longer) than \d|more than (a|an|one|two|three|four|half)\b",
        "넘|초과|보다",
    ),
    (r"\b(fewer|less|smaller) than\b", "미만|보다|안 되|못 미"),
    (r"\bat least\b", "적어도|이상|최소"),
    (r"\bat most\b", "많아야|이하|최대|넘지"),
)


def complaints(messages: Iterable[Message]) -> list[str]:
    """List what is wrong with translations; empty and fuzzy entries are none."""
    return [
        f"{what}: {translation_of(message)[:70]}"
        for message in messages
        if translation_of(message) and not message.fuzzy
        for what in wrong(key_of(message)[1], translation_of(message))
    ]


def wrong(english: str, korean: str) -> list[str]:
    """Say what is wrong with one translation.

    Example:
        >>> wrong("It has {rows} rows.", "행이 있습니다.")
        ["gaps differ: Counter({'{rows}': 1})"]
        >>> wrong("It has {rows} rows.", "행의 수: {rows}.")
        []
    """
    return [what for look in (_lost, _unlike, _glued) for what in look(english, korean)]


def _lost(english: str, korean: str) -> Iterator[str]:
    """Find what stands in the English and not in the translation."""
    yield from _differ("formulas, code or links differ", english, korean, KEPT.findall)
    if "$" not in english:
        yield from _differ("gaps differ", english, korean, _GAP.findall)
    numbers = [Counter(_NUMBER.findall(KEPT.sub("", text))) for text in (english, korean)]
    if lost := numbers[0] - numbers[1]:
        yield f"numbers are lost: {dict(lost)}"
    for bound, said in _BOUNDS:
        if (found := re.search(bound, english, re.IGNORECASE)) and not re.search(said, korean):
            yield f"a bound may be lost ({found[0]})"
    if _NOT.search(english) and not _NOT_KOREAN.search(korean):
        yield "a negation may be lost"


def _differ(
    what: str, english: str, korean: str, find: Callable[[str], list[str]]
) -> Iterator[str]:
    here, there = Counter(find(english)), Counter(find(korean))
    if here != there:
        yield f"{what}: {here - there or there - here}"


def _unlike(english: str, korean: str) -> Iterator[str]:
    """Find where the form differs: ends, headings."""
    if english[:1].isspace() != korean[:1].isspace() or (
        english[-1:].isspace() != korean[-1:].isspace()
    ):
        yield "a space at an end differs"
    if _HEADING.match(english) and not _HEADING.match(korean):
        yield "its heading in bold is gone"
    if "\n\n" in korean and "\n\n" not in english:
        yield "a paragraph has become two"


def _glued(english: str, korean: str) -> Iterator[str]:
    """Find forms that come out wrong on a page."""
    if soft := _SOFT.search(korean):
        yield f"a particle in brackets, {soft[0]}"
    if "{" in english and (glued := _GLUED.search(korean)):
        yield f"a particle that depends on a gap, {glued[0]}"
    if any(map(_keeps_open, _CLOSING.findall(korean))):
        yield "emphasis that Markdown does not close"
    if korean.count("~") > 1 and "~" not in english:
        yield "two ~ strike through what is between them"


def _keeps_open(sign: str) -> bool:
    """Say whether emphasis behind a sign does not end before a letter: it would begin there."""
    kind = unicodedata.category(sign)
    begins = kind in ("Ps", "Pi") or sign in "*_\\"
    return kind[0] in "PS" and not begins
