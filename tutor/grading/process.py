"""One process of a notebook: its cells run in order, and each answer is judged where it is given.

An answer is called in the state in which its author saw it: right after it was given, and again
where it is checked if anything has changed since. The better judgement counts.
"""

import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from tutor.checking.exercise import Exercise
from tutor.checking.verdict import Verdict
from tutor.grading.answers import MOST_TRIES, Answers, AnswerVersion, Key
from tutor.grading.examining import CheckerError, UncheckableError
from tutor.grading.recalling import verdict_on
from tutor.grading.replies import End, News
from tutor.grading.session import Session, SessionOverError
from tutor.grading.standing_in import StandIns
from tutor.say import say

MOST_STOPS = 500  # answers given and checked, in one process
_OPEN = "NotImplementedError"  # what an answer that is not written raises
_NEWER = ("SyntaxError", "ImportError", "AttributeError")  # what a newer Python's code can raise


@dataclass(frozen=True)
class Doing:
    """What a process is doing, and is to blame for should it end.

    Attributes:
        cell: the index of the cell that is run; None while the file is read or an answer judged.
        statement: of the cell.
        exercise: whose answer is judged, or "".
        key: which version of it.
    """

    cell: int | None = None
    statement: int = 0
    exercise: str = ""
    key: Key = (0, 0)


class StoppedError(Exception):
    """The process ended, or what it returned cannot be judged.

    Attributes:
        fault: the checker's error, if the process did not end.
    """

    def __init__(self, fault: str = "") -> None:
        self.fault = fault


@dataclass
class LessonState:
    """What is known of one lesson of a notebook, and outlives the process that found it out.

    Attributes:
        answers: exercise -> its versions.
        unjudged: exercise -> why the checker itself failed on it.
        skipped: cell -> statements that are left out.
        notes: what happened on the way, in order, each once.
        end: names, and what was left out.
        may_be_newer: a cell failed as one does that is written for a newer Python.
    """

    answers: Mapping[str, Answers]
    unjudged: dict[str, str] = field(default_factory=dict)
    skipped: dict[int, set[int]] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)
    end: End = field(default_factory=End)
    may_be_newer: bool = False


class Process:
    """Runs a notebook in one process.

    Args:
        session: the process.
        progress: what is known so far, and what is found out.
        stand_ins: computes what the course's own functions give.
        seed: draws the cases.

    Attributes:
        doing: what it is doing now.
    """

    def __init__(
        self, session: Session, progress: LessonState, stand_ins: StandIns, seed: int
    ) -> None:
        self.session, self.progress, self.stand_ins = session, progress, stand_ins
        self.doing = Doing()
        self._seed = seed
        self._keys: dict[int, Key] = {}  # of the versions in this process
        self._versions: dict[tuple[str, Key], int] = {}
        self._ordinals: Counter[tuple[str, int]] = Counter()

    def run(self, cells: int) -> None:
        """Run all cells, and judge what they answer.

        Raises:
            StoppedError: the process ended; `doing` is to blame.
        """
        stops = 0
        try:
            for cell in range(cells):
                start: int | None = 0
                while start is not None and stops < MOST_STOPS:
                    start = self._run_cell(cell, start)
                    stops += start is not None
            self.doing = Doing()
            self.progress.end = self.session.end()
            self._judge_what_is_left()
        except SessionOverError:
            raise StoppedError from None

    def _run_cell(self, cell: int, start: int) -> int | None:
        """Run a cell up to the next answer, judge that, and say where to go on."""
        self.doing = Doing(cell)
        ran = self.session.run(cell, start, sorted(self.progress.skipped.get(cell, ())))
        if ran.needs:
            self._note(
                say(
                    "Code cell {cell} needs Python {needed} or newer; it is graded with {ours}.",
                    cell=cell + 1,
                    needed=ran.needs,
                    ours="{}.{}".format(*sys.version_info),
                )
            )
        elif ran.error and not ran.error.startswith(_OPEN):
            stopped = "Code cell {cell} stopped with {error}"
            self._note(say(stopped, cell=cell + 1, error=ran.error))
            self.progress.may_be_newer |= ran.error.startswith(_NEWER)
        for news in ran.news:
            self._hear(news)
        if ran.next is not None and ran.next <= start:
            raise StoppedError  # no honest process says so
        return ran.next

    def _note(self, said: str) -> None:
        self.progress.notes[said] = None

    def _hear(self, news: News) -> None:
        answers = self.progress.answers.get(news.exercise)
        if answers is None:
            return
        key = self._key(news)
        candidate = answers.hear(key, news)
        if answers.exercise.kind == "predict":
            self._keep_value(candidate, news)
            return
        if not candidate.is_open and self._has_changed(answers, candidate, news):
            self._judge(answers, key, news.version)
            candidate.seen.add(news.now)
        is_right = candidate.verdict is not None and candidate.verdict.passed
        self._say_wrong(answers.exercise, not is_right)

    def _key(self, news: News) -> Key:
        """Tell versions apart in a way that is the same in every process of the notebook."""
        if news.version not in self._keys:
            place = news.exercise, news.cell
            key = news.cell, self._ordinals[place]
            self._ordinals[place] += 1
            self._keys[news.version] = key
            self._versions[news.exercise, key] = news.version
        return self._keys[news.version]

    def _has_changed(self, answers: Answers, candidate: AnswerVersion, news: News) -> bool:
        is_right = candidate.verdict is not None and candidate.verdict.passed
        is_new = not news.now or news.now not in candidate.seen
        is_done = is_right or candidate.is_stopped or answers.tries >= MOST_TRIES
        return is_new and not is_done

    def _keep_value(self, candidate: AnswerVersion, news: News) -> None:
        """Ask for a prediction's value; it is judged when its author's name is known."""
        if news.now in candidate.seen or candidate.is_open or len(candidate.seen) > MOST_TRIES:
            return
        candidate.seen.add(news.now)
        self.doing = Doing(exercise=news.exercise, key=self._keys[news.version])
        candidate.outcomes.append(self.session.value(news.version))

    def _judge(self, answers: Answers, key: Key, version: int) -> None:
        """Call an answer on the cases; each further version gets other ones.

        Otherwise a first version could write the cases down for a second.
        """
        exercise, candidate = answers.exercise, answers.candidates[key]
        self.doing = Doing(exercise=exercise.name, key=key)
        self.stand_ins.examined = exercise
        verdict = self._verdict(exercise, version, self._seed + answers.tries)
        self.stand_ins.examined = None
        if verdict is None:
            return
        answers.tries += 1
        candidate.judged(verdict)

    def _verdict(self, exercise: Exercise, version: int, seed: int) -> Verdict | None:
        """Examine an answer; None if the checker itself fails.

        Raises:
            StoppedError: the answer ended its process, or returned what the checker breaks on.
        """
        try:
            verdict = verdict_on(exercise, self.session, version, seed)
        except UncheckableError as fault:
            raise StoppedError("" if self.session.over else str(fault)) from None
        except CheckerError as fault:
            self.progress.unjudged[exercise.name] = str(fault)
            return None
        if self.session.over:  # even when a broken property passed unseen because of it
            raise StoppedError
        return verdict

    def _say_wrong(self, exercise: Exercise, is_wrong: bool) -> None:
        """Let `report.function` be the course's own after a wrong answer, as in the notebook."""
        if (exercise.name in self.stand_ins.wrong) is is_wrong:
            return
        self.session.wrong(exercise.name, is_wrong)
        (self.stand_ins.wrong.add if is_wrong else self.stand_ins.wrong.discard)(exercise.name)

    def _judge_what_is_left(self) -> None:
        """Judge versions that count and were not judged before: those that are not written."""
        for name, answers in self.progress.answers.items():
            chosen = answers.chosen()
            if chosen is None or answers.exercise.kind == "predict":
                continue
            key, candidate = chosen
            if candidate.verdict is None and (name, key) in self._versions:
                self._judge(answers, key, self._versions[name, key])
