"""What a language has still to do where it is whole: nothing of it may fall behind the English.

Whole are the catalogues of the pilot, lesson 4, and all that its reader sees of the package. Other
catalogues are on their way, and are counted (`translate.py count`).
"""

from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Message

from .catalogues import key_of, names_of, path_of, read, translation_of
from .extract import SHARED, Catalogues, Found, catalogue_of
from .package_text import ERROR

WHOLE = {"lesson04", "exercises04", "hints04", "explorers04", "claims04", "package"}
MEND = (
    "`python tools/translate.py update {language}` writes the English of today into "
    "tutor/data/locale/{language}/; then translate there what is empty, read again what is "
    "fuzzy, and take that mark away. A machine's draft will do: write `# draft` above it."
)


def still_to_do(language: str, found: Catalogues) -> list[str]:
    """List what has no translation, or one of other English, where a language is whole.

    Args:
        language: as "ko".
        found: all texts of the course.
    """
    catalogues = {name: read(path_of(language, name), language) for name in names_of(language)}
    entries = {key_of(one): one for messages in catalogues.values() for one in messages}
    wanted = {one.key: one for one in _wanted(found)}
    known = {one.key for texts in found.values() for one in texts}
    return [
        *(
            f"{what}: {one.file}: {key[1][:70]!r}"
            for key, one in wanted.items()
            if (what := _state(entries.get(key)))
        ),
        *(
            f"not in the course any more: {name}.po: {english[:70]!r}"
            for name, messages in catalogues.items()
            for context, english in map(key_of, messages)
            if name in {*WHOLE, SHARED} and (context, english) not in known
        ),
    ]


def _wanted(found: Catalogues) -> Iterator[Found]:
    """Find what is to be whole: of what catalogues share, that of which one is."""
    for name in sorted(WHOLE):
        yield from (one for one in found.get(name, ()) if one.text.kind != ERROR)
    yield from (one for one in found.get(SHARED, ()) if catalogue_of(Path(one.file)) in WHOLE)


def _state(entry: Message | None) -> str:
    if entry is None or not translation_of(entry):
        return "not translated"
    return "to be read again" if entry.fuzzy else ""
