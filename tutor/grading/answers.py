"""The versions of an answer that a notebook holds, what each was worth, and which one counts."""

from dataclasses import dataclass, field

from tutor.checking.calls import Outcome
from tutor.checking.exercise import Arguments, Exercise
from tutor.checking.verdict import Verdict
from tutor.checking.watching import WatchedCall
from tutor.grading.replies import News

MOST_TRIES = 6  # judgements of one exercise; a notebook could check in a loop
Key = tuple[int, int]
"""A version: the cell that gave it, and which of that cell's versions it is."""


@dataclass
class AnswerVersion:
    """One version of an answer.

    Attributes:
        cell: the index of its cell.
        sure: metadata or a check say that it answers the exercise; else only its name does.
        is_open: nothing is written yet.
        verdict: the best judgement so far.
        outcomes: of a prediction, the values it had when it was given and checked.
        seen: states in which it has been judged.
        is_stopped: it ended its process, and is called no more.
    """

    cell: int
    sure: bool = False
    is_open: bool = False
    verdict: Verdict | None = None
    outcomes: list[Outcome] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    is_stopped: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing is written, or what a mending is given with stands as it was."""
        return self.is_open or (self.verdict is not None and self.verdict.status == "open")

    def judged(self, verdict: Verdict) -> None:
        """Keep the better judgement; of equals the later, which its author saw last."""
        if self.verdict is None or verdict.points >= self.verdict.points:
            self.verdict = verdict

    def stopped(self, verdict: Verdict) -> None:
        """Keep that it did not come to an end; nothing else is tried with it."""
        self.judged(verdict)
        self.is_stopped = True


@dataclass
class Answers:
    """All versions of the answer to one exercise, in the order in which they came.

    Attributes:
        exercise: what they answer.
        candidates: the versions.
        tries: how many judgements were made; each has other cases.
    """

    exercise: Exercise
    candidates: dict[Key, AnswerVersion] = field(default_factory=dict)
    tries: int = 0

    def hear(self, key: Key, news: News) -> AnswerVersion:
        """Keep what is new of a version."""
        candidate = self.candidates.setdefault(key, AnswerVersion(news.cell))
        candidate.sure = candidate.sure or news.sure
        candidate.is_open = news.is_open
        return candidate

    def chosen(self) -> tuple[Key, AnswerVersion] | None:
        """Give the version that counts: the latest that is not empty, of the surest kind."""
        ordered = sorted(
            self.candidates.items(), key=lambda one: (not one[1].is_empty, one[1].sure)
        )
        return ordered[-1] if ordered else None

    def versions(self) -> int:
        """Count the versions that are not empty."""
        return sum(not one.is_empty for one in self.candidates.values())


@dataclass(frozen=True)
class StoredAnswer:
    """A prediction whose value is known already."""

    outcome: Outcome

    def run(self, _: Arguments, gradients: bool = False) -> Outcome:
        """Give the value, whatever is asked."""
        return self.outcome

    def watch(self, _: Arguments) -> WatchedCall:
        """See nothing: there is no work to be seen."""
        return WatchedCall()
