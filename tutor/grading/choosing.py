"""Which of a learner's notebooks counts for a lesson, and the sentence that says why."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from tutor.grading.inside.cells import read_notebook
from tutor.grading.results import GradedNotebook

Rule = Literal["newest", "best"]
OWN_LESSON = "This is a lesson of the course, not its exercises; it is left aside."
OWN_SOLUTION = "This is the course's own solution, unchanged."
_MOSTLY = 0.6  # of a lesson's cells; the others are what its reader tried in it


def choose(
    newest_first: Sequence[GradedNotebook], rule: Rule, course: "CourseCells"
) -> list[GradedNotebook]:
    """Say of each notebook of a learner whether it counts for its lesson, and why.

    An answered notebook counts before an empty one, an empty one before the course's own solution;
    a lesson of the course never counts. Among answered ones the newest counts, or the best.
    """
    chosen: dict[int, GradedNotebook] = {}
    lessons: dict[str, list[GradedNotebook]] = {}
    for notebook in newest_first:
        if course.is_lesson(notebook):
            chosen[id(notebook)] = replace(notebook, counts=False, why=OWN_LESSON)
        elif notebook.lesson:
            lessons.setdefault(notebook.lesson, []).append(notebook)
        else:
            chosen[id(notebook)] = replace(notebook, counts=False)
    for rivals in lessons.values():
        decided = _decide(rivals, rule, course)
        chosen |= {id(notebook): said for notebook, said in zip(rivals, decided)}
    all_of_them = [chosen[id(notebook)] for notebook in newest_first]
    return sorted(all_of_them, key=lambda notebook: (notebook.lesson or "~", not notebook.counts))


def _decide(
    rivals: Sequence[GradedNotebook], rule: Rule, course: "CourseCells"
) -> list[GradedNotebook]:
    """Decide between a lesson's notebooks, which are given from the newest to the oldest."""

    def rank(notebook: GradedNotebook) -> tuple[bool, bool, float]:
        points = (notebook.points or 0.0) if rule == "best" else 0.0
        return not course.is_solution(notebook), not notebook.is_empty, points

    counting = max(rivals, key=rank)  # of equals the first, which is the newest
    return [
        replace(notebook, counts=notebook is counting, why=_why(notebook, counting, rivals, course))
        for notebook in rivals
    ]


def _why(
    notebook: GradedNotebook,
    counting: GradedNotebook,
    rivals: Sequence[GradedNotebook],
    course: "CourseCells",
) -> str:
    if course.is_solution(notebook):
        return OWN_SOLUTION
    if notebook is counting:
        return _why_it_counts(notebook, rivals, course)
    if notebook.is_empty:
        return f"Nothing is answered in this notebook, so {counting.file} counts instead of it."
    if rivals.index(notebook) < rivals.index(counting):
        return f"An older notebook, {counting.file}, has more points and counts instead."
    if (notebook.points or 0) < (counting.points or 0) or rivals.index(counting) == 0:
        return f"A newer notebook of this lesson counts instead of this one: {counting.file}."
    return f"{counting.file} is newer and counts instead of this one."


def _why_it_counts(
    notebook: GradedNotebook, rivals: Sequence[GradedNotebook], course: "CourseCells"
) -> str:
    answered = [one for one in rivals if not one.is_empty and not course.is_solution(one)]
    if len(rivals) == 1:
        return ""
    if len(answered) < 2:
        return "It counts, since it is the only one of this lesson with answers of the learner's."
    if answered[0] is notebook:
        return f"It counts, since it is the newest of {len(answered)} of this lesson."
    return f"It counts, since it has the most points of {len(answered)} of this lesson."


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
    def of(cls, course: Path) -> "CourseCells":
        """Read them from the folder that has the course's ``notebooks`` and ``solutions``."""
        return cls(_cells_of(course / "notebooks"), _cells_of(course / "solutions"))

    def is_lesson(self, notebook: GradedNotebook) -> bool:
        """Say whether a notebook is a lesson of the course, also after somebody tried things."""
        cells = set(notebook.cells)
        return any(
            len(cells & known) >= _MOSTLY * len(cells) for known in self._lessons.values() if cells
        )

    def is_solution(self, notebook: GradedNotebook) -> bool:
        """Say whether a notebook is a solution of the course, unchanged."""
        cells = set(notebook.cells)
        return bool(cells) and cells <= self._solutions.get(notebook.lesson, set())


def _cells_of(folder: Path) -> dict[str, list[str]]:
    return {
        path.stem: [cell.digest for cell in read_notebook(path.read_bytes()).cells]
        for path in sorted(folder.glob("[0-9][0-9]_*.ipynb"))
    }
