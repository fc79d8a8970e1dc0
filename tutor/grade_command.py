"""``tutor grade``: grade a folder of notebooks."""

import argparse
import os
import sys
from pathlib import Path

from tutor.exercises import lessons
from tutor.grading import exports, store
from tutor.grading.limits import Limits
from tutor.grading.overview import ClassTable, class_table
from tutor.grading.picture import class_page
from tutor.grading.run import ClassRun, Grader, Options
from tutor.grading.sandbox import unavailable

_REMEDY = """Notebooks from others run only in a sandbox. Three ways on:
  Linux: install bubblewrap (Debian, Ubuntu: sudo apt install bubblewrap) and allow user
    namespaces (Ubuntu 24.04: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0).
  macOS, Windows: in a container of Linux, from the course's folder, for instance
    docker run --rm -it --security-opt seccomp=unconfined --security-opt apparmor=unconfined
      -v "$PWD":/course -w /course python:3.12 bash
    and there: apt-get update && apt-get install -y bubblewrap && make setup, then grade.
  Your own notebooks, which you trust: --unsafe-no-sandbox."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of ``tutor grade``."""
    parser.add_argument("submissions", type=Path, help="the folder with what was handed in")
    parser.add_argument("--out", type=Path, required=True, help="the folder for results")
    parser.add_argument("--lesson", action="append", default=[], metavar="04", help="only this one")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument(
        "--seed", type=int, help="draws the hidden cases; else that of the last run"
    )
    parser.add_argument("--class-seed", help="the one printed by `tutor release`")
    parser.add_argument(
        "--export", action="append", default=[], choices=sorted(exports.EXPORTS), help="also write"
    )
    parser.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster to grade on")
    parser.add_argument(
        "--unsafe-no-sandbox",
        action="store_true",
        help="run the notebooks as programs of yours, which can do all that you can",
    )


def run(arguments: argparse.Namespace) -> int:
    """Grade, write the results, and say what to do next."""
    try:
        options = Options(
            arguments.seed, arguments.class_seed, chosen_lessons(arguments.lesson), Limits()
        )
        _refuse(arguments)
        with store.locked(arguments.out):
            return _grade(arguments, options)
    except (ValueError, OSError, store.Busy) as problem:
        print(f"tutor grade: {problem}", file=sys.stderr)
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


def _refuse(arguments: argparse.Namespace) -> None:
    if not arguments.submissions.is_dir():
        raise ValueError(f"There is no folder {arguments.submissions}.")
    if arguments.out.resolve().is_relative_to(arguments.submissions.resolve()):
        raise ValueError("The results must not lie inside the folder of submissions.")
    if arguments.workers < 1:
        raise ValueError("At least one worker is needed.")
    if arguments.unsafe_no_sandbox:
        print("Without a sandbox: only for notebooks you would run yourself.", file=sys.stderr)
    elif not arguments.scheduler and (why := unavailable()):
        raise ValueError(f"{why}.\n{_REMEDY}")


def _grade(arguments: argparse.Namespace, options: Options) -> int:
    print(f"Grading {arguments.submissions} into {arguments.out}.")
    run = ClassRun(arguments.submissions, arguments.out, options)
    students = run.grade(_grader(arguments, options))
    table = class_table(students, options.only, options.class_seed)
    store.write(arguments.out / "class.html", class_page(table))
    for name, content in exports.grades(table).items():
        store.write(arguments.out / name, content)
    written = exports.export(arguments.export, table, arguments.out)
    _summarise(table, run, arguments.out, len(written))
    return 0


def _grader(arguments: argparse.Namespace, options: Options) -> Grader:
    safe = not arguments.unsafe_no_sandbox
    if arguments.scheduler:
        from tutor.grading.cluster import Cluster  # an optional extra

        return Cluster(arguments.scheduler, options.limits, safe)
    from tutor.grading.pool import Pool

    return Pool(arguments.workers, options.limits, safe)


def _summarise(table: ClassTable, run: ClassRun, out: Path, exported: int) -> None:
    totals = [row.total for row in table.rows if row.total is not None]
    print(f"{len(table.rows)} learners, {run.reused} notebooks known from before.")
    if totals:
        mean = sum(totals) / len(totals)
        print(f"Points: {min(totals):g} to {max(totals):g} of {table.max_points}, mean {mean:.1f}.")
    flagged = sum(bool(row.flags) for row in table.rows)
    if flagged:
        print(f"{flagged} learners have something to look at; see the end of class.html.")
    if exported:
        print(f"{exported} files exported to {out / 'exports'}.")
    waiting = [row.student for row in table.rows if row.total is None]
    if waiting:
        print(f"{len(waiting)} could not be graded, through no fault of theirs. Run this again.")
    print(f"Next: open {out / 'class.html'}; each learner's page lies in {out / 'feedback'}.")
