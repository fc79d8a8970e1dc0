"""Grades a class: finds submissions, grades what is not graded yet, writes every result."""

import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from tqdm import tqdm

from tutor.grading import store
from tutor.grading.choosing import CourseCells, Rule, choose
from tutor.grading.collecting.file_names import lesson_in
from tutor.grading.collecting.files import UnreadableError
from tutor.grading.collecting.helpers import Script, beside
from tutor.grading.collecting.submissions import Collected, File, Submission
from tutor.grading.corrections import Corrections, for_want_of_a_notebook
from tutor.grading.feedback import page
from tutor.grading.folder import ResultsFolder
from tutor.grading.job import Job
from tutor.grading.late import Deadlines
from tutor.grading.limits import Limits
from tutor.grading.names import file_names, shown
from tutor.grading.results import GradedNotebook
from tutor.grading.store import to_data
from tutor.grading.students import GradedStudent
from tutor.say import language, say


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
        count: which of a learner's notebooks of one lesson counts.
        deadlines: when notebooks are due.
        corrections: what the teacher has set by hand.
        course: the cells of the course's own notebooks.
        limits: what a submission gets.
    """

    seed: int | None = None
    class_seed: str | None = None
    only: Sequence[str] = ()
    count: Rule = "newest"
    deadlines: Deadlines = field(default_factory=Deadlines)
    corrections: Corrections = field(default_factory=Corrections)
    course: CourseCells = field(default_factory=CourseCells)
    limits: Limits = field(default_factory=Limits)


@dataclass
class _Pending:
    """A learner whose notebooks are being graded."""

    submission: Submission
    results: dict[str, GradedNotebook] = field(default_factory=dict)


class ClassRun:
    """One run over what a class handed in.

    Args:
        collected: what was handed in.
        folder: where results go.
        options: what is asked.
    """

    def __init__(self, collected: Collected, folder: ResultsFolder, options: Options) -> None:
        self._folder, self._options = folder, options
        self._submissions = collected.submissions
        self._files = file_names(submission.student for submission in self._submissions)
        self._seed = self._keep_seed()
        self._pending: dict[str, _Pending] = {}
        self._waiting: dict[str, list[str]] = {}  # file -> learners who handed it in
        owners = Counter(file.name for one in self._submissions for file in one.files)
        self._shared = {name for name, count in owners.items() if count > 1}
        self._done: dict[str, GradedNotebook] = {}  # of those that several handed in together
        self.students: list[GradedStudent] = []
        self.reused = 0

    def grade(self, grader: Grader) -> list[GradedStudent]:
        """Grade everything and write a result and a page for each learner."""
        # The bar moves with notebooks; those that are graded already count at once.
        total = sum(len(submission.files) for submission in self._submissions)
        look = {"unit": say("notebook"), "desc": say("starting"), "mininterval": 0.5}
        with tqdm(total=total, **look) as bar:
            self._bar = bar
            for number, result in enumerate(grader.results(self._jobs())):
                if not number:  # the time left must not be reckoned from how long starting took
                    bar.unpause()
                self._receive(result)
        return sorted(self.students, key=lambda student: student.student)

    def _jobs(self) -> Iterator[Job]:
        """Give what must be graded, file by file; what is known or unreadable needs no grading."""
        for submission in self._submissions:
            self._pending[submission.student] = _Pending(submission)
            known = store.known_notebooks(self._folder.path / self._result(submission.student))
            for file in submission.files:
                self._waiting.setdefault(shown(file.name), []).append(submission.student)
                if result := self._done.get(shown(file.name)):
                    self._receive(result)
                elif len(self._waiting[shown(file.name)]) == 1:
                    job = self._job(file, submission.helpers)
                    if isinstance(job, GradedNotebook):
                        self._receive(job)
                    elif result := known.get((job.file, job.key)):
                        self.reused += 1
                        self._receive(result)
                    else:
                        yield job
            if not submission.files:
                self._finish(self._pending[submission.student])

    def _job(self, file: File, helpers: Mapping[str, Script]) -> Job | GradedNotebook:
        options, name = self._options, shown(file.name)
        try:
            content = file.leaf.read()
        except UnreadableError as why:
            return GradedNotebook(name, "", refused=str(why))
        lesson = lesson_in(file.leaf.name)
        files = beside(file.leaf, helpers)
        asked = [self._seed, options.class_seed, list(options.only), options.limits.as_data()]
        asked += [language()]
        digests = {path: store.digest(inside) for path, inside in files.items()}
        key = store.key_of(content, [lesson, digests], *asked)
        drawn = self._seed, options.class_seed
        return Job(name, key, content, lesson, *drawn, options.only, files, language())

    def _receive(self, result: GradedNotebook) -> None:
        if result.file in self._shared:
            self._done[result.file] = result
        for student in self._waiting.pop(result.file):
            pending = self._pending[student]
            pending.results[result.file] = result
            self._bar.set_description(say("grading"), refresh=False)
            self._bar.update()
            if len(pending.results) == len(pending.submission.files):
                self._finish(pending)

    def _finish(self, pending: _Pending) -> None:
        """Write what a learner gets."""
        submission = pending.submission
        newest_first = [self._timed(file, pending) for file in reversed(submission.files)]
        notebooks = choose(newest_first, self._options.count, self._options.course)
        by_hand = self._options.corrections.of(submission.student)
        student = GradedStudent(
            submission.who,
            [*notebooks, *for_want_of_a_notebook(by_hand, notebooks, self._options.only)],
            [shown(note) for note in submission.notes],
            [replace(other, file=shown(other.file)) for other in submission.others],
            by_hand,
        )
        self.students.append(student)
        self._folder.write(self._result(student.student), store.json_text(to_data(student)))
        self._folder.write(self._page(student.student), page(student))
        del self._pending[student.student]

    def _timed(self, file: File, pending: _Pending) -> GradedNotebook:
        """Give what was found in a file, with how late it was."""
        result, deadlines = pending.results[shown(file.name)], self._options.deadlines
        more_time = self._options.corrections.due(pending.submission.student)
        is_marked = file.is_late and not file.is_handed_in
        late = {
            lesson: found
            for lesson in result.lessons
            if (found := deadlines.late(lesson, file.time, is_marked, more_time))
        }
        return replace(result, late=late)

    def _keep_seed(self) -> int:
        """Draw the seed of the cases, unless it is given or the folder's, and keep it."""
        names = [name for one in self._files for name in (self._result(one), self._page(one))]
        self._folder.expect([store.RUN_FILE, *names])
        seed = self._options.seed
        if seed is None:
            seed = store.seed_of_run(self._folder.path / store.RUN_FILE)
        if seed is None:
            seed = secrets.randbelow(2**32)
        self._folder.write(store.RUN_FILE, store.json_text({"seed": seed}))
        return seed

    def _result(self, student: str) -> str:
        return f"results/{self._files[student]}.json"

    def _page(self, student: str) -> str:
        return f"feedback/{self._files[student]}.html"
