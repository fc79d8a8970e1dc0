"""Why the process of a submission ended, in words for its author."""

import signal

# Windows lacks some of these; there grading refuses before it comes here.
TOO_LONG = getattr(signal, "SIGXCPU", None)
_CRASHES = ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL")


def reason(hung: bool, exit_code: int | None) -> str:
    """Say why a process ended.

    Args:
        hung: it did not reply in time and was ended.
        exit_code: its exit code, or minus the number of the signal that ended it.

    Example:
        >>> reason(False, -11)
        'it crashed Python itself (SIGSEGV).'
    """
    if hung or exit_code == TOO_LONG:
        return "it took too long."
    crashes = {getattr(signal, name, 0): name for name in _CRASHES}
    if exit_code is not None and -exit_code in crashes:
        return f"it crashed Python itself ({crashes[-exit_code]})."
    return "it ended the whole program."
