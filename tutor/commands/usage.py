"""What argparse says of its own accord, in the reader's language."""

import argparse

from tutor.say import later, spoken

# Whatever of it a reader of the course's commands can meet; the rest speaks to programmers.
SAID_BY_ARGPARSE = (
    later("usage: "),
    later("positional arguments"),
    later("options"),
    later("show this help message and exit"),
    later("%(prog)s: error: %(message)s\n"),
    later("argument %(argument_name)s: %(message)s"),
    later("the following arguments are required: %s"),
    later("invalid choice: %(value)r (choose from %(choices)s)"),
    later("expected one argument"),
    later("not allowed with argument %s"),
    later("ambiguous option: %(option)s could match %(matches)s"),
    later("ignored explicit argument %r"),
)


def speak_argparse() -> None:
    """Let argparse look its words up where the course looks up its own.

    It calls the `gettext` that its module has imported, and hands it templates of `%`.

    Example:
        >>> speak_argparse()
        >>> print(argparse.ArgumentParser("tutor").format_usage().strip())
        usage: tutor [-h]
    """
    vars(argparse)["_"] = _looked_up


def _looked_up(words: str) -> str:
    return spoken().gettext(words) if words in SAID_BY_ARGPARSE else words
