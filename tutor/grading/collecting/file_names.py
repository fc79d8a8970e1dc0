"""What the name of a file says that its owner or a teacher gave it: the lesson and the person."""

import re
from functools import cache

from tutor.exercises import lessons

_WORDS = (
    r"lesson|homework|home ?work|hw|exercises?|assignment|task|week|sheet|notebook|nb|"
    r"lektion|blatt|aufgabe|uebung|übung|과제|실습|강|제"
)
_BETWEEN = r"[ _.\-]*"
_BY_WORD = re.compile(rf"(?<![a-z])(?:{_WORDS}){_BETWEEN}0?([1-9])(?!\d)", re.IGNORECASE)
_BY_NUMBER = re.compile(r"(?<![0-9A-Za-z])0([1-9])(?!\d)")
_DATE = re.compile(
    r"(?<!\d)20\d\d[-_.]?[01]\d[-_.]?[0-3]\d(?:[-_ T.]{1,3}[0-2]\d(?:[-_.:]?[0-5]\d){1,2})?(?!\d)"
)
_NO_LETTER, _END = r"(?<![^\W\d_])", r"(?![^\W\d_])"
# What is written beside a name and is none: attempts, lateness, copies.
_BESIDE = re.compile(
    rf"{_NO_LETTER}(?:attempt|versuch|version|try)[ _.\-]*\d+|{_NO_LETTER}v\d+(?!\w)"
    rf"|\(?{_NO_LETTER}late{_END}\)?|{_NO_LETTER}(?:copy|kopie)[ _.\-](?:of|von){_END}"
    r"|[-_ ]copy ?\d*$|의 사본|\(\d+\)",
    re.IGNORECASE,
)
_NO_PERSON = re.compile(
    r"final|finished|done|fertig|neu|new|copy|solution|solved|submissions?|answers?|exercises?|"
    r"notebook|colab|main|master|download|abgaben?|제출|완료|최종|\d+",
    re.IGNORECASE,
)
_COPY = re.compile(r"\((\d+)\)|[-_ ]copy[ _-]?(\d*)", re.IGNORECASE)


@cache
def _titles() -> dict[str, re.Pattern[str]]:
    """Give for each lesson what finds its title, with or without its number."""
    return {
        lesson: re.compile(
            rf"(?:(?<!\d)0?{lesson[1]}{_BETWEEN})?" + _BETWEEN.join(lesson[3:].split("_")),
            re.IGNORECASE,
        )
        for lesson in lessons()
    }


def _lesson_place(stem: str) -> tuple[str, int, int] | None:
    """Find where a name speaks of a lesson: by its title, else by the last number that can be it.

    Numbers of groups, dates and attempts stand before it.
    """
    for lesson, title in _titles().items():
        if found := [*title.finditer(stem)]:
            return lesson, found[-1].start(), found[-1].end()
    undated = _DATE.sub(lambda date: "~" * len(date[0]), stem)
    for numbered in (_BY_WORD, _BY_NUMBER):
        if found := [*numbered.finditer(undated)]:
            number = int(found[-1][1])
            lesson = next((name for name in lessons() if int(name[:2]) == number), "")
            return (lesson, found[-1].start(), found[-1].end()) if lesson else None
    return None


def lesson_in(name: str) -> str:
    """Give the lesson that a file's name speaks of, or "".

    Example:
        >>> lesson_in("group03_04.ipynb"), lesson_in("Self-Attention (3).ipynb")
        ('04_self_attention', '04_self_attention')
    """
    found = _lesson_place(stem_of(name))
    return found[0] if found else ""


def person_in(name: str) -> str:
    """Give the person that a file's name begins or ends with, or "" if it names nobody.

    Example:
        >>> person_in("ada_04_self_attention (1).ipynb"), person_in("04_self_attention.ipynb")
        ('ada', '')
    """
    stem = stem_of(name)
    found = _lesson_place(stem)
    if found is None:
        return ""
    _, start, end = found
    return _person(stem[:start]) or _person(stem[end:])


def _person(text: str) -> str:
    """Leave out of a part of a name what certainly is no person; nothing else is cut."""
    left = _BESIDE.sub("", _DATE.sub("", text)).strip(" _.-,;+~")
    words = [word for word in re.split(r"[\W_]+", left) if word]
    return "" if all(_NO_PERSON.fullmatch(word) for word in words) else left


def stem_of(name: str) -> str:
    """Take the ending off, also one that a browser or a mail program has added.

    Example:
        >>> stem_of("04.ipynb.txt"), stem_of("ada.zip")
        ('04', 'ada')
    """
    return re.sub(r"\.(ipynb|json|zip|py|html?|pdf|txt|docx?)\b.*$", "", name, flags=re.IGNORECASE)


def copy_number(name: str) -> int:
    """Give the number that a system puts to a second file of the same name.

    Example:
        >>> copy_number("04 (2).ipynb"), copy_number("04-Copy1.ipynb"), copy_number("04.ipynb")
        (2, 1, 0)
    """
    found = [int(a or b or 1) for a, b in _COPY.findall(stem_of(name))]
    return max(found, default=0)


def without_copy_number(name: str) -> str:
    """Give a name as it was before a system put a number to it.

    Example:
        >>> without_copy_number("04 (2).ipynb")
        '04.ipynb'
    """
    return re.sub(r"\s*\(\d+\)", "", name)
