"""What a run tells its teacher in the terminal when it is done."""

import shlex
from collections.abc import Sequence

from tutor.grading import changed
from tutor.grading.flags import odd_seeds, usual_seed
from tutor.grading.folder import ResultsFolder
from tutor.grading.names import is_plain
from tutor.grading.overview import ClassTable
from tutor.grading.students import GradedStudent
from tutor.say import say, say_count


def summary(table: ClassTable, reused: int, folder: ResultsFolder, exported: int) -> list[str]:
    """Say in a few lines what came out, and what to look at.

    Args:
        table: the class.
        reused: how many notebooks were known from an earlier run.
        folder: the folder of results, written to the end.
        exported: how many files were written for other systems.
    """
    learners = len(table.rows)
    lines = [
        say_count("{count} learner.", "{count} learners.", learners),
        say_count(
            "{count} notebook was known from before.",
            "{count} notebooks were known from before.",
            reused,
        ),
        *_points(table),
    ]
    if flagged := sum(bool(row.flags) for row in table.rows):
        lines.append(
            say_count(
                'To look at: {count} learner; see "To look at" in class.html.',
                'To look at: {count} learners; see "To look at" in class.html.',
                flagged,
            )
        )
    if (folder.path / changed.FILE).is_file():
        page = folder.path / changed.FILE
        lines.append(say("Points are others than after the last run: see {page}.", page=page))
    if exported:
        lines.append(
            say_count(
                "{count} file exported to {folder}.",
                "{count} files exported to {folder}.",
                exported,
                folder=folder.path / "exports",
            )
        )
    return lines


def _points(table: ClassTable) -> list[str]:
    totals = [row.total for row in table.rows if row.total is not None]
    if not totals or not table.max_points:
        return []
    return [
        say(
            "Points: {least:g} to {most:g} of {possible}, mean {mean:.1f}.",
            least=min(totals),
            most=max(totals),
            possible=table.max_points,
            mean=sum(totals) / len(totals),
        )
    ]


def faults(table: ClassTable, students: Sequence[GradedStudent]) -> list[str]:
    """Say who could not be graded, through no fault of theirs, and why; nothing if all could."""
    waiting = sum(row.total is None for row in table.rows)
    if not waiting:
        return []
    reasons = {one.fault: None for student in students for one in student.notebooks if one.fault}
    lines = [
        say_count(
            "{count} learner could not be graded, through no fault of theirs: the points stay "
            "empty. Run this again.",
            "{count} learners could not be graded, through no fault of theirs: their points stay "
            "empty. Run this again.",
            waiting,
        )
    ]
    return lines + [say("  The reason: {why}.", why=why.rstrip(".")) for why in list(reasons)[:3]]


def about_seed(
    students: Sequence[GradedStudent], class_seed: str | None, command: Sequence[str]
) -> list[str]:
    """Say why the class's seed may not be the right one, with the command for the likely one.

    Args:
        students: all learners.
        class_seed: the seed that was given, if any.
        command: the words of a command to which a seed can be added.
    """
    odd, usual = len(odd_seeds(students, class_seed)), usual_seed(students)
    everybody = sum(bool(student.counting()) for student in students)
    if class_seed is None:
        said = [say("No class seed was given: predictions of another class pass, too.")]
    elif 2 * odd > everybody:
        said = [_how_many(odd, everybody)]
    else:
        return []
    if not usual:
        return [*said, say("Most have none, as if they did not come from `tutor release`.")]
    if not is_plain(usual):  # what cannot be read cannot be copied either
        return [*said, say("Most have one with characters that cannot be seen.")]
    again = shlex.join(["tutor", "grade", *command, "--class-seed", usual])
    return [*said, say("With the seed that most of them have:"), f"  {again}"]


def _how_many(odd: int, everybody: int) -> str:
    if odd == everybody:
        return say("All notebooks have another class seed: did you give the right one?")
    return say(
        "The notebooks of {odd} learners of {all} have another class seed: did you give the right "
        "one?",
        odd=odd,
        all=everybody,
    )
