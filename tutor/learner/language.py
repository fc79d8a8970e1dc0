"""In which language the course speaks, and the catalogues of sentences it then speaks from.

Asked once, by the first sentence: the variable TUTOR_LANGUAGE says it, else the learner's
workspace. A language is a folder of catalogues below `tutor/data/locale/`; English is the course's
own and has none.
"""

import ast
import json
import os
import re
from functools import cache
from gettext import NullTranslations
from pathlib import Path
from typing import Any

from tutor.learner.course import PACKAGE
from tutor.learner.progress_file import MARKER, workspace_of
from tutor.learner.segments import Notebook, translated
from tutor.say import later, say, speak

CATALOGUES = PACKAGE / "data" / "locale"
ENGLISH = "en"
VARIABLE = "TUTOR_LANGUAGE"
MARKED = "language"  # the marker's word for it

_Entry = dict[str, str]
_STILL_ENGLISH = later("Not translated yet.")


class Catalogue(NullTranslations):
    """What the .po files of a language say; what is missing there, or marked fuzzy, is English.

    Args:
        texts: (context, English) -> the other language; without a context it is "".
        language: its name.

    Example:
        >>> Catalogue({("", "nothing yet"): "아직 없음"}).gettext("nothing yet")
        '아직 없음'
    """

    def __init__(self, texts: dict[tuple[str, str], str], language: str = ENGLISH) -> None:
        super().__init__()
        self._texts, self.language = texts, language

    def found(self, message: str) -> str | None:
        """Give the translation of a text without context, None if there is none."""
        return self._texts.get(("", message))

    def gettext(self, message: str) -> str:
        """Give the translation, or the English."""
        return self._texts.get(("", message), message)

    def pgettext(self, context: str, message: str) -> str:
        """Give the translation in this context, or else that without one."""
        return self._texts.get((context, message)) or self.gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Give the one translation of both, as Korean needs no plural, or the fitting English."""
        return self._texts.get(("", msgid1)) or (msgid1 if n == 1 else msgid2)


def languages() -> list[str]:
    """List the languages of the course, English first.

    Example:
        >>> "ko" in languages()
        True
    """
    return [ENGLISH, *sorted(path.name for path in CATALOGUES.iterdir() if path.is_dir())]


def known_language(language: str) -> str:
    """Give a language's name back if the course has it.

    Raises:
        ValueError: it has not; the message lists those it has.
    """
    if language not in languages():
        raise ValueError(
            say(
                "The course has no language {language!r}; it has: {known}",
                language=language,
                known=", ".join(languages()),
            )
        )
    return language


def told_language() -> str | None:
    """Say which language the variable names, None if it names none; one not known is English."""
    told = os.environ.get(VARIABLE)
    return told and (told if told in languages() else ENGLISH)


def chosen_language(folder: Path | None = None) -> str:
    """Say which language is chosen in a folder, here if none is named; one not known is English."""
    told = told_language()
    if told:
        return told
    try:
        workspace = workspace_of(folder or Path.cwd())
        return (
            marked_language(json.loads((workspace / MARKER).read_bytes())) if workspace else ENGLISH
        )
    except (OSError, ValueError):  # the folder was deleted under our feet; the marker is damaged
        return ENGLISH


def marked_language(marker: Any) -> str:
    """Read the language of a workspace from what its marker holds; English where it names none."""
    found = marker.get(MARKED) if isinstance(marker, dict) else None
    return found if isinstance(found, str) and found in languages() else ENGLISH


def speak_as_in(folder: Path, language: str | None = None) -> None:
    """Speak as a learner's folder does, which need not be the one this runs in.

    Args:
        folder: the learner's.
        language: another, if one was asked for.
    """
    wanted = language or chosen_language(folder)
    if wanted != chosen_language():
        speak(catalogue(wanted))


def chosen_catalogue() -> NullTranslations:
    """Give the sentences of the chosen language."""
    return catalogue(chosen_language())


def class_language(asked: str | None = None) -> str:
    """Say in which language a class is graded: English unless it is asked, or the variable says."""
    return asked or told_language() or ENGLISH


@cache
def catalogue(language: str) -> Catalogue:
    """Read all catalogues of a language; English has none, and so nothing in it.

    Example:
        >>> catalogue("en").gettext("nothing yet")
        'nothing yet'
    """
    files = sorted((CATALOGUES / language).glob("*.po"))
    read = [read_catalogue(file.read_text(encoding="utf-8")) for file in files]
    return Catalogue({key: text for texts in read for key, text in texts.items()}, language)


def in_language(notebook: Notebook, language: str) -> Notebook:
    """Give a notebook in a language; what is not translated stays English, and is marked so."""
    if language == ENGLISH:
        return notebook
    words = catalogue(language)
    return translated(notebook, words.found, mark=words.gettext(_STILL_ENGLISH))


def read_catalogue(content: str) -> dict[tuple[str, str], str]:
    r"""Read a .po file: (context, English) -> its translation, without empty and fuzzy entries.

    Example:
        >>> read_catalogue('msgctxt "verdict"\nmsgid "right"\nmsgstr "맞음"')
        {('verdict', 'right'): '맞음'}
    """
    entries = [_entry(block) for block in re.split(r"\n{2,}", content)]
    return {
        (entry.get("msgctxt", ""), entry["msgid"]): new
        for entry in entries
        if entry.get("msgid") and (new := entry.get("msgstr") or entry.get("msgstr[0]"))
    }


def _entry(block: str) -> _Entry:
    """Read the fields of one entry; none of an entry that is fuzzy."""
    entry: _Entry = {}
    field = ""
    for line in block.splitlines():
        if line.startswith("#,") and "fuzzy" in line:
            return {}
        if line.startswith('"'):
            entry[field] += ast.literal_eval(line)
        elif line and not line.startswith("#"):
            field, _, rest = line.partition(" ")
            entry[field] = ast.literal_eval(rest)
    return entry
