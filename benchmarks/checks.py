"""What a check of an answer computes: of every exercise the right answer, and some mistakes.

Each is examined as by a kernel that was just started: what the course remembers of former checks is
forgotten.
"""

import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.frame import Options, Row, p95
from tutor.checking.calls import FunctionAnswer, ValueAnswer
from tutor.checking.examine import examine, key, mistake_outcome
from tutor.checking.exercise import Exercise
from tutor.exercises import lessons

MEDIAN_GOAL, WORST_GOAL = 80.0, 500.0  # ms
SOME = 2  # mistakes of each exercise


def measure(options: Options) -> Iterator[Row]:
    """Check answers to all exercises; spread is what nine of ten checks take."""
    exercises = [exercise for lesson in lessons().values() for exercise in lesson]
    taken = sorted(
        milliseconds(exercise, function)
        for exercise in exercises
        for function in functions(exercise, None if options.full else SOME)
    )
    spread = statistics.quantiles(taken, n=20)[0], p95(taken)
    what = f"a check, CPU, of {len(taken)} answers to {len(exercises)} exercises"
    yield Row(f"{what}: median", "ms", statistics.median(taken), spread=spread, goal=MEDIAN_GOAL)
    yield Row(f"{what}: worst", "ms", taken[-1], goal=WORST_GOAL)


def functions(exercise: Exercise, some: int | None) -> list[Callable[..., Any]]:
    """Give the right answer and some mistakes, or all for None."""
    return [exercise.reference, *(mistake.functions[0] for mistake in exercise.mistakes[:some])]


def milliseconds(exercise: Exercise, function: Callable[..., Any]) -> float:
    """Measure one check."""
    key.cache_clear()
    mistake_outcome.cache_clear()
    answer: FunctionAnswer | ValueAnswer = FunctionAnswer(function)
    if exercise.kind == "predict":
        (case,) = exercise.cases(0).values()
        answer = ValueAnswer(function(*case.values()))
    start = time.process_time()
    examine(exercise, answer)
    return 1000 * (time.process_time() - start)
