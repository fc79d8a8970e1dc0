"""What the options of commands take: numbers in a range, folders, words, addresses.

Each is a ``type=`` of argparse: what does not fit ends the command with one sentence and exit 2,
before anything was done.
"""

import argparse
import math
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from tutor.files import reason
from tutor.learner.language import known_language
from tutor.say import say

SEED = (0, 2**32 - 1)  # of torch and of everything that draws from one
_LONGEST = 100  # letters of what was typed that an answer repeats


def whole(low: int, high: int) -> Callable[[str], int]:
    """Take a whole number from low to high.

    Example:
        >>> whole(1, 64)("8")
        8
        >>> whole(1, 64)("0")
        Traceback (most recent call last):
        argparse.ArgumentTypeError: 0 is not a whole number from 1 to 64
    """

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:  # no number, or one of thousands of digits
            value = low - 1
        if not low <= value <= high:
            wanted = "{text} is not a whole number from {low} to {high}"
            raise _refused(say(wanted, text=_shown(text), low=low, high=high))
        return value

    return read


def number(low: float, high: float) -> Callable[[str], float]:
    """Take a number from low to high.

    Example:
        >>> number(0, 100)("2.5")
        2.5
        >>> number(0, 100)("nan")
        Traceback (most recent call last):
        argparse.ArgumentTypeError: nan is not a number from 0 to 100
    """

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not low <= value <= high:
            wanted = "{text} is not a number from {low:g} to {high:g}"
            raise _refused(say(wanted, text=_shown(text), low=low, high=high))
        return value

    return read


def folder_to_write(text: str) -> Path:
    """Take a folder that is there or can be made: nothing else has its name, or a parent's.

    Example:
        >>> folder_to_write("results").name
        'results'
        >>> folder_to_write(__file__)
        Traceback (most recent call last):
        argparse.ArgumentTypeError: .../options.py is no folder
    """
    path = _path(text)
    nearest = next(place for place in (path, *path.parents) if _is_there(place))
    if not nearest.is_dir():
        raise _refused(say("{path} is no folder", path=_shown(str(nearest))))
    return path


def folder_there(text: str) -> Path:
    """Take a folder that is there.

    Example:
        >>> folder_there("nowhere")
        Traceback (most recent call last):
        argparse.ArgumentTypeError: there is no folder nowhere
    """
    if not _is_there(path := _path(text)) or not path.is_dir():
        raise _refused(say("there is no folder {path}", path=_shown(text)))
    return path


def file_there(text: str) -> Path:
    """Take a file that is there.

    Example:
        >>> file_there("nowhere.csv")
        Traceback (most recent call last):
        argparse.ArgumentTypeError: there is no file nowhere.csv
    """
    if not _is_there(path := _path(text)) or path.is_dir():
        raise _refused(say("there is no file {path}", path=_shown(text)))
    return path


def something_there(text: str) -> Path:
    """Take a folder or a file that is there, by its own name where a link leads to it.

    Example:
        >>> something_there("nowhere")
        Traceback (most recent call last):
        argparse.ArgumentTypeError: there is no folder or file nowhere
    """
    if not _is_there(path := _path(text)):
        raise _refused(say("there is no folder or file {path}", path=_shown(text)))
    return path.resolve()


def word(text: str) -> str:
    """Take a word or a few, none of them empty or of signs that cannot be written down.

    Example:
        >>> word("autumn-7")
        'autumn-7'
    """
    if not text.strip() or not text.isprintable():
        raise _refused(say("{text} is no word that can be written down", text=_shown(text)))
    return text


def word_or_nothing(text: str) -> str:
    """Take a word, or nothing: the seed of notebooks that were handed out without one.

    Example:
        >>> word_or_nothing("")
        ''
    """
    return word(text) if text else text


def language(text: str) -> str:
    """Take a language that the course has.

    Example:
        >>> language("ko")
        'ko'
        >>> language("xx")
        Traceback (most recent call last):
        argparse.ArgumentTypeError: The course has no language 'xx'; it has: en, ko
    """
    try:
        return known_language(text)
    except ValueError as error:
        raise _refused(str(error)) from None


def address(text: str) -> str:
    """Take the address of a scheduler.

    Example:
        >>> address("tcp://10.0.0.1:8786")
        'tcp://10.0.0.1:8786'
        >>> address("tcp://10.0.0.1:notaport")
        Traceback (most recent call last):
        argparse.ArgumentTypeError: tcp://10.0.0.1:notaport is no address such as tcp://10.0.0.1:8786
    """
    try:
        parts = urlsplit(text if "://" in text else f"tcp://{text}")
        fits = text.isprintable() and bool(parts.hostname and parts.port)
    except ValueError:  # the port is no number, or too large a one
        fits = False
    if not fits:
        wanted = "{text} is no address such as tcp://10.0.0.1:8786"
        raise _refused(say(wanted, text=_shown(text)))
    return text


def _path(text: str) -> Path:
    if not text:
        raise _refused(say("a path is missing"))
    return Path(text)


def _is_there(path: Path) -> bool:
    """Say whether a path leads anywhere; refuse one that the system cannot follow."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:  # a name too long, a circle of links, a folder that is closed
        raise _refused(reason(error)) from None
    return True


def _shown(text: str) -> str:
    """Repeat what was typed, if it can be shown and is no page long."""
    shown = text if text.isprintable() and text.strip() else repr(text)
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}…"


def _refused(sentence: str) -> argparse.ArgumentTypeError:
    return argparse.ArgumentTypeError(sentence)
