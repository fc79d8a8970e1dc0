"""What a file is that was handed in: a notebook, a script, or something that cannot be graded."""

from tutor.say import later, say

START = 1 << 16  # bytes by which a file is known

_SAID = {
    ("html", "htm", "mht", "mhtml", "webarchive"): later(
        "This is a web page (HTML), not a notebook (.ipynb), so it cannot be graded."
    ),
    ("pdf",): later("This is a PDF document, not a notebook (.ipynb), so it cannot be graded."),
    ("doc", "docx", "odt", "rtf", "pages", "hwp", "hwpx"): later(
        "This is a document of a word processor, not a notebook (.ipynb), so it cannot be graded."
    ),
    ("png", "jpg", "jpeg", "gif", "heic", "webp", "bmp", "tif", "tiff", "svg"): later(
        "This is a picture, not a notebook (.ipynb), so it cannot be graded."
    ),
    ("7z", "rar", "tar", "gz", "tgz", "xz", "bz2", "zst", "alz", "egg"): later(
        "This is an archive of a kind that is not opened here. Hand in a zip archive, or the "
        "notebook itself."
    ),
    ("zip",): later("This is an archive, not a notebook (.ipynb), so it cannot be graded."),
    ("py",): later("This is a Python script, not a notebook (.ipynb), so it cannot be graded."),
    ("lnk", "url", "webloc", "gdoc", "gsheet"): later(
        "This is a shortcut to a file, not the file, so it cannot be graded."
    ),
    ("crdownload", "part", "partial", "download"): later(
        "This is a file that was not downloaded whole, so it cannot be graded."
    ),
}
_WHY = {ending: sentence for endings, sentence in _SAID.items() for ending in endings}


def ending_of(name: str) -> str:
    """Give a file's ending in small letters, without the dot.

    Example:
        >>> ending_of("Report.PDF"), ending_of("Makefile")
        ('pdf', '')
    """
    stem, dot, ending = name.rpartition(".")
    return ending.lower() if dot and stem else ""


def is_notebook_name(name: str) -> bool:
    """Say whether this is a notebook by its name, also with an ending that a program added.

    Example:
        >>> is_notebook_name("04.ipynb.txt"), is_notebook_name("notes.txt")
        (True, False)
    """
    return ".ipynb" in name.lower() and ending_of(name) not in _WHY


def may_hold_notebook(name: str) -> bool:
    """Say whether a file with this name has to be looked into to know what it is."""
    return ending_of(name) in ("json", "txt", "") and not is_notebook_name(name)


def holds_notebook(content: bytes) -> bool:
    """Say whether a file without a notebook's name is one.

    Example:
        >>> holds_notebook(b'{"cells": []}'), holds_notebook(b"some notes")
        (True, False)
    """
    start = content[:START].lstrip(b"\xef\xbb\xbf \t\r\n")
    return start[:1] == b"{" and (b'"cells"' in start or b'"nbformat"' in start)


def is_work(name: str) -> bool:
    """Say whether a loose file is somebody's work rather than a note or a list of the teacher.

    Example:
        >>> is_work("ada.pdf"), is_work("README.md")
        (True, False)
    """
    return is_notebook_name(name) or ending_of(name) in _WHY


def why_not_graded(name: str) -> str:
    """Say in a sentence why a file that is no notebook is not graded.

    Example:
        >>> why_not_graded("photo.HEIC")
        'This is a picture, not a notebook (.ipynb), so it cannot be graded.'
    """
    why = _WHY.get(ending_of(name))
    return say(why) if why else say("This is no notebook (.ipynb), so it was left aside.")
