"""Grades one notebook. The judge holds references and mistakes, and never runs learners' code."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from tutor.exercises import lessons
from tutor.grading.answers import Answers
from tutor.grading.budget import Budget, SpentError
from tutor.grading.channel import BusyMachineError, SandboxError
from tutor.grading.endings import ANSWER, CELL, READING, kind_of, signal_of, told
from tutor.grading.job import Job
from tutor.grading.lesson import lessons_of, withheld_of
from tutor.grading.process import Doing, LessonState, Process, StoppedError
from tutor.grading.replies import Opened
from tutor.grading.results import Graded, GradedNotebook
from tutor.grading.sandbox import Sandbox
from tutor.grading.session import Session, SessionOverError
from tutor.grading.settling import note_what_is_odd, nought, results_of
from tutor.grading.standing_in import StandIns
from tutor.say import say

_DOUBTFUL = ("ended", "broke", "checker")  # what the machine may have done: tried once more


def grade(job: Job, sandbox: Sandbox, renew: Callable[[], Sandbox] | None = None) -> GradedNotebook:
    """Grade a notebook, in as many processes as its accidents need.

    Args:
        job: the notebook.
        sandbox: where it runs.
        renew: gives a fresh sandbox, should this one break while the notebook runs in it.

    Raises:
        SandboxError: the sandbox failed; the learner has no part in it.
    """
    return _Grading(job, sandbox, renew).result()


@dataclass
class _Grading:
    """The state of one notebook's grading, across its lessons and the processes it needs."""

    job: Job
    sandbox: Sandbox
    renew: Callable[[], Sandbox] | None
    refused: str = ""
    is_beside: bool = False
    opened: Opened | None = None
    left: list[str] = field(default_factory=list)  # lessons, the one that is graded now first
    progress: LessonState = field(default_factory=lambda: LessonState({}))
    done: list[Graded] = field(default_factory=list)
    found: list[str] = field(default_factory=list)  # lessons that are graded
    tries: Counter[Doing] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        """Begin to count the notebook's time."""
        self.budget = Budget(self.sandbox.limits)

    def result(self) -> GradedNotebook:
        """Grade to the end."""
        while not self.refused and (self.opened is None or self.left):
            is_done = self._one_process()
            while self.left and (is_done or self.budget.is_used_up):
                is_done = False
                self._settle()
        names = [name for name, _ in self.progress.end.learners]
        return GradedNotebook(
            file=self.job.file,
            key=self.job.key,
            lessons=self.found,
            refused=self.refused,
            is_beside=self.is_beside,
            learner=names[-1] if names else None,
            learners=names,
            class_seed=self.progress.end.learners[-1][1] if names else "",
            exercises=self.done,
            notes=[*self.progress.notes][:20],
            losses=list(self.opened.losses) if self.opened else [],
            cells=[cell.digest for cell in self.opened.cells if cell.digest] if self.opened else [],
        )

    def _one_process(self) -> bool:
        """Go as far as one process lasts, and blame what stopped it; say whether it is done."""
        session = process = stopped = None
        doing, is_broken = Doing(), False
        spent = False
        try:
            with self.sandbox.channel(self.budget) as channel:
                session = Session(channel)
                try:
                    process = self._begin(session)
                    if process is not None and self.opened is not None:
                        process.run(len(self.opened.cells))
                except StoppedError as caught:
                    stopped = caught
        except BusyMachineError:
            raise
        except SpentError:  # before it could begin
            stopped, spent = StoppedError(), True
        except SandboxError:
            if session is None or not session.ran or self.renew is None:
                raise
            is_broken, stopped = True, stopped or StoppedError()
            self.sandbox = self.renew()
        if stopped is None:
            return True
        if process is not None and session is not None:
            doing = replace(process.doing, statement=session.at)
        code = None if is_broken else self.sandbox.exit_code
        hung = session is not None and session.hung
        spent = spent or (session is not None and session.spent)
        kind = kind_of(hung, code, is_broken, stopped.fault, spent)
        self._blame(doing, kind, code, stopped.fault)
        return False

    def _begin(self, session: Session) -> Process | None:
        """Hand the file over and choose the lessons; None if nothing is to be run."""
        names = [exercise.name for lesson in lessons().values() for exercise in lesson]
        try:
            opened = session.open(self.job.content, names)
            if self.opened is None:
                self._choose_lessons(opened)
            if self.refused:
                return None
            exercises, withheld = lessons()[self.left[0]], withheld_of(self.left[0])
            stand_ins = StandIns(exercises, withheld)
            session.begin(
                [(exercise.name, exercise.kind) for exercise in exercises],
                sorted({part for parts in withheld.values() for part in parts}),
                self.job.files,
                stand_ins.compute,
            )
        except SessionOverError:
            raise StoppedError from None
        return Process(session, self.progress, stand_ins, self.job.seed)

    def _choose_lessons(self, opened: Opened) -> None:
        """Keep what a file holds, and decide which lessons are graded."""
        self.opened, self.refused = opened, opened.refused
        self.progress.notes |= dict.fromkeys(opened.notes)
        if self.refused:
            return
        found = lessons_of(opened, self.job.lesson)
        self.left = [name for name in found if not self.job.only or name in self.job.only]
        if not found:
            self.refused = say("The notebook holds no exercise of the course.")
        elif not self.left:
            self.refused = say("This notebook is of another lesson than the one graded here.")
            self.is_beside = True
        else:
            self._expect(self.left[0])

    def _expect(self, lesson: str) -> None:
        """Begin with a lesson; what was left out and noted in another stays."""
        answers = {exercise.name: Answers(exercise) for exercise in lessons()[lesson]}
        self.progress = replace(self.progress, answers=answers, unjudged={})

    def _blame(self, doing: Doing, kind: str, code: int | None, fault: str) -> None:
        """Decide that what ran when the process ended is at fault, if it was not the machine."""
        self.tries[doing] += 1
        if kind in _DOUBTFUL and self.tries[doing] == 1:
            return
        gaps = {"signal": signal_of(code), "fault": fault}
        if doing.exercise:
            self._blame_answer(doing, told(ANSWER, kind, **gaps))
        elif doing.cell is not None:
            self.progress.skipped.setdefault(doing.cell, set()).add(doing.statement)
            self.progress.notes[told(CELL, kind, cell=doing.cell + 1, **gaps)] = None
        else:
            self.refused = told(READING, kind, **gaps)

    def _blame_answer(self, doing: Doing, why: str) -> None:
        answers = self.progress.answers[doing.exercise]
        answers.tries += 1
        answers.candidates[doing.key].stopped(nought(answers.exercise, why))

    def _settle(self) -> None:
        """Turn what was judged of a lesson into its results."""
        lesson = self.left.pop(0)
        cells, theirs = (self.opened.cells, self.opened.python) if self.opened else ((), "")
        note_what_is_odd(self.progress, theirs)
        judged = results_of(self.progress, cells, self.job, self.budget.is_used_up)
        self.done += [replace(exercise, lesson=lesson) for exercise in judged]
        self.found.append(lesson)
        if self.left:
            self._expect(self.left[0])
