"""Catalogues as files: what was translated is kept when the English around it changes.

An entry whose English changed keeps its old translation, marked `fuzzy`, with the old English
beside it: until somebody has read it again, readers see the new English.
"""

import difflib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from tutor.files import write_whole
from tutor.learner.language import CATALOGUES

from .extract import Found

Key = tuple[str, str]  # context, English
_ALIKE = 0.6  # of 1: how much of a text stays when it is the same text, changed
_PROJECT = "transformer-tutor"
_BEGUN = datetime(2026, 11, 29, tzinfo=UTC)  # every file's, so that only its texts change it


def path_of(language: str, name: str) -> Path:
    """Say where a catalogue of a language lies."""
    return CATALOGUES / language / f"{name}.po"


def names_of(language: str) -> list[str]:
    """List the catalogues that a language has."""
    return sorted(path.stem for path in (CATALOGUES / language).glob("*.po"))


def read(path: Path, language: str) -> list[Message]:
    """Read the entries of a catalogue, in order."""
    with path.open("rb") as file:
        catalogue = read_po(file, locale=language, abort_invalid=True)
    return [message for message in catalogue if message.id]


def key_of(message: Message) -> Key:
    """Give what tells an entry from others."""
    english = message.id if isinstance(message.id, str) else message.id[0]
    return message.context or "", english


def translation_of(message: Message) -> str:
    """Give an entry's translation, "" if it has none."""
    text = message.string or ""
    return text if isinstance(text, str) else text[0]


def merged(found: Iterable[Found], language: str, old: Mapping[Key, Message]) -> Catalog:
    """Make a catalogue of what there is to translate, with what has been translated before."""
    catalogue = Catalog(
        locale=language,
        project=_PROJECT,
        version="1",
        creation_date=_BEGUN,
        revision_date=_BEGUN,
        fuzzy=False,
        header_comment=f"# {_PROJECT}: its texts in another language.",
    )
    free = {key: message for key, message in old.items() if translation_of(message)}
    every = list(found)
    for key in (one.key for one in every):
        free.pop(key, None)
    for one in every:
        message = _added(catalogue, one)
        former = old.get(one.key)
        if former is not None:
            _take(message, former, fuzzy=former.fuzzy, comments=former.user_comments)
        elif near := _nearest(one.key, free):
            was = f"was: {near[1]}"
            _take(message, free[near], fuzzy=True, comments=[was.replace("\n", " ")])
    return catalogue


def _added(catalogue: Catalog, one: Found) -> Message:
    text = one.text
    comments = [text.kind + (f", cell {one.place}" if one.place else "")]
    identity = (text.text, text.many) if text.many else text.text
    message = catalogue.add(
        identity, locations=[(one.file, None)], auto_comments=comments, context=text.context
    )
    message.flags.difference_update({"python-format", "python-brace-format"})  # `check` looks
    return message


def _take(message: Message, former: Message, fuzzy: bool, comments: Iterable[str]) -> None:
    """Take over a former entry's translation, unless the text was met before."""
    if translation_of(message):
        return
    old = translation_of(former)
    message.string = old if isinstance(message.id, str) else (old,)
    message.user_comments = list(comments)
    if fuzzy and old:
        message.flags.add("fuzzy")


def _nearest(key: Key, free: Mapping[Key, Message]) -> Key | None:
    """Find the former text that this one was most likely made of."""
    alike = {english: (context, english) for context, english in free if context == key[0]}
    near = difflib.get_close_matches(key[1], alike, n=1, cutoff=_ALIKE)
    return alike[near[0]] if near else None


def write(catalogue: Catalog, path: Path) -> bool:
    """Write a catalogue; say whether the file has changed."""
    content = BytesIO()
    write_po(content, catalogue, width=0, include_lineno=False)
    return write_whole(path, content.getvalue())
