"""Keeping a learner's right answers in `my_transformer.py`, beside their points."""

from pathlib import Path

from tutor.checking.calls import FunctionAnswer
from tutor.checking.examine import examine
from tutor.checking.exercise import Exercise
from tutor.exercises import lessons
from tutor.files import reason, write_whole
from tutor.learner import progress_file
from tutor.learner.history import History
from tutor.learner.one_at_a_time import BusyError, one_at_a_time
from tutor.learner.own_code import BorrowedError, NotAloneError, Taken, taken
from tutor.learner.own_file import FILE, OwnFile, Section, read, run
from tutor.learner.own_record import load_record
from tutor.say import say


class NotWrittenError(NotAloneError):
    """There is no answer yet."""


def keep(exercise: Exercise, name: str, history: History) -> str:
    """Keep an answer that was found right; say what a learner should know of it, or "".

    Nothing is kept outside a notebook, in an author's clone, or where keeping is switched off.

    Args:
        exercise: whose answer it is.
        name: what the notebook calls it.
        history: of the notebook.
    """
    try:
        folder = progress_file.place()
        if folder is None or not history.runs or not load_record(folder).keeps:
            return ""
        answer = taken(exercise.name, name, [*history.before, *history.runs], history.names)
        with one_at_a_time(folder):
            return put(folder, exercise, answer)
    except BorrowedError:
        return ""  # `borrowed` says it
    except (NotAloneError, BusyError) as why:
        return _not_kept(str(why))
    except OSError as error:
        return _not_kept(reason(error))


def borrowed(exercise: Exercise, name: str, history: History) -> str:
    """Warn of an answer that comes from the learner's own file, which is never handed in."""
    try:
        taken(exercise.name, name, [*history.before, *history.runs], history.names)
    except BorrowedError:
        return say(
            "This answer needs {file}, which is not handed in: grading will not find it. Write it "
            "into this notebook.",
            file=FILE,
        )
    except NotAloneError:
        pass
    return ""


def put(folder: Path, exercise: Exercise, answer: Taken) -> str:
    """Put an answer into a folder's file, if it is right there too; say what was done, or "".

    Raises:
        NotAloneError: it is not right there.
        OSError: the file cannot be read or written.
    """
    path, record = folder / FILE, load_record(folder)
    before = read_file(path)
    after = before.with_answer(answer, lesson_of(exercise.name), course_order())
    now, new = before.sections.get(exercise.name), after.sections[exercise.name]
    if now is not None and now.text == new.text and record.right.get(exercise.name) == new.text:
        return ""
    _still_right(exercise, after)
    record.with_right(exercise.name, new.text).write(folder)
    if now is not None and now.is_edited and now.text != new.text:
        return say(
            "{file} has another {name}, which you have edited: it stays. To put this answer there: "
            "tutor mine --restore {name}",
            file=FILE,
            name=exercise.name,
        )
    write_file(path, after)
    return say("Kept in {file}.", file=FILE) if now is None else ""


def _still_right(exercise: Exercise, file: OwnFile) -> None:
    """Run the file as it would be, and raise if the answer is not right there."""
    functions, faults = run(file)
    fault = faults.get("") or faults.get(exercise.name)
    if fault:
        raise NotAloneError(say("outside this notebook it does not run: {fault}", fault=fault))
    verdict = examine(exercise, FunctionAnswer(functions[exercise.name]))
    if verdict.status == "open":
        raise NotWrittenError(verdict.headline)
    if verdict.status != "right":
        why = [verdict.headline, *verdict.details[:1]]
        raise NotAloneError(say("outside this notebook it is not right. {why}", why=" ".join(why)))


def restore(folder: Path, name: str) -> str:
    """Put an exercise's last right answer back into a folder's file; say what was done.

    Raises:
        OSError: the file cannot be read or written.
        BusyError: somebody else was writing all the while.
    """
    with one_at_a_time(folder):
        text = load_record(folder).right.get(name)
        if text is None:
            return say("No right answer of {name} has been kept.", name=name)
        file = read_file(folder / FILE)
        section = Section.of(name, lesson_of(name), text)
        write_file(folder / FILE, file.with_section(section, course_order()))
    return say("{file} has your last right {name} again.", file=FILE, name=name)


def read_file(path: Path) -> OwnFile:
    """Read a learner's file; empty where there is none.

    Raises:
        OSError: it cannot be read.
    """
    try:
        return read(path.read_text(encoding="utf-8-sig", errors="surrogateescape"))
    except FileNotFoundError:
        return OwnFile()


def write_file(path: Path, file: OwnFile) -> None:
    """Write a learner's file in one step, its lines ending as they did.

    Raises:
        OSError: it cannot be written; the old one is then still there.
    """
    windows = path.exists() and b"\r\n" in path.read_bytes()
    text = str(file).replace("\n", "\r\n") if windows else str(file)
    write_whole(path, text.encode(errors="surrogateescape"))


def course_order() -> list[str]:
    """List all exercises in the course's order."""
    return [exercise.name for exercises in lessons().values() for exercise in exercises]


def lesson_of(name: str) -> int:
    """Give the number of the lesson that an exercise belongs to.

    Example:
        >>> lesson_of("layer_norm")
        6
    """
    return next(
        int(lesson[:2])
        for lesson, exercises in lessons().items()
        if name in [exercise.name for exercise in exercises]
    )


def _not_kept(why: str) -> str:
    return say("Not kept in {file}: {why}", file=FILE, why=why)
