"""The options of ``tutor grade``."""

import argparse
import os

from tutor.commands.options import (
    SEED,
    address,
    file_there,
    folder_there,
    folder_to_write,
    language,
    number,
    something_there,
    whole,
    word,
    word_or_nothing,
)
from tutor.grading import exports
from tutor.say import say

MOST_WORKERS = 256  # each is a process with a sandbox beside it


def add_what(parser: argparse.ArgumentParser) -> None:
    """Describe what is graded, and where the results go."""
    parser.add_argument(
        "submissions",
        type=something_there,
        help=say("The folder, or zip archive, with what was handed in."),
    )
    parser.add_argument(
        "--out",
        type=folder_to_write,
        metavar="FOLDER",
        help=say("The folder for the results. Named again, it is brought up to date."),
    )
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help=say("Say who was matched to which files, and when they came, and grade nothing."),
    )
    parser.add_argument(
        "--lesson",
        action="append",
        default=[],
        metavar="04",
        help=say("Grade this lesson only. Can be given several times."),
    )


def add_whose(parser: argparse.ArgumentParser) -> None:
    """Describe whose things are, and what stands beside them."""
    parser.add_argument(
        "--roster",
        type=file_there,
        metavar="FILE",
        help=say(
            "The list of the class: a table that your platform exports. With it you see who is "
            "missing, and points find the way back to the right person."
        ),
    )
    parser.add_argument(
        "--whole-class",
        type=word,
        action="append",
        default=[],
        metavar="NAME",
        help=say(
            "This folder or archive in SUBMISSIONS holds hand-ins of several people. Can be given "
            "several times, as can --one-learner."
        ),
    )
    parser.add_argument(
        "--one-learner",
        type=word,
        action="append",
        default=[],
        metavar="NAME",
        help=say(
            "This folder or archive in SUBMISSIONS is one learner's hand-in, whatever names stand "
            "in it."
        ),
    )
    parser.add_argument(
        "--count",
        choices=("newest", "best"),
        default="newest",
        help=say("Which of a learner's notebooks of one lesson counts (%(default)s)."),
    )
    parser.add_argument(
        "--corrections",
        type=file_there,
        metavar="FILE",
        help=say(
            "A table of yours with points and comments set by hand: student, exercise, points, "
            "comment, due, and mistake for what is meant for all who made it."
        ),
    )


def add_seeds(parser: argparse.ArgumentParser) -> None:
    """Describe from which seeds cases and predictions are drawn."""
    seed_of_class = parser.add_mutually_exclusive_group()
    seed_of_class.add_argument(
        "--class-seed",
        type=word_or_nothing,
        metavar="WORD",
        help=say("The seed of the class, as `tutor release` printed it."),
    )
    seed_of_class.add_argument(
        "--released",
        type=folder_there,
        metavar="FOLDER",
        help=say("The folder that `tutor release` wrote; the seed of the class is read from it."),
    )
    parser.add_argument(
        "--seed",
        type=whole(*SEED),
        metavar="NUMBER",
        help=say(
            "Draw the hidden cases from this number. Without it, a results folder keeps the "
            "number of its first run, and a new folder gets a fresh one."
        ),
    )


def add_when(parser: argparse.ArgumentParser) -> None:
    """Describe when notebooks are due, and what comes of being late."""
    parser.add_argument(
        "--due",
        action="append",
        default=[],
        metavar="TIME",
        help=say(
            'When notebooks are due, such as "2026-03-01 18:00", or "04=2026-03-01" for one '
            "lesson. Can be given several times."
        ),
    )
    parser.add_argument(
        "--grace",
        type=number(0, 24 * 365),
        default=0.0,
        metavar="HOURS",
        help=say("How much later is still in time (%(default)g)."),
    )
    parser.add_argument(
        "--late",
        type=number(0, 100),
        default=0.0,
        metavar="PERCENT",
        help=say(
            "What each day begun takes off the points of a late notebook (%(default)g); 100 "
            "leaves nothing."
        ),
    )
    parser.add_argument(
        "--timezone",
        type=word,
        metavar="ZONE",
        help=say(
            "The clock of the class, such as Europe/Berlin: times without a zone are read by it, "
            "and days are its days. Without it, this machine's."
        ),
    )


def add_how(parser: argparse.ArgumentParser) -> None:
    """Describe what is written, and by how many processes."""
    parser.add_argument(
        "--export",
        action="append",
        default=[],
        choices=sorted(exports.EXPORTS),
        help=say("Write the points for this system too. Can be given several times."),
    )
    parser.add_argument(
        "--language",
        type=language,
        metavar="NAME",
        help=say(
            "Of feedback and of the page of the class, such as ko. Tables, and names in them, stay "
            "English."
        ),
    )
    parser.add_argument(
        "--assignments",
        type=file_there,
        metavar="FILE",
        help=say(
            "A table with the columns lesson and assignment: what that system calls each lesson, "
            'such as "Homework 4 (77)".'
        ),
    )
    parser.add_argument(
        "--workers",
        type=whole(1, MOST_WORKERS),
        default=os.cpu_count() or 1,
        metavar="NUMBER",
        help=say("How many notebooks are graded at the same time (here %(default)s)."),
    )
    parser.add_argument(
        "--scheduler",
        type=address,
        metavar="ADDRESS",
        help=say("Grade on the Dask cluster at this address."),
    )
    parser.add_argument(
        "--unsafe-no-sandbox",
        action="store_true",
        help=say(
            "Run the notebooks as programs of yours, which can do all that you can: for your own "
            "notebooks only."
        ),
    )
