"""A language that nobody speaks, but into which the catalogues would be translated whole.

What a reader of it sees in 【…】 has been looked up and can be translated, or is a word of the
data, marked as such; all else was forgotten.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from gettext import NullTranslations

from tools.authoring.files import ROOT
from tools.authoring.translation.extract import modules, texts_of
from tutor import say

_HEADING = re.compile(r"\*\*([^*\n]+)\*\* ")
_FORMULA = re.compile(r"\$[^$]*\$")
_WORD = re.compile(r"[^\W\d_]{3,}")


def pseudo(text: str) -> str:
    """Translate; a heading in bold stays one."""
    heading = _HEADING.match(text)
    return f"**【{heading[1]}】** 【{text[heading.end() :]}】" if heading else f"【{text}】"


@cache
def known() -> set[tuple[str, str]]:
    """Read what the package says, as a translator gets it: (context, English)."""
    found = [one.text for path in modules(ROOT) for one in texts_of(path)]
    keys = {(text.context or "", text.text) for text in found}
    return keys | {("", text.many) for text in found if text.many}


class Pseudo(NullTranslations):
    """All sentences that a translator gets, in 【…】; any other text as it is."""

    def gettext(self, message: str) -> str:
        return pseudo(message) if ("", message) in known() else message

    def pgettext(self, context: str, message: str) -> str:
        return pseudo(message) if (context, message) in known() else self.gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def data(self, words: str) -> str:
        return pseudo(words)


@contextmanager
def spoken() -> Iterator[None]:
    """Speak it for a while."""
    before = say.spoken()
    say.speak(Pseudo())
    try:
        yield
    finally:
        say.speak(before)


def left_over(text: str) -> list[str]:
    """List the words that stand outside all 【…】, and outside formulas.

    Example:
        >>> left_over("【rows 【of】 numbers】 and more")
        ['and', 'more']
    """
    depth, kept = 0, []
    for sign in _FORMULA.sub(" ", text):
        depth += (sign == "【") - (sign == "】")
        kept.append(" " if depth or sign in "【】" else sign)
    return _WORD.findall("".join(kept))
