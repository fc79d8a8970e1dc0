"""A language that nobody speaks, but into which the catalogues would be translated whole.

What a reader of it sees in 【…】 has been looked up and can be translated, or is a word of the
data, marked as such; all else was forgotten.
"""

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import cache
from gettext import NullTranslations
from html.parser import HTMLParser

from tools.authoring.translation.extract import package_files, pages, texts_of
from tutor import say

_HEADING = re.compile(r"\*\*([^*\n]+)\*\* ")
_FORMULA = re.compile(r"\$[^$]*\$")
_WORD = re.compile(r"[^\W\d_]{3,}")
# Code is the same in every language: options and what they take, paths, names with an underscore.
_CODE = re.compile(
    r"`[^`]*`|--?[a-z][\w-]*|\{[\w,.-]+\}|\b[A-Z][A-Z\d]+\b|\b\w*_\w*\b"
    r"|[^\s【】]*/[^\s【】]*|[^\s【】]+\.(?:ipynb|html|csv|json|pdf|py|txt|zip)\b"
)


def pseudo(text: str) -> str:
    """Translate; a heading in bold stays one."""
    heading = _HEADING.match(text)
    return f"**【{heading[1]}】** 【{text[heading.end() :]}】" if heading else f"【{text}】"


@cache
def known() -> set[tuple[str, str]]:
    """Read what package and site say, as a translator gets it: (context, English)."""
    found = [one.text for path in [*package_files(), *pages()] for one in texts_of(path)]
    keys = {(text.context or "", text.text) for text in found}
    return keys | {("", text.many) for text in found if text.many}


class Pseudo(NullTranslations):
    """All sentences that a translator gets, in 【…】; any other text as it is."""

    language = "x-pseudo"

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
    return _WORD.findall(unsaid(text))


def unsaid(text: str) -> str:
    """Give a text with all blank that stands in 【…】 or in a formula."""
    depth, kept = 0, []
    for sign in _FORMULA.sub(lambda formula: " " * len(formula[0]), text):
        depth += (sign == "【") - (sign == "】")
        kept.append(sign if sign.isspace() or not (depth or sign in "【】") else " ")
    return "".join(kept)


def english_in(text: str, names: Collection[str] = ()) -> list[str]:
    """List the words that would stay English, but for code and for names of somebody or something.

    Example:
        >>> english_in("【Run】 `make lab` with --port 1, Ada", ["Ada"])
        ['with']
    """
    return [word for word in left_over(_CODE.sub("", text)) if word not in names]


class _Page(HTMLParser):
    """What a page says: its text in order, and what is read or shown of its attributes."""

    SHOWN = ("alt", "aria-label", "aria-valuetext", "placeholder", "title")

    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []
        self.attributes: list[str] = []
        self.language = ""
        self._silent: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.language = dict(attrs).get("lang") or "" if tag == "html" else self.language
        self._silent += [tag] if tag in ("code", "kbd", "script", "style") else []
        self.attributes += [value or "" for name, value in attrs if name in self.SHOWN]

    def handle_endtag(self, tag: str) -> None:
        if self._silent and self._silent[-1] == tag:
            self._silent.pop()

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.text.append(data)


def english_on(html: str, names: Collection[str] = ()) -> list[str]:
    """List the words of a page that would stay English, and its language if it names another.

    Example:
        >>> english_on("<html lang='x-pseudo'><p title='a row'>【of <b>all</b>】 numbers")
        ['numbers', 'row']
    """
    page = _Page()
    page.feed(html.replace("<wbr>", ""))
    page.close()
    found = [f"lang={page.language}"] if page.language not in ("", Pseudo.language) else []
    for text in (" ".join(page.text), *page.attributes):
        found += english_in(text, names)
    return found
