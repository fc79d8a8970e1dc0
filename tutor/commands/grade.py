"""``tutor grade``: grade a folder of notebooks."""

import argparse
import os
import sys
from dataclasses import replace

from tutor.commands.options import (
    SEED,
    address,
    file_there,
    folder_there,
    folder_to_write,
    number,
    something_there,
    whole,
    word,
)
from tutor.exercises import lessons
from tutor.files import reason
from tutor.grading import exports
from tutor.grading.choosing import CourseCells
from tutor.grading.collecting.files import UnreadableError
from tutor.grading.collecting.roster import Roster, read_roster
from tutor.grading.collecting.submissions import NO_NOTEBOOK, Collected, collect
from tutor.grading.collecting.times import MACHINE, Clock
from tutor.grading.corrections import Corrections, read_corrections
from tutor.grading.folder import BusyError, ResultsFolder
from tutor.grading.late import HOUR, Deadlines, read_due
from tutor.grading.limits import Limits
from tutor.grading.names import printable
from tutor.grading.outputs import write_class
from tutor.grading.overview import class_table
from tutor.grading.release import class_seed_of
from tutor.grading.run import ClassRun, Grader, Options
from tutor.grading.sandbox import unavailable
from tutor.grading.summary import about_seed, faults, summary
from tutor.learner.course import course_folder
from tutor.say import say

_REMEDY = """Notebooks from others run only in a sandbox. Three ways on:
  Linux: install bubblewrap (Debian, Ubuntu: sudo apt install bubblewrap) and allow user
    namespaces (Ubuntu 24.04: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0).
  macOS, Windows: in a container of Linux, from the course's folder, for instance
    docker run --rm -it --security-opt seccomp=unconfined --security-opt apparmor=unconfined
      -v "$PWD":/course -w /course python:3.12 bash
    and there: apt-get update && apt-get install -y bubblewrap && make setup, then grade.
  Your own notebooks, which you trust: --unsafe-no-sandbox."""

MOST_WORKERS = 256  # each is a process with a sandbox beside it


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of ``tutor grade``."""
    parser.add_argument(
        "submissions",
        type=something_there,
        help="The folder, or zip archive, with what was handed in.",
    )
    parser.add_argument(
        "--out",
        type=folder_to_write,
        required=True,
        metavar="FOLDER",
        help="The folder for the results. Named again, it is brought up to date.",
    )
    parser.add_argument(
        "--lesson",
        action="append",
        default=[],
        metavar="04",
        help="Grade this lesson only. Can be given several times.",
    )
    seed_of_class = parser.add_mutually_exclusive_group()
    seed_of_class.add_argument(
        "--class-seed",
        type=word,
        metavar="WORD",
        help="The seed of the class, as `tutor release` printed it.",
    )
    seed_of_class.add_argument(
        "--released",
        type=folder_there,
        metavar="FOLDER",
        help="The folder that `tutor release` wrote; the seed of the class is read from it.",
    )
    parser.add_argument(
        "--roster",
        type=file_there,
        metavar="FILE",
        help="The list of the class: a table that your platform exports. With it you see who is "
        "missing, and points find the way back to the right person.",
    )
    parser.add_argument(
        "--count",
        choices=("newest", "best"),
        default="newest",
        help="Which of a learner's notebooks of one lesson counts (%(default)s).",
    )
    parser.add_argument(
        "--corrections",
        type=file_there,
        metavar="FILE",
        help="A table of yours with points and comments set by hand: student, exercise, points, "
        "comment, due.",
    )
    parser.add_argument(
        "--due",
        action="append",
        default=[],
        metavar="TIME",
        help='When notebooks are due, such as "2026-03-01 18:00", or "04=2026-03-01" for one '
        "lesson. Can be given several times.",
    )
    parser.add_argument(
        "--grace",
        type=number(0, 24 * 365),
        default=0.0,
        metavar="HOURS",
        help="How much later is still in time (%(default)g).",
    )
    parser.add_argument(
        "--late",
        type=number(0, 100),
        default=0.0,
        metavar="PERCENT",
        help="What each day begun takes off the points of a late notebook (%(default)g); 100 "
        "leaves nothing.",
    )
    parser.add_argument(
        "--timezone",
        metavar="ZONE",
        help="The clock of the class, such as Europe/Berlin: times without a zone are read by it, "
        "and days are its days. Without it, this machine's.",
    )
    parser.add_argument(
        "--export",
        action="append",
        default=[],
        choices=sorted(exports.EXPORTS),
        help="Write the points for this system too. Can be given several times.",
    )
    parser.add_argument(
        "--seed",
        type=whole(*SEED),
        metavar="NUMBER",
        help="Draw the hidden cases from this number. Without it, a results folder keeps the "
        "number of its first run, and a new folder gets a fresh one.",
    )
    parser.add_argument(
        "--workers",
        type=whole(1, MOST_WORKERS),
        default=os.cpu_count() or 1,
        metavar="NUMBER",
        help="How many notebooks are graded at the same time (here %(default)s).",
    )
    parser.add_argument(
        "--scheduler",
        type=address,
        metavar="ADDRESS",
        help="Grade on the Dask cluster at this address.",
    )
    parser.add_argument(
        "--unsafe-no-sandbox",
        action="store_true",
        help="Run the notebooks as programs of yours, which can do all that you can: for your own "
        "notebooks only.",
    )


def run(arguments: argparse.Namespace) -> int:
    """Grade, write the results, and say what to do next."""
    try:
        clock = Clock.of(arguments.timezone) if arguments.timezone else MACHINE
        options = Options(
            arguments.seed,
            _class_seed(arguments),
            chosen_lessons(arguments.lesson),
            arguments.count,
            deadlines=Deadlines(
                read_due(arguments.due, clock), arguments.grace * HOUR, arguments.late / 100, clock
            ),
            course=CourseCells.of(course_folder()),
            limits=Limits(),
        )
        _refuse(arguments)
        table = arguments.corrections
        lines = read_corrections(table, clock) if table else []
        collected = _collect(arguments)
        people = (submission.who for submission in collected.submissions)
        options = replace(options, corrections=Corrections(lines, people))
        folder = ResultsFolder(arguments.out)
        with folder.locked():
            return _grade(arguments, options, collected, folder)
    except (ValueError, OSError, UnreadableError, BusyError) as found:
        problem = reason(found) if isinstance(found, OSError) else found
        _tell(say("tutor grade: {problem}", problem=problem), error=True)
        return 1


def chosen_lessons(asked: list[str]) -> list[str]:
    """Turn what was asked for, such as "04", into names of lessons.

    Raises:
        ValueError: there is no such lesson.

    Example:
        >>> chosen_lessons(["4"])
        ['04_self_attention']
    """
    chosen = []
    for text in asked:
        fitting = [name for name in lessons() if name == text or name[:2] == text.zfill(2)]
        if not fitting:
            known = ", ".join(name[:2] for name in lessons())
            raise ValueError(f"There is no lesson {text} with exercises; there are {known}.")
        chosen += fitting
    return chosen


def _class_seed(arguments: argparse.Namespace) -> str | None:
    if arguments.released is None:
        return str(arguments.class_seed) if arguments.class_seed is not None else None
    kept = class_seed_of(arguments.released)
    if kept is None:
        raise ValueError(f"No seed of a class is kept in {arguments.released}; give --class-seed.")
    return kept


def _refuse(arguments: argparse.Namespace) -> None:
    if arguments.out.resolve().is_relative_to(arguments.submissions.resolve()):
        raise ValueError("The results must not lie inside the folder of submissions.")
    if arguments.unsafe_no_sandbox:
        _tell(say("Without a sandbox: only for notebooks you would run yourself."), error=True)
    elif not arguments.scheduler and (why := unavailable()):
        raise ValueError(f"{why}.\n{_REMEDY}")


def _collect(arguments: argparse.Namespace) -> Collected:
    """Find what was handed in.

    Raises:
        ValueError: there is no notebook at all.
    """
    roster = read_roster(arguments.roster) if arguments.roster else Roster()
    collected = collect(arguments.submissions, roster)
    if not any(submission.files for submission in collected.submissions):
        found = [other for one in collected.submissions for other in one.others]
        said = [say("No notebook was found in {folder}.", folder=arguments.submissions)]
        said += [f"  {other.file}: {other.why}" for other in found[:_MOST_TOLD]]
        notes = (note for one in collected.submissions for note in one.notes)
        said += [f"  {note}" for note in notes if note != NO_NOTEBOOK]
        said += [
            say("  {file} is no notebook.", file=name) for name in collected.aside[:_MOST_TOLD]
        ]
        raise ValueError("\n".join(dict.fromkeys(said)))
    return collected


_MOST_TOLD = 10  # files in one message


def _grade(
    arguments: argparse.Namespace, options: Options, collected: Collected, folder: ResultsFolder
) -> int:
    folders = {"submissions": arguments.submissions, "out": arguments.out}
    _tell(say("Grading {submissions} into {out}.", **folders))
    if options.deadlines.due:
        _tell(say("Times are by the clock of {zone}.", zone=options.deadlines.clock.name))
    run = ClassRun(collected, folder, options)
    students = run.grade(_grader(arguments, options))
    if all(notebook.is_beside for student in students for notebook in student.notebooks):
        asked = " or ".join(options.only)
        raise ValueError(f"No notebook is for lesson {asked}, so there is nothing to grade.")
    table = class_table(students, options.only, options.class_seed)
    written = write_class(folder, table, arguments.export)
    page, aside = arguments.out / "class.html", collected.aside[:_MOST_TOLD]
    _tell(
        *summary(table, run.reused, arguments.out, len(written)),
        *about_seed(students, options.class_seed, _again(arguments)),
        *(say("Left aside: {file} is nobody's notebook.", file=name) for name in aside),
        say("Next: open {page}, which leads to each learner's page.", page=page),
    )
    failed = faults(table, students)
    _tell(*failed, error=True)
    return 1 if failed else 0


def _grader(arguments: argparse.Namespace, options: Options) -> Grader:
    safe = not arguments.unsafe_no_sandbox
    if arguments.scheduler:
        from tutor.grading.cluster import Cluster  # an optional extra

        return Cluster(arguments.scheduler, options.limits, safe)
    from tutor.grading.pool import Pool

    return Pool(arguments.workers, options.limits, safe)


def _again(arguments: argparse.Namespace) -> list[str]:
    """Give the words of this command, to which a seed of the class can be added."""
    lessons = [word for lesson in arguments.lesson for word in ("--lesson", lesson)]
    return [str(arguments.submissions), "--out", str(arguments.out), *lessons]


def _tell(*lines: str, error: bool = False) -> None:
    """Print lines; what learners wrote in them must not steer the terminal."""
    file = sys.stderr if error else sys.stdout
    for line in lines:
        print(printable(line, file.encoding), file=file)
