"""Grades a class: finds submissions, grades what is not graded yet, writes every result."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from tqdm import tqdm

from tutor.exercises import lessons
from tutor.files import write_whole
from tutor.grading import store
from tutor.grading.feedback import page
from tutor.grading.judge import Job
from tutor.grading.limits import Limits
from tutor.grading.names import file_names, shown
from tutor.grading.results import GradedNotebook, GradedStudent
from tutor.grading.submissions import (
    File,
    Submission,
    UnreadableError,
    find_submissions,
    named_lesson,
    read,
)


class Grader(Protocol):
    """Whatever grades notebooks: this machine's workers or a cluster's."""

    def results(self, jobs: Iterable[Job]) -> Iterator[GradedNotebook]:
        """Grade jobs as they come; give results as they are ready."""


@dataclass(frozen=True)
class Options:
    """What a run is asked for.

    Attributes:
        seed: draws the cases; None takes the folder's, or a fresh one.
        class_seed: of the released notebooks' predictions; None believes what they say.
        only: grade these lessons; empty means all.
        limits: what a submission gets.
    """

    seed: int | None = None
    class_seed: str | None = None
    only: Sequence[str] = ()
    limits: Limits = field(default_factory=Limits)


@dataclass
class _Pending:
    """A learner whose notebooks are being graded."""

    submission: Submission
    results: dict[str, GradedNotebook] = field(default_factory=dict)
    awaited: int = 0


class ClassRun:
    """One run over a folder of submissions.

    Args:
        folder: the submissions.
        out: where results go.
        options: what is asked.
    """

    def __init__(self, folder: Path, out: Path, options: Options) -> None:
        self._out, self._options = out, options
        self._submissions = find_submissions(folder)
        self._files = file_names(submission.student for submission in self._submissions)
        self._seed = store.seed_of_run(out, options.seed)
        self._pending: dict[str, _Pending] = {}
        self._student_of: dict[str, str] = {}
        self.students: list[GradedStudent] = []
        self.reused = 0

    def grade(self, grader: Grader) -> list[GradedStudent]:
        """Grade everything and write a result and a page for each learner."""
        self._remove_strangers()
        # The bar moves with notebooks; those that are graded already count at once.
        total = sum(len(submission.files) for submission in self._submissions)
        with tqdm(total=total, unit="notebook", desc="grading", mininterval=0.5) as bar:
            self._bar = bar
            for result in grader.results(self._jobs()):
                self._receive(self._student_of.pop(result.file), result)
        return sorted(self.students, key=lambda student: student.student)

    def _jobs(self) -> Iterator[Job]:
        """Give what must be graded, file by file; what is known or unreadable needs no grading."""
        for submission in self._submissions:
            pending = _Pending(submission, awaited=len(submission.files))
            self._pending[submission.student] = pending
            known = store.known_notebooks(self._path(submission.student))
            for file in submission.files:
                job = self._job(file)
                result = job if isinstance(job, GradedNotebook) else known.get((job.file, job.key))
                if result is None and isinstance(job, Job):
                    self._student_of[job.file] = submission.student
                    yield job
                elif result is not None:
                    self.reused += 1
                    self._receive(submission.student, result)
            if not submission.files:
                self._finish(pending)

    def _job(self, file: File) -> Job | GradedNotebook:
        options, name = self._options, shown(file.name)
        try:
            content = read(file)
        except UnreadableError as why:
            return GradedNotebook(name, "", refused=str(why))
        lesson = named_lesson(file, list(lessons()))
        asked = [lesson, self._seed, options.class_seed, list(options.only)]
        key = store.key_of(content, *asked, options.limits.as_data())
        return Job(name, key, content, lesson, self._seed, options.class_seed, options.only)

    def _receive(self, student: str, result: GradedNotebook) -> None:
        pending = self._pending[student]
        pending.results[result.file] = result
        self._bar.update()
        if len(pending.results) == pending.awaited:
            self._finish(pending)

    def _finish(self, pending: _Pending) -> None:
        """Write what a learner gets; the newest notebook of a lesson counts."""
        submission = pending.submission
        newest_first = [pending.results[shown(file.name)] for file in reversed(submission.files)]
        counted: set[str] = set()
        notebooks = []
        for result in newest_first:
            counts = bool(result.lesson) and result.lesson not in counted
            counted.add(result.lesson)
            notebooks.append(replace(result, counts=counts))
        notebooks.sort(key=lambda notebook: (notebook.lesson or "~", not notebook.counts))
        student = GradedStudent(submission.student, notebooks, [shown(n) for n in submission.notes])
        self.students.append(student)
        store.save(self._path(student.student), student)
        name = self._files[student.student]
        write_whole(self._out / "feedback" / f"{name}.html", page(student))
        del self._pending[student.student]

    def _path(self, student: str) -> Path:
        return self._out / "results" / f"{self._files[student]}.json"

    def _remove_strangers(self) -> None:
        """Remove results of learners whose folder is gone: they would look like this run's."""
        for folder, ending in (("results", ".json"), ("feedback", ".html")):
            expected = {f"{name}{ending}" for name in self._files.values()}
            for path in (self._out / folder).glob(f"*{ending}"):
                if path.name not in expected:
                    path.unlink()
