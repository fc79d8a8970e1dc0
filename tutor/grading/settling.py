"""Turns what was judged of a lesson's answers into its results, with the reason for each nought."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from tutor.checking.calls import Outcome
from tutor.checking.exercise import Exercise
from tutor.checking.failures import Failure
from tutor.checking.seeds import SELF_STUDY, seed_of
from tutor.checking.verdict import Verdict
from tutor.grading.answers import Answers, AnswerVersion, StoredAnswer
from tutor.grading.endings import ANSWER, told
from tutor.grading.examining import CheckerError, UncheckableError, examined
from tutor.grading.job import Job
from tutor.grading.process import LessonState
from tutor.grading.replies import CellFacts
from tutor.grading.results import Graded
from tutor.grading.verdicts import graded, unjudged
from tutor.say import say

RESEMBLES = 0.55  # my_additive resembles additive_attention


def results_of(
    progress: LessonState, cells: Sequence[CellFacts], job: Job, is_used_up: bool
) -> Iterator[Graded]:
    """Give an exercise's result after the other.

    Args:
        progress: what was judged.
        cells: of the notebook.
        job: the notebook.
        is_used_up: its time was used up.
    """
    settling = _Settling(progress, cells, job, is_used_up)
    yield from map(settling.result, progress.answers.values())


@dataclass(frozen=True)
class _Settling:
    """What an exercise's result depends on besides its answers."""

    progress: LessonState
    cells: Sequence[CellFacts]
    job: Job
    is_used_up: bool

    def result(self, answers: Answers) -> Graded:
        exercise, chosen = answers.exercise, answers.chosen()
        if exercise.name in self.progress.unjudged:
            why = self.progress.unjudged[exercise.name]
            return unjudged(exercise, "not graded", say("The checker failed."), why)
        late = say("The notebook's time was used up before this.")
        if chosen is None and self.is_used_up:
            return unjudged(exercise, "wrong", late)
        if chosen is None:
            headline = say("No answer was found in the notebook.")
            why = self._covered(exercise) or self._renamed(exercise)
            return unjudged(exercise, "missing", headline, why)
        candidate = chosen[1]
        try:
            verdict = self._verdict(exercise, candidate)
        except CheckerError as fault:
            return unjudged(exercise, "not graded", say("The checker failed."), str(fault))
        if verdict is None:
            return unjudged(exercise, "wrong", late)
        result = graded(verdict, candidate.cell + 1, self._text(candidate.cell))
        if (count := answers.versions()) > 1:
            note = say("The notebook holds {count} versions; the latest counts.", count=count)
            result = replace(result, notes=[*result.notes, note])
        return result

    def _text(self, cell: int) -> str:
        return self.cells[cell].text if cell < len(self.cells) else ""

    def _verdict(self, exercise: Exercise, candidate: AnswerVersion) -> Verdict | None:
        if exercise.kind != "predict":
            return candidate.verdict
        outcomes = candidate.outcomes or [Outcome(failure=Failure("no answer"))]
        for outcome in outcomes:
            try:
                verdict = examined(exercise, StoredAnswer(outcome), self._seed(exercise))
            except UncheckableError as fault:
                verdict = nought(exercise, told(ANSWER, "checker", fault=fault))
            candidate.judged(verdict)
        return candidate.verdict

    def _seed(self, exercise: Exercise) -> int:
        """Give the seed of a learner's own numbers."""
        learner, declared = (self.progress.end.learners or [(SELF_STUDY, "")])[-1]
        given = self.job.class_seed
        return seed_of(declared if given is None else given, learner, exercise.name)

    def _covered(self, exercise: Exercise) -> str:
        """Name the magic under which the answer stands and is not run, if there is one."""
        for cell in self.cells:
            if cell.magic and exercise.name in (cell.grade_id, *cell.defines):
                return say(
                    "It stands under {magic}, which does not run it in the notebook: delete that "
                    "line.",
                    magic=f"%%{cell.magic}",
                )
        return ""

    def _renamed(self, exercise: Exercise) -> str:
        """Ask about what stands under another name where the answer should be, if anything."""
        cells = self.cells
        wanted = "answer" if exercise.kind == "predict" else exercise.name
        known = {*self.progress.answers, wanted}
        there = [name for cell in cells if cell.grade_id == exercise.name for name in cell.defines]
        there = [name for name in there if name not in known]
        if not there and wanted == exercise.name:
            anywhere = [name for cell in cells for name in cell.defines if name not in known]
            there = get_close_matches(wanted, anywhere, cutoff=RESEMBLES)
        found = get_close_matches(wanted, there, n=1, cutoff=0)
        if not found:
            return ""
        return say("Is it {found}? It must be called {wanted}.", found=found[0], wanted=wanted)


def nought(exercise: Exercise, why: str) -> Verdict:
    """Give the verdict on an answer that was stopped, for a reason."""
    headline = say("It was stopped before it came to an end.")
    return Verdict(exercise.name, "wrong", 0, exercise.points, headline, (why,))


def note_what_is_odd(progress: LessonState, theirs: str) -> None:
    """Note what the grader's Python may not know, and what was left out of cells.

    Args:
        progress: what was found.
        theirs: the version of Python that the notebook was run with, or "".
    """
    ours = "{}.{}".format(*sys.version_info)
    if progress.may_be_newer and _version(theirs) > _version(ours):
        note = say(
            "The notebook was run with Python {theirs} and is graded with {ours}, which does "
            "not know all that is new.",
            theirs=theirs,
            ours=ours,
        )
        progress.notes[note] = None
    for command in progress.end.left_out:
        progress.notes[say("This is no Python and was left out: {command}", command=command)] = None


def _version(text: str) -> tuple[int, ...]:
    """Read the two parts of a version of Python that tell what it understands."""
    parts = text.split(".")[:2]
    return tuple(map(int, parts)) if len(parts) == 2 and all(map(str.isdigit, parts)) else ()
