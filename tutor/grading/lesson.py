"""Which lesson a notebook belongs to, and what its exercises take out of the package."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

from tutor.exercises import lessons
from tutor.grading.components import withheld
from tutor.grading.replies import Opened


@cache
def withheld_of(lesson: str) -> Mapping[str, Sequence[str]]:
    """Say what each exercise of a lesson withholds of the package."""
    return {exercise.name: withheld(exercise) for exercise in lessons()[lesson]}


def lessons_of(opened: Opened, named: str) -> list[str]:
    """Tell the lessons from what the cells hold; where that is nothing, from the file's name.

    The first is the one that the notebook holds most of. Of another one metadata or a check must
    speak: a name alone may stand in any notebook.

    Example:
        >>> from tutor.grading.replies import CellFacts
        >>> lessons_of(Opened("", [CellFacts(defines=["additive_attention"])]), "")
        ['04_self_attention']
    """
    fits: Counter[str] = Counter()
    sure: dict[str, None] = {}
    for lesson, exercises in lessons().items():
        names = {exercise.name for exercise in exercises}
        for cell in opened.cells:
            told = 3 * (cell.grade_id in names) + len(names & set(cell.checks))
            fits[lesson] += told + len(names & set(cell.defines))
            if told:
                sure[lesson] = None
    if fits[named] or not any(fits.values()):
        first = named
    else:
        first = max(fits, key=lambda lesson: fits[lesson])
    return [lesson for lesson in dict.fromkeys([first, *sure]) if lesson]
