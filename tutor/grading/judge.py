"""Grades one notebook. The judge holds references and mistakes, and never runs learners' code."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from tutor.checking.calls import Outcome
from tutor.checking.examine import examine
from tutor.checking.exercise import Arguments, Exercise
from tutor.checking.seeds import SELF_STUDY, seed_of
from tutor.exercises import lessons
from tutor.grading.endings import TOO_LONG, reason
from tutor.grading.lesson import lesson_of, withheld_of
from tutor.grading.results import OTHER_LESSON, Graded, GradedNotebook, graded, unjudged
from tutor.grading.sandbox import Sandbox
from tutor.grading.session import Found, Opened, Session, SessionOverError
from tutor.grading.watchdog import Overdue, watchdog

TRIES = 2  # a process that ends may have been ended by the machine: what ran gets another try
NO_ANSWER = "No answer was found in the notebook."
RESEMBLES = 0.55  # my_additive resembles additive_attention


@dataclass(frozen=True)
class Job:
    """One notebook to grade.

    Attributes:
        file: its name, as results show it.
        key: digest of all that the result depends on.
        content: the file's bytes.
        lesson: which lesson the name of the file speaks of, or "".
        seed: draws the cases.
        class_seed: of the class's predictions; None believes what the notebook says.
        only: grade these lessons; empty means all.
    """

    file: str
    key: str
    content: bytes
    lesson: str = ""
    seed: int = 0
    class_seed: str | None = None
    only: Sequence[str] = ()


class SandboxedAnswer:
    """An answer that lives in the sandbox."""

    def __init__(self, session: Session, exercise: str) -> None:
        self._session, self._exercise = session, exercise

    def run(self, arguments: Arguments, gradients: bool = False) -> Outcome:
        """Call it there."""
        return self._session.call(self._exercise, arguments, gradients)


def grade(job: Job, sandbox: Sandbox) -> GradedNotebook:
    """Grade a notebook, in as many processes as its accidents need.

    Raises:
        SandboxError: the sandbox failed; the learner has no part in it.
    """
    return _Grading(job, sandbox).result()


class _StoppedError(Exception):
    """A process ended while something ran.

    Attributes:
        what: a cell's index, an exercise's name, or READING.
    """

    def __init__(self, what: int | str) -> None:
        self.what = what


READING = "the reading of the file"


@dataclass
class _Grading:
    """The state of one notebook's grading, across the processes that it needs."""

    job: Job
    sandbox: Sandbox
    lesson: str = ""
    refused: str = ""
    cells: Sequence[str] = ()
    exercises: Sequence[Exercise] = ()
    done: dict[str, Graded] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)  # in order, each once
    skipped: dict[int, str] = field(default_factory=dict)
    tries: Counter[int | str] = field(default_factory=Counter)
    found: Found = field(default_factory=lambda: Found({}, None, ""))
    defined: dict[str, list[str]] = field(default_factory=dict)  # of a cell for an exercise, or ""

    def __post_init__(self) -> None:
        self.end = time.monotonic() + self.sandbox.limits.notebook_clock

    def result(self) -> GradedNotebook:
        """Grade to the end."""
        while not self.refused and not (self.exercises and self._all_done()):
            if time.monotonic() > self.end:
                self._give_up()
            else:
                self._one_process()
        return GradedNotebook(
            file=self.job.file,
            key=self.job.key,
            lesson=self.lesson,
            refused=self.refused,
            learner=self.found.learner,
            class_seed=self.found.class_seed,
            exercises=[] if self.refused else [self.done[one.name] for one in self.exercises],
            notes=list(self.notes)[:20],
            cells=self.cells,
        )

    def _all_done(self) -> bool:
        return all(exercise.name in self.done for exercise in self.exercises)

    def _one_process(self) -> None:
        """Go as far as one process lasts, and blame what stopped it."""
        stopped, hung = None, False
        with self.sandbox.channel() as channel:
            session = Session(channel, self.sandbox.limits)
            try:
                cells = self._read(session)
                if not self.refused:
                    self._run_cells(session, cells)
                    self._examine_all(session)
            except _StoppedError as caught:
                stopped, hung = caught.what, session.hung
        if stopped is not None:
            self._blame(stopped, hung, self.sandbox.exit_code)

    def _read(self, session: Session) -> int:
        """Hand the file over and choose the lesson; give the number of cells."""
        try:
            opened = session.open(self.job.content)
            if not opened.refused and not self.exercises:
                self._choose_lesson(opened)
            self.refused = self.refused or opened.refused
            if not self.refused:
                kinds = [(exercise.name, exercise.kind) for exercise in self.exercises]
                session.begin(kinds, withheld_of(self.lesson))
        except SessionOverError:
            raise _StoppedError(READING) from None
        self.cells = opened.digests
        self.notes |= dict.fromkeys(opened.notes)
        for name, defines in zip(opened.grade_ids, opened.defines):
            self.defined.setdefault(name, []).extend(defines)
        return len(opened.grade_ids)

    def _choose_lesson(self, opened: Opened) -> None:
        lesson = lesson_of(opened, self.job.lesson)
        if not lesson:
            self.refused = "The notebook holds no exercise of the course."
        elif self.job.only and lesson not in self.job.only:
            self.refused = OTHER_LESSON
        else:
            self.lesson, self.exercises = lesson, lessons()[lesson]

    def _run_cells(self, session: Session, cells: int) -> None:
        end = min(self.end, time.monotonic() + self.sandbox.limits.notebook_clock / 2)
        for index in range(cells):
            if index in self.skipped:
                continue
            left = end - time.monotonic()
            if left <= 0:
                self.notes["The notebook took too long; its last cells were not run."] = None
                return
            try:
                error = session.run_cell(index, left)
            except SessionOverError:
                raise _StoppedError(index) from None
            if error and not error.startswith("NotImplementedError"):  # what an open answer raises
                self.notes[f"Code cell {index + 1} stopped with {error}"] = None

    def _examine_all(self, session: Session) -> None:
        try:
            self.found = session.find()
        except SessionOverError:
            raise _StoppedError(READING) from None
        replaced: set[str] = set()
        for exercise in self.exercises:
            if exercise.name not in self.done and time.monotonic() < self.end:
                self._replace_wrong_ones(session, exercise.name, replaced)
                self.done[exercise.name] = self._examine(session, exercise)

    def _replace_wrong_ones(self, session: Session, running: str, replaced: set[str]) -> None:
        """Let no exercise suffer from what went wrong in one before it."""
        for name, result in self.done.items():
            if result.status != "right" and name not in replaced:
                try:
                    session.replace(name)
                except SessionOverError:
                    raise _StoppedError(running) from None
                replaced.add(name)

    def _examine(self, session: Session, exercise: Exercise) -> Graded:
        if exercise.name not in self.found.answers:
            return unjudged(exercise, "missing", NO_ANSWER, self._renamed(exercise))
        cell, versions = self.found.answers[exercise.name]
        try:
            answer = SandboxedAnswer(session, exercise.name)
            with watchdog(self.sandbox.limits.notebook_clock + 60):
                verdict = examine(exercise, answer, self._seed(exercise))
        except (Exception, Overdue) as fault:  # what a result breaks in the checker is no zero
            why = f"{type(fault).__name__}: {fault}"
            return unjudged(exercise, "not graded", "The checker failed.", why)
        if session.over:  # even when a broken property passed unseen because of it
            raise _StoppedError(exercise.name)
        result = graded(verdict, cell + 1)
        if versions > 1:
            note = f"The notebook holds {versions} versions; the latest counts."
            result = replace(result, notes=[*result.notes, note])
        return result

    def _renamed(self, exercise: Exercise) -> str:
        """Ask about what stands under another name where the answer should be, if anything."""
        wanted = "answer" if exercise.kind == "predict" else exercise.name
        known = {one.name for one in self.exercises}
        there = [name for name in self.defined.get(exercise.name, []) if name not in known]
        if not there and wanted == exercise.name:
            anywhere = [name for names in self.defined.values() for name in names]
            there = [name for name in anywhere if name not in known]
            there = get_close_matches(wanted, there, cutoff=RESEMBLES)
        found = get_close_matches(wanted, there, n=1, cutoff=0)
        return f"Is it {found[0]}? It must be called {wanted}." if found else ""

    def _seed(self, exercise: Exercise) -> int:
        if exercise.kind != "predict":
            return self.job.seed
        declared = self.job.class_seed
        class_seed = self.found.class_seed if declared is None else declared
        return seed_of(class_seed, self.found.learner or SELF_STUDY, exercise.name)

    def _blame(self, what: int | str, hung: bool, exit_code: int | None) -> None:
        """Decide that what ran when the process ended is at fault, if it was not the machine."""
        self.tries[what] += 1
        if self.tries[what] < TRIES and exit_code != TOO_LONG:
            return
        why = reason(hung, exit_code)
        if what == READING:
            self.refused = f"The file could not be read: {why}"
        elif isinstance(what, int):
            self.skipped[what] = why
            self.notes[f"Code cell {what + 1} was left out: {why}"] = None
        else:
            exercise = next(found for found in self.exercises if found.name == what)
            self.done[exercise.name] = unjudged(
                exercise, "wrong", "It was stopped before it came to an end.", why
            )

    def _give_up(self) -> None:
        if not self.exercises:
            self.refused = "The notebook took too long to read."
        for exercise in self.exercises:
            late = unjudged(exercise, "wrong", "The notebook's time was used up before this.")
            self.done.setdefault(exercise.name, late)
