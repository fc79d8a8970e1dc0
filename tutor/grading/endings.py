"""Why the process of a submission ended, in words for its author."""

import signal
from collections.abc import Mapping

from tutor.say import later, say

# Windows lacks some of these; there grading refuses before it comes here.
TOO_LONG = getattr(signal, "SIGXCPU", None)
_CRASHES = ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL")

# What is said where a line of a cell was run, an answer called, the file read.
CELL = {
    "too long": later("Code cell {cell}: a line took too long, and was left out."),
    "waited": later("Code cell {cell}: a line waited without computing, and was left out."),
    "crashed": later(
        "Code cell {cell}: a line crashed Python itself ({signal}), and was left out."
    ),
    "ended": later("Code cell {cell}: a line ended the whole program, and was left out."),
    "broke": later("Code cell {cell}: a line broke the sandbox, twice, and was left out."),
    "spent": later("The time for the whole notebook was used up in code cell {cell}."),
}
ANSWER = {
    "too long": later("It took too long."),
    "waited": later("It waited without computing."),
    "crashed": later("It crashed Python itself ({signal})."),
    "ended": later("It ended the whole program."),
    "broke": later("It broke the sandbox, twice."),
    "spent": later("The time for the whole notebook was used up while this was tried."),
    "checker": later("What it returned cannot be checked: {fault}."),
}
READING = {
    "too long": later("The file could not be read: it took too long."),
    "waited": later("The file could not be read: it took too long."),
    "crashed": later("The file could not be read: it crashed Python itself ({signal})."),
    "ended": later("The file could not be read: it ended the whole program."),
    "broke": later("The file could not be read: it broke the sandbox, twice."),
    "spent": later("The file could not be read: it took too long."),
}


def kind_of(
    hung: bool,
    exit_code: int | None,
    broke: bool = False,
    fault: str = "",
    spent: bool = False,
) -> str:
    """Say in a word why a process ended.

    Args:
        hung: it did not reply, computed nothing, and was ended.
        exit_code: its exit code, or minus the number of the signal that ended it.
        broke: the sandbox ended with it.
        fault: the checker's error, if the process did not end.
        spent: the time for the whole notebook was used up.

    Example:
        >>> kind_of(False, -11)
        'crashed'
    """
    if fault:
        return "checker"
    if broke:
        return "broke"
    if spent:
        return "spent"
    if hung:
        return "waited"
    if exit_code == TOO_LONG:
        return "too long"
    return "crashed" if signal_of(exit_code) else "ended"


def told(sentences: Mapping[str, str], kind: str, **gaps: object) -> str:
    """Say why a process ended.

    Example:
        >>> told(CELL, "ended", cell=3)
        'Code cell 3: a line ended the whole program, and was left out.'
    """
    return say(sentences[kind], **gaps) if "{" in sentences[kind] else say(sentences[kind])


def signal_of(exit_code: int | None) -> str:
    """Name the signal with which a process crashed; "" if it ended otherwise."""
    crashes = {getattr(signal, name, 0): name for name in _CRASHES}
    return crashes.get(-exit_code, "") if exit_code is not None else ""
