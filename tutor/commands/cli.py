"""The command ``tutor``: finds the module of the command that was asked for and runs it.

Such a module offers ``add_arguments(parser)`` and ``run(arguments)``, which returns the exit code;
it is loaded only when its command is used. A new command is one more line in ``COMMANDS``.
"""

import argparse
import contextlib
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from tutor.commands.usage import speak_argparse
from tutor.files import reason
from tutor.say import later, say

# The command's name is that of its module in this folder.
COMMANDS = {
    "lab": later("open JupyterLab on your copies of the lessons and exercises"),
    "copy": later("copy lessons and exercises into a folder of yours"),
    "solutions": later("bring the worked exercises of a lesson, for afterwards"),
    "progress": later("show which exercises are done, lesson by lesson"),
    "mine": later("run a Transformer of the functions you have written"),
    "train": later("train one of the course's models and say how good it became"),
    "doctor": later("say what is wrong with the environment, and the cure"),
    "release": later("write the exercise notebooks that a class is handed"),
    "grade": later("grade a folder of notebooks, safely"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    0 done, 1 not, 2 misused; 130 stopped by Ctrl-C, 141 by whoever stopped reading (`| head`).
    What the system refuses, as a full disk does, is one sentence.

    Args:
        argv: the command and its options; those of this process if not given.

    Example:
        >>> main([])
        usage: tutor [-h] COMMAND ...
        2
    """
    words = list(sys.argv[1:] if argv is None else argv)
    _write_in_any_encoding()
    try:
        try:
            return _run(words)
        finally:
            print(end="", flush=True)  # here a closed pipe can be caught, when Python ends not
    except KeyboardInterrupt:
        print(f"\n{say('Stopped.')}", file=sys.stderr)
        return 130
    except BrokenPipeError:
        _leave_unsaid()
        return 141
    except OSError as error:
        _leave_unsaid()
        print(f"{' '.join(['tutor', *words[:1]])}: {reason(error)}", file=sys.stderr)
        return 1


def _write_in_any_encoding() -> None:
    """Write what an old code page does not know as its number, in place of an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _leave_unsaid() -> None:
    """Throw away what could not be written, so that Python does not try again when it ends."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(argv: list[str]) -> int:
    speak_argparse()
    parser = _parser(argv[0] if argv else None)
    if not argv:
        parser.print_help()
        return 2
    # Of such a word argparse makes an empty list.
    for option in (word.removesuffix("=--") for word in argv if word.endswith("=--")):
        parser.error(say("argument {option}: -- is no value", option=option))
    arguments, rest = parser.parse_known_args(argv)
    if rest and not hasattr(arguments, "rest"):
        parser.error(say("unrecognised: {rest}", rest=" ".join(rest)))
    arguments.rest = rest
    return int(_module(arguments.command).run(arguments))


def _parser(chosen: str | None) -> argparse.ArgumentParser:
    """Describe all commands, and the options of the chosen one, whose module this loads.

    A command takes options it does not know, as ``arguments.rest``, if it sets a default for it.
    """
    parser = argparse.ArgumentParser(
        prog="tutor",
        description=say("Tools of the Transformer course, used outside its notebooks."),
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        about = say(summary)
        command = commands.add_parser(name, help=about, description=_sentence(about))
        if name == chosen:
            _module(name).add_arguments(command)
    return parser


def _module(command: str) -> Any:
    return import_module(f"tutor.commands.{command}")


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."
