"""Which lesson a notebook belongs to, and what its exercises take out of the package."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

from tutor.exercises import lessons
from tutor.grading.components import withheld
from tutor.grading.session import Opened


@cache
def withheld_of(lesson: str) -> Mapping[str, Sequence[str]]:
    """Say what each exercise of a lesson withholds of the package."""
    return {exercise.name: withheld(exercise) for exercise in lessons()[lesson]}


def lesson_of(opened: Opened, named: str) -> str:
    """Tell the lesson from what the cells hold; where that is nothing, from the file's name.

    Example:
        >>> lesson_of(Opened("", [""], [["additive_attention"]]), "")
        '04_self_attention'
    """
    fits: Counter[str] = Counter()
    for lesson, exercises in lessons().items():
        names = {exercise.name for exercise in exercises}
        # What a cell's metadata names is surer than a name, which may stand in any notebook.
        for grade_id, defines in zip(opened.grade_ids, opened.defines):
            fits[lesson] += 3 * (grade_id in names) + len(names & set(defines))
    if fits[named] or not any(fits.values()):
        return named
    return max(fits, key=lambda lesson: fits[lesson])
