"""Names of learners: shown, turned into file names, and compared, however odd they are."""

import hashlib
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable

from tutor.checking.seeds import same_name
from tutor.say import say

_LONGEST_FILE_NAME = 100
_INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")  # control, format, surrogates, private, breaks


def shown(name: str) -> str:
    r"""Write a name so that every character of it can be seen, and no two names look the same.

    Example:
        >>> shown("Ada\u202eLovelace")
        'Ada\\u202eLovelace'
    """
    return "".join(
        character.encode("unicode_escape").decode()
        if character == "\\" or unicodedata.category(character) in _INVISIBLE
        else character
        for character in name
    )


def printable(text: str, encoding: str | None = "utf-8") -> str:
    r"""Write a text so that it cannot steer a terminal, and that its encoding can hold it.

    Example:
        >>> printable("Ada\x1b[2J, Zoë", "ascii")
        'Ada\\x1b[2J, Zo\\xeb'
    """
    safe = "".join(c if c == "\n" or is_plain(c) else ascii(c)[1:-1] for c in text)
    encoding = encoding or "utf-8"
    return safe.encode(encoding, errors="backslashreplace").decode(encoding)


def is_plain(text: str) -> bool:
    """Say whether every character of a text can be seen, blanks included."""
    return not any(unicodedata.category(character) in _INVISIBLE for character in text)


def file_names(names: Iterable[str]) -> dict[str, str]:
    """Give each name a file name of its own, also where upper and lower case are one.

    Example:
        >>> file_names(["Ada", "../ada"])
        {'Ada': 'Ada', '../ada': '%2E.%2Fada'}
    """
    safe = {name: _safe(name) for name in names}
    times = Counter(file_name.casefold() for file_name in safe.values())
    return {
        name: file_name if times[file_name.casefold()] == 1 else f"{file_name}~{_digest(name)}"
        for name, file_name in safe.items()
    }


def _safe(name: str) -> str:
    """Keep letters, digits and a few marks; write the rest as %XX."""
    text = unicodedata.normalize("NFC", name)
    kept = "".join(_safe_character(character) for character in text)
    if kept[:1] in (".", "-", ""):
        kept = f"%{ord(kept[0]):02X}{kept[1:]}" if kept else "%00"
    if kept.endswith("."):
        kept = f"{kept[:-1]}%2E"
    if len(kept.encode()) > _LONGEST_FILE_NAME:
        kept = f"{kept.encode()[:60].decode(errors='ignore')}~{_digest(name)}"
    return kept


def _safe_character(character: str) -> str:
    if unicodedata.category(character)[0] in "LN" or character in " ._-@+,()":
        return character
    if unicodedata.category(character) in ("Mn", "Mc"):  # accents and vowel signs
        return character
    encoded = character.encode("utf-8", errors="surrogatepass")
    return "".join(f"%{byte:02X}" for byte in encoded)


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()[:8]


def look_alikes(names: Iterable[str]) -> dict[str, str]:
    """Find names that could be taken for another's, with a sentence for each.

    Example:
        >>> look_alikes(["Ada", "ada", "Grace"])["Ada"]
        'This name looks like that of ada.'
    """
    groups = defaultdict(list)
    for name in names:
        groups[skeleton(name)].append(name)
    notes = {}
    for group in groups.values():
        for name in group:
            others = ", ".join(shown(other) for other in group if other != name)
            if others:
                notes[name] = say("This name looks like that of {others}.", others=others)
            elif len(_alphabets(name)) > 1:
                notes[name] = say(
                    "This name mixes alphabets: {alphabets}.", alphabets=", ".join(_alphabets(name))
                )
    return notes


def skeleton(name: str) -> str:
    """Bring names that look alike to one form: case, width, accents' encoding, blanks, marks.

    Example:
        >>> skeleton("Аda_Lovelace") == skeleton("ada lovelace")  # the first letter is Cyrillic
        True
    """
    return re.sub(r"[\W_]+", "", same_name(name).translate(_TWINS)) or name


# Letters of other alphabets that cannot be told from Latin ones in most fonts.
_TWINS = str.maketrans("аеорсухіјѕһԁвкмнтονραικυβεζμτχ", "aeopcyxijshdbkmhtovpaikubezmtx")


def _alphabets(name: str) -> list[str]:
    found = {unicodedata.name(c, "").split(" ")[0] for c in name if c.isalpha()}
    return sorted(found & {"LATIN", "CYRILLIC", "GREEK"})


def fits(declared: str, known: str) -> bool:
    """Say whether a declared name and what is known of a person can belong together.

    They do if they share a word; platforms also draw the words of a name together.

    Example:
        >>> fits("Anna Müller", "mueller_anna"), fits("Ada Lovelace", "lovelaceada")
        (True, True)
        >>> fits("Anna", "s123456")
        False
    """
    words, others = _words(declared), _words(known)
    drawn = ["".join(others), "".join(reversed(others))]
    mine = {*(word for word in words if len(word) > 1), "".join(words)} - {""}
    theirs = {*others, *drawn}
    return not mine.isdisjoint(theirs) or any(word in drawn[0] for word in mine if len(word) > 2)


def _words(name: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", same_name(name))
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    composed = unicodedata.normalize("NFC", plain)
    return [word for word in re.split(r"[\W_]+", composed) if word]
