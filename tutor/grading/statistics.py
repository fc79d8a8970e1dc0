"""How a class did, exercise by exercise, in numbers without names."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from tutor.exercises import lessons
from tutor.grading.overview import ClassTable
from tutor.grading.results import Graded


@dataclass(frozen=True)
class Item:
    """What came of one exercise.

    Attributes:
        lesson, exercise: names.
        found: learner -> what was found, for all who handed the lesson in.
    """

    lesson: str
    exercise: str
    found: Mapping[str, Graded]

    @property
    def kinds(self) -> Counter[str]:
        """Count how many are right, half right, wrong, open, missing, not graded."""
        return Counter(map(kind_of, self.found.values()))

    @property
    def shares(self) -> list[float]:
        """List the share of the points that each has who is graded."""
        graded = [one for one in self.found.values() if one.points is not None]
        return [(one.points or 0.0) / one.max_points for one in graded]

    @property
    def mean(self) -> float:
        """The mean share of the points; the lower it is, the more there is to explain."""
        return fmean(self.shares or [1.0])

    @property
    def spread(self) -> float:
        """The standard deviation of the share of the points."""
        return pstdev(self.shares) if self.shares else 0.0

    @property
    def mistakes(self) -> list[tuple[str, str, int]]:
        """List known mistakes as id, title and how many made it, the most frequent first."""
        made = Counter((one.mistake, one.title) for one in self.found.values() if one.mistake)
        counted = [(mistake or "", title, count) for (mistake, title), count in made.items()]
        return sorted(counted, key=lambda one: (-one[2], one[0]))


def kind_of(graded: Graded) -> str:
    """Say what came of an answer, in one of the words of the page's legend."""
    return "half" if graded.status == "wrong" and graded.points else graded.status


def items(table: ClassTable, lesson: str) -> list[Item]:
    """Give a lesson's exercises, those first with which the class needs most help."""
    made = [
        Item(lesson, exercise.name, found)
        for exercise in lessons()[lesson]
        if (found := _found(table, exercise.name))
    ]
    return sorted(made, key=lambda item: item.mean)


def _found(table: ClassTable, exercise: str) -> dict[str, Graded]:
    with_it = (row for row in table.rows if exercise in row.exercises)
    return {row.student: row.exercises[exercise] for row in with_it}


def item_rows(table: ClassTable, kinds: Sequence[str]) -> Iterator[list[object]]:
    """Write the statistics as rows of a table, the head first."""
    yield ["lesson", "exercise", "learners", *kinds, "share right", "mean share", "spread"]
    for lesson in table.worth:
        for item in items(table, lesson):
            counts, learners = item.kinds, len(item.found)
            numbers = (counts["right"] / learners, item.mean, item.spread)
            yield [
                *(lesson, item.exercise, learners, *(counts[kind] for kind in kinds)),
                *(round(number, 3) for number in numbers),
            ]


def mistake_rows(table: ClassTable) -> Iterator[list[object]]:
    """Write how often each known mistake was made, the head first."""
    yield ["lesson", "exercise", "mistake", "title", "learners"]
    for lesson in table.worth:
        for item in items(table, lesson):
            yield from ([lesson, item.exercise, *mistake] for mistake in item.mistakes)
