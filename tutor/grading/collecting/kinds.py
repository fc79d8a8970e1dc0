"""What a file is that was handed in: a notebook, a script, or something that cannot be graded."""

from typing import Literal

Kind = Literal["notebook", "script", "other"]

_SAID = {
    "a web page (HTML)": ("html", "htm", "mht", "mhtml", "webarchive"),
    "a PDF document": ("pdf",),
    "a document of a word processor": ("doc", "docx", "odt", "rtf", "pages", "hwp", "hwpx"),
    "a picture": ("png", "jpg", "jpeg", "gif", "heic", "webp", "bmp", "tif", "tiff", "svg"),
    "an archive of a kind that is not opened here": (
        *("7z", "rar", "tar", "gz", "tgz", "xz", "bz2", "zst", "alz", "egg"),
    ),
    "an archive": ("zip",),
    "a Python script": ("py",),
    "a shortcut to a file, not the file": ("lnk", "url", "webloc", "gdoc", "gsheet"),
    "a file that was not downloaded whole": ("crdownload", "part", "partial", "download"),
}
_WHAT = {ending: what for what, endings in _SAID.items() for ending in endings}


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
    return ".ipynb" in name.lower() and ending_of(name) not in _WHAT


def may_hold_notebook(name: str) -> bool:
    """Say whether a file with this name has to be looked into to know what it is."""
    return ending_of(name) in ("json", "txt", "") and not is_notebook_name(name)


def holds_notebook(content: bytes) -> bool:
    """Say whether a file without a notebook's name is one.

    Example:
        >>> holds_notebook(b'{"cells": []}'), holds_notebook(b"some notes")
        (True, False)
    """
    start = content[: 1 << 16].lstrip(b"\xef\xbb\xbf \t\r\n")
    return start[:1] == b"{" and (b'"cells"' in start or b'"nbformat"' in start)


def is_work(name: str) -> bool:
    """Say whether a loose file is somebody's work rather than a note or a list of the teacher.

    Example:
        >>> is_work("ada.pdf"), is_work("README.md")
        (True, False)
    """
    return is_notebook_name(name) or ending_of(name) in _WHAT


def why_not_graded(name: str) -> str:
    """Say in a sentence why a file that is no notebook is not graded."""
    ending = ending_of(name)
    if ending in ("7z", "rar", "tar", "gz", "tgz", "xz", "bz2", "zst", "alz", "egg"):
        return (
            "This is an archive of a kind that is not opened here. Hand in a zip archive, or the "
            "notebook itself."
        )
    if ending in _WHAT:
        return f"This is {_WHAT[ending]}, not a notebook (.ipynb), so it cannot be graded."
    return "This is no notebook (.ipynb), so it was left aside."
