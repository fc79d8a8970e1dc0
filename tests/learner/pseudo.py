"""A language that nobody speaks: what has been looked up stands in ⟦…⟧, all else was forgotten."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from gettext import NullTranslations

from tutor import say

_HEADING = re.compile(r"\*\*([^*\n]+)\*\* ")
_WORD = re.compile(r"[A-Za-z]{3,}")


def pseudo(text: str) -> str:
    """Translate; a heading in bold stays one."""
    heading = _HEADING.match(text)
    return f"**⟦{heading[1]}⟧** ⟦{text[heading.end() :]}⟧" if heading else f"⟦{text}⟧"


class Pseudo(NullTranslations):
    """All sentences in ⟦…⟧.

    Attributes:
        asked: every sentence that was looked up, with its context or "".
    """

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[tuple[str, str]] = set()

    def gettext(self, message: str) -> str:
        self.asked.add(("", message))
        return pseudo(message) if message else message

    def pgettext(self, context: str, message: str) -> str:
        self.asked.add((context, message))
        return pseudo(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self.asked.add(("", msgid1))
        return pseudo(msgid1 if n == 1 else msgid2)


@contextmanager
def spoken() -> Iterator[Pseudo]:
    """Speak it for a while."""
    before, language = say.spoken(), Pseudo()
    say.speak(language)
    try:
        yield language
    finally:
        say.speak(before)


def left_over(text: str) -> list[str]:
    """List the words that stand outside all ⟦…⟧.

    Example:
        >>> left_over("⟦rows ⟦of⟧ numbers⟧ and more")
        ['and', 'more']
    """
    depth, kept = 0, []
    for sign in text:
        depth += (sign == "⟦") - (sign == "⟧")
        kept.append(" " if depth or sign in "⟦⟧" else sign)
    return _WORD.findall("".join(kept))
