"""Which of a learner's notebooks counts for a lesson, and the sentence that says why."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from tutor.grading.inside.cells import read_notebook
from tutor.grading.results import GradedNotebook
from tutor.say import say

HandedOut = Callable[[Path], Iterable[bytes]]
Rule = Literal["newest", "best"]
OWN_LESSON = "This is a lesson of the course, not its exercises; it is left aside."
OWN_SOLUTION = "This is the course's own solution, unchanged."
_MOSTLY = 0.6  # of a lesson's cells; the others are what its reader tried in it


def _as_it_is(notebook: Path) -> Iterable[bytes]:
    return [notebook.read_bytes()]


def choose(
    newest_first: Sequence[GradedNotebook], rule: Rule, course: "CourseCells"
) -> list[GradedNotebook]:
    """Say of each notebook of a learner for which lessons it counts, and why.

    An answered notebook counts before an empty one, an empty one before the course's own solution;
    a lesson of the course never counts. Among answered ones the newest counts, or the best.
    """
    notebooks = [_marked(notebook, course) for notebook in newest_first]
    counts: dict[int, list[str]] = {}
    why: dict[int, dict[str, None]] = {}
    for lesson in dict.fromkeys(lesson for one in notebooks for lesson in one.lessons):
        rivals = [one for one in notebooks if lesson in one.lessons and not _is_lesson(one)]
        if not rivals:
            continue
        counting = _counting(rivals, lesson, rule)
        counts.setdefault(id(counting), []).append(lesson)
        for one in rivals:
            sentence = _why(one, counting, rivals, lesson)
            why.setdefault(id(one), {}).update({sentence: None} if sentence else {})
    decided = [
        replace(one, counts=counts.get(id(one), []), why=[*one.why, *why.get(id(one), {})])
        for one in notebooks
    ]
    return sorted(decided, key=lambda one: (one.lessons[0] if one.lessons else "~", not one.counts))


def _marked(notebook: GradedNotebook, course: "CourseCells") -> GradedNotebook:
    """Mark what is the course's own; forget what an earlier run has decided."""
    is_lesson = course.is_lesson(notebook)
    why = [say(OWN_LESSON)] if is_lesson else []
    is_courses = is_lesson or course.is_solution(notebook)
    return replace(notebook, counts=[], why=why, is_courses=is_courses)


def _is_lesson(notebook: GradedNotebook) -> bool:
    return notebook.is_courses and bool(notebook.why)


def _counting(rivals: Sequence[GradedNotebook], lesson: str, rule: Rule) -> GradedNotebook:
    """Choose between a lesson's notebooks, which are given from the newest to the oldest."""

    def rank(notebook: GradedNotebook) -> tuple[bool, bool, float]:
        points = (notebook.points_of(lesson) or 0.0) if rule == "best" else 0.0
        return not notebook.is_courses, not notebook.is_empty(lesson), points

    return max(rivals, key=rank)  # of equals the first, which is the newest


def _why(
    notebook: GradedNotebook,
    counting: GradedNotebook,
    rivals: Sequence[GradedNotebook],
    lesson: str,
) -> str:
    if notebook.is_courses:
        return say(OWN_SOLUTION)
    if notebook is counting:
        return _why_it_counts(notebook, rivals, lesson)
    file = counting.file
    if notebook.is_empty(lesson):
        return say("Nothing is answered in this notebook, so {file} counts instead.", file=file)
    if rivals.index(notebook) < rivals.index(counting):
        return say("An older notebook, {file}, has more points and counts instead.", file=file)
    return say("A newer notebook of this lesson counts instead of this one: {file}.", file=file)


def _why_it_counts(notebook: GradedNotebook, rivals: Sequence[GradedNotebook], lesson: str) -> str:
    answered = [one for one in rivals if not one.is_empty(lesson) and not one.is_courses]
    if len(rivals) == 1:
        return ""
    if len(answered) < 2:
        return say("It counts, since it is the only one of this lesson with answers.")
    if answered[0] is notebook:
        return say(
            "It counts, since it is the newest of {count} of this lesson.", count=len(answered)
        )
    return say(
        "It counts, since it has the most points of {count} of this lesson.", count=len(answered)
    )


class CourseCells:
    """The code cells of the course's own notebooks, by which a copy of one is known.

    Args:
        lessons: lesson -> digests of the cells of its notebook.
        solutions: lesson -> those of its worked exercises.
    """

    def __init__(
        self,
        lessons: Mapping[str, Iterable[str]] | None = None,
        solutions: Mapping[str, Iterable[str]] | None = None,
    ) -> None:
        self._lessons = {name: set(cells) for name, cells in (lessons or {}).items()}
        self._solutions = {name: set(cells) for name, cells in (solutions or {}).items()}

    @classmethod
    def of(cls, course: Path, handed_out: HandedOut = _as_it_is) -> "CourseCells":
        """Read them from the folder that has the course's ``notebooks`` and ``solutions``.

        Args:
            course: the folder.
            handed_out: gives every form in which a notebook of it reaches learners, as the content
                of a file: one a language.
        """
        folders = (course / "notebooks", course / "solutions")
        return cls(*(_cells_of(folder, handed_out) for folder in folders))

    def is_lesson(self, notebook: GradedNotebook) -> bool:
        """Say whether a notebook is a lesson of the course, also after somebody tried things."""
        cells = set(notebook.cells)
        return any(
            len(cells & known) >= _MOSTLY * len(cells) for known in self._lessons.values() if cells
        )

    def is_solution(self, notebook: GradedNotebook) -> bool:
        """Say whether a notebook is a solution of the course, unchanged."""
        cells = set(notebook.cells)
        return bool(cells) and any(
            cells <= self._solutions.get(lesson, set()) for lesson in notebook.lessons
        )


def _cells_of(folder: Path, handed_out: HandedOut) -> dict[str, list[str]]:
    return {
        path.stem: [
            cell.digest for content in handed_out(path) for cell in read_notebook(content).cells
        ]
        for path in sorted(folder.glob("[0-9][0-9]_*.ipynb"))
    }
