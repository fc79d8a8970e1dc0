"""The sentences for what the sandbox tells of a file by a reason alone."""

from collections.abc import Mapping

from tutor.say import later, say

# Why a file is refused.
REFUSALS = {
    "empty": later("The file is empty."),
    "only-empty-bytes": later(
        "The file holds nothing but empty bytes; it was not saved or sent whole."
    ),
    "zip": later("The file is a zip archive under another name. Hand in the notebook itself."),
    "gzip": later("The file is a gzip archive; unpack it first."),
    "pdf": later("The file is a PDF document, not the notebook itself."),
    "git-lfs": later(
        "The file is only a pointer of Git LFS; the notebook itself was not handed in."
    ),
    "web-page": later("The file is a web page, not the notebook itself."),
    "too-deep": later("The file is nested too deep to be a notebook."),
    "damaged": later("The file is damaged or cut off: no whole notebook is in it."),
    "other-json": later("The file is JSON, but no notebook."),
    "no-cells": later("The file is JSON, but no notebook: it has no cells."),
    "conflict": later("Git left the marks of a conflict (<<<<<<<) in the file."),
    "too-many-cells": later("The notebook has more than {most} code cells."),
    "memory": later("The file needs more memory to read than a submission gets."),
}

# What was odd about a file that is graded.
NOTES = {
    "base64": later("The file was encoded as base64; it was read as what that stands for."),
    "encoding": later("The file was saved as {encoding}; it was read as that."),
    "empty-bytes": later("The file ends in empty bytes; they were left out."),
    "several": later("The file holds {count} notebooks; the last of them was read."),
    "something-follows": later("Something follows the notebook in the file; it was left out."),
    "conflict": later("Git left a conflict (<<<<<<<) in the file; one version was read."),
    "cut-off": later("The file is damaged or cut off; the {count} cells before that were read."),
    "python-text": later("The file holds Python text, not a notebook; it was read as code."),
    "format-3": later("The notebook has an old format (nbformat 3); it was read as that."),
    "no-code-cell": later("Cell {number} holds code but is no code cell; it was read as code."),
}

LOSSES = ("cut-off", "conflict", "several")  # answers may be missing for which nobody meant it


def told(sentences: Mapping[str, str], reason: str, gaps: Mapping[str, str]) -> str:
    """Say the sentence that a table has for a reason.

    Raises:
        KeyError: the table has none, or not these gaps.

    Example:
        >>> told(NOTES, "encoding", {"encoding": "UTF-16"})
        'The file was saved as UTF-16; it was read as that.'
    """
    return say(sentences[reason], **gaps)
