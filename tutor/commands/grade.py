"""``tutor grade``: grade a folder of notebooks."""

import argparse
import sys
from dataclasses import replace

from tutor.commands.grade_options import add_how, add_seeds, add_what, add_when, add_whose
from tutor.exercises import lesson_called, lessons
from tutor.files import reason
from tutor.grading.assignments import read_assignments
from tutor.grading.choosing import CourseCells
from tutor.grading.collecting.classes import Told
from tutor.grading.collecting.files import UnreadableError
from tutor.grading.collecting.roster import Roster
from tutor.grading.collecting.roster_table import read_roster
from tutor.grading.collecting.submissions import NO_NOTEBOOK, Collected, collect
from tutor.grading.collecting.times import MACHINE, Clock
from tutor.grading.corrections import Corrections, read_corrections
from tutor.grading.folder import FolderInUseError, ResultsFolder
from tutor.grading.late import HOUR, Deadlines, read_due
from tutor.grading.limits import Limits
from tutor.grading.names import printable
from tutor.grading.outputs import write_class
from tutor.grading.overview import class_table
from tutor.grading.preview import about_assignments, preview
from tutor.grading.release import class_seed_of
from tutor.grading.run import ClassRun, Grader, Options
from tutor.grading.sandbox import unavailable
from tutor.grading.summary import about_seed, faults, summary
from tutor.learner.copies import in_every_language
from tutor.learner.course import course_folder
from tutor.learner.language import catalogue, class_language
from tutor.say import say, speak

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
    for add in (add_what, add_whose, add_seeds, add_when, add_how):
        add(parser)


def run(arguments: argparse.Namespace) -> int:
    """Grade, write the results, and say what to do next."""
    speak(catalogue(class_language(arguments.language)))
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
            course=CourseCells.of(course_folder(), in_every_language),
            limits=Limits(),
        )
        _refuse(arguments)
        if arguments.dry_run:
            roster = _roster(arguments, clock)
            _tell(*preview(_collect(arguments, roster, clock), clock))
            _tell(*about_assignments(roster.assignments, _assignments(arguments, roster)))
            return 0
        table = arguments.corrections
        lines = read_corrections(table, clock) if table else []
        roster = _roster(arguments, clock)
        assignments = _assignments(arguments, roster)
        collected = _collect(arguments, roster, clock)
        people = (submission.who for submission in collected.submissions)
        options = replace(options, corrections=Corrections(lines, people))
        folder = ResultsFolder(arguments.out)
        with folder.locked():
            return _grade(arguments, options, collected, folder, assignments)
    except (ValueError, OSError, UnreadableError, FolderInUseError) as found:
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
        lesson = lesson_called(text)
        if not lesson:
            known = ", ".join(name[:2] for name in lessons())
            sentence = "There is no lesson {lesson} with exercises; there are {known}."
            raise ValueError(say(sentence, lesson=text, known=known))
        chosen.append(lesson)
    return chosen


def _class_seed(arguments: argparse.Namespace) -> str | None:
    if arguments.released is None:
        return str(arguments.class_seed) if arguments.class_seed is not None else None
    kept = class_seed_of(arguments.released)
    if kept is None:
        sentence = "No seed of a class is kept in {folder}; give --class-seed."
        raise ValueError(say(sentence, folder=arguments.released))
    return kept


def _refuse(arguments: argparse.Namespace) -> None:
    if arguments.dry_run:
        return
    if arguments.out is None:
        raise ValueError(say("Say where the results go: --out FOLDER."))
    if arguments.out.resolve().is_relative_to(arguments.submissions.resolve()):
        raise ValueError(say("The results must not lie inside the folder of submissions."))
    if arguments.unsafe_no_sandbox:
        _tell(say("Without a sandbox: only for notebooks you would run yourself."), error=True)
    elif not arguments.scheduler and (why := unavailable()):
        raise ValueError("\n".join([f"{why}.", say(_REMEDY)]))


def _roster(arguments: argparse.Namespace, clock: Clock) -> Roster:
    """Read the list of the class, if there is one.

    Raises:
        ValueError: it cannot be read, or it matters when something came and it says it in a way
            that cannot be read.
    """
    roster = read_roster(arguments.roster, clock) if arguments.roster else Roster()
    if arguments.due and roster.odd_times:
        raise ValueError("\n".join(roster.odd_times[:_MOST_TOLD]))
    return roster


def _assignments(arguments: argparse.Namespace, roster: Roster) -> dict[str, str]:
    table = arguments.assignments
    return read_assignments(table, roster.assignments) if table else {}


def _collect(arguments: argparse.Namespace, roster: Roster, clock: Clock) -> Collected:
    """Find what was handed in.

    Raises:
        ValueError: there is no notebook at all, or nothing tells whose something is.
    """
    told = Told(arguments.whole_class, arguments.one_learner)
    collected = collect(arguments.submissions, roster, told, clock)
    _tell(*collected.notes)
    if not any(submission.files for submission in collected.submissions):
        found = [other for one in collected.submissions for other in one.others]
        said = [say("No notebook was found in {folder}.", folder=arguments.submissions)]
        said += [f"  {other.file}: {other.why}" for other in found[:_MOST_TOLD]]
        notes = (note for one in collected.submissions for note in one.notes)
        said += [f"  {note}" for note in notes if note != say(NO_NOTEBOOK)]
        said += [
            say("  {file} is no notebook.", file=name) for name in collected.aside[:_MOST_TOLD]
        ]
        raise ValueError("\n".join(dict.fromkeys(said)))
    return collected


_MOST_TOLD = 10  # files in one message


def _grade(
    arguments: argparse.Namespace,
    options: Options,
    collected: Collected,
    folder: ResultsFolder,
    assignments: dict[str, str],
) -> int:
    folders = {"submissions": arguments.submissions, "out": arguments.out}
    _tell(say("Grading {submissions} into {out}.", **folders))
    if options.deadlines.due or options.corrections.has_times:
        _tell(say("Times are by the clock of {zone}.", zone=options.deadlines.clock.name))
    run = ClassRun(collected, folder, options)
    students = run.grade(_grader(arguments, options))
    if all(notebook.is_beside for student in students for notebook in student.notebooks):
        sentence = "No notebook is for lesson {lessons}, so there is nothing to grade."
        raise ValueError(say(sentence, lessons=", ".join(options.only)))
    table = class_table(students, options.only, options.class_seed)
    table = replace(table, assignments=assignments)
    written = write_class(folder, table, arguments.export)
    page, aside = arguments.out / "class.html", collected.aside[:_MOST_TOLD]
    _tell(
        *summary(table, run.reused, folder, len(written)),
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
    several = {
        "--lesson": arguments.lesson,
        "--whole-class": arguments.whole_class,
        "--one-learner": arguments.one_learner,
    }
    words = [word for option, all in several.items() for one in all for word in (option, one)]
    return [str(arguments.submissions), "--out", str(arguments.out), *words]


def _tell(*lines: str, error: bool = False) -> None:
    """Print lines; what learners wrote in them must not steer the terminal."""
    file = sys.stderr if error else sys.stdout
    for line in lines:
        print(printable(line, file.encoding), file=file)
