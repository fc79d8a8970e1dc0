"""What a run would grade, told before anything is: who was matched to which files."""

from collections.abc import Iterator, Mapping, Sequence

from tutor.grading.collecting.file_names import lesson_in
from tutor.grading.collecting.submissions import Collected, File, Submission
from tutor.grading.collecting.times import Clock
from tutor.grading.names import shown
from tutor.say import say, say_count

_MOST_FILES = 10  # of one learner


def preview(collected: Collected, clock: Clock) -> Iterator[str]:
    """Say line by line who handed what in, and when, as far as names and times tell.

    Args:
        collected: what was found.
        clock: the class's, by which times are shown.
    """
    for submission in collected.submissions:
        yield _person(submission)
        yield from (_file(file, clock) for file in submission.files[-_MOST_FILES:])
        if (more := len(submission.files) - _MOST_FILES) > 0:
            yield say_count("    {count} older notebook.", "    {count} older notebooks.", more)
        for other in submission.others[:_MOST_FILES]:
            yield say("    {file}: {why}", file=shown(other.file), why=other.why)
        yield from (f"    {note}" for note in map(shown, submission.notes))
    count = len(collected.submissions)
    yield say_count("{count} learner.", "{count} learners.", count)
    yield say("Times are by the clock of {zone}.", zone=clock.name)


def about_assignments(columns: Sequence[str], named: Mapping[str, str]) -> Iterator[str]:
    """Say which lesson is which assignment of the list of the class, and which is none.

    Args:
        columns: what the list has beside what it tells of people.
        named: lesson -> assignment, as the teacher's table has it.
    """
    for lesson, assignment in named.items():
        yield say("{lesson} is {assignment}.", lesson=lesson, assignment=shown(assignment))
    if columns and not named:
        yield say(
            "The list of the class has the columns {columns}. A table of lesson and assignment, "
            "given with --assignments, says which of them is which lesson.",
            columns=", ".join(map(shown, columns[:_MOST_FILES])),
        )


def _person(submission: Submission) -> str:
    who = submission.who
    known = [who.name, who.login, who.number, who.email, who.group]
    about = ", ".join(dict.fromkeys(shown(one) for one in known if one and one != who.student))
    return say("{student}: {about}", student=shown(who.student), about=about or "-")


def _file(file: File, clock: Clock) -> str:
    gaps = {
        "file": shown(file.name),
        "lesson": lesson_in(file.leaf.name) or "?",
        "time": f"{clock.wall(file.time):%Y-%m-%d %H:%M}",
    }
    if file.is_handed_in:
        return say("    {lesson}, handed in {time}: {file}", **gaps)
    if file.is_late:
        return say("    {lesson}, marked as late by the platform: {file}", **gaps)
    return say("    {lesson}, dated {time}: {file}", **gaps)
