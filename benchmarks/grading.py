"""Grading a class: `tutor grade`, and nbgrader's autograde, on the same kind of notebook.

Every notebook is honest and right, which is the most work for a grader. What one more costs is the
difference of a larger and a smaller class: starting drops out.
"""

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.frame import Options, Row, UnavailableError, compare
from benchmarks.scaling import exponent_row
from tests.grading.classroom import LESSON, as_bytes, filled, right_answers
from tests.grading.conftest import descendants
from tests.grading.nbgrader_course import Course
from tutor.grading.sandbox import unavailable

GOAL_CPU, GOAL_CLOCK = 1 / 38, 1 / 66
ROUNDS, MANY_ROUNDS = 2, 5
FEW = 2
SIZES, MANY = [30, 100, 300], 2700  # notebooks
FLAT = 0.05  # an exponent with which ten times as many take an eighth more


@dataclass(frozen=True)
class Seconds:
    """What something took: computing, that of ended child processes included, and by the clock."""

    cpu: float
    clock: float

    def of_one_more(self, fewer: "Seconds", more: int) -> "Seconds":
        """Give what one notebook takes, if `more` fewer took so long."""
        return Seconds((self.cpu - fewer.cpu) / more, (self.clock - fewer.clock) / more)


def measure(options: Options) -> Iterator[Row]:
    """Let both grade in turns, and ours classes of several sizes."""
    if lack := unavailable():
        raise UnavailableError(lack)
    with tempfile.TemporaryDirectory() as place:
        yield from _beside_nbgrader(Path(place), options.full)
        yield from _by_size(Path(place), [*SIZES, MANY] if options.full else SIZES)


def _beside_nbgrader(place: Path, full: bool) -> Iterator[Row]:
    """Compare what one notebook more costs."""
    number, theirs = (300, 8) if full else (100, 4)
    counts = range(1, min(2, os.cpu_count() or 1) + 1)
    ours: dict[int, list[Seconds]] = {workers: [] for workers in counts}
    peer = []
    for turn in range(MANY_ROUNDS if full else ROUNDS):
        folder = place / str(turn)
        few = timed(nbgrader(folder / "few", FEW))
        peer.append(timed(nbgrader(folder / "many", theirs)).of_one_more(few, theirs - FEW))
        for workers, taken in ours.items():
            few = timed(tutor_grade(folder / f"few {workers}", FEW, workers))
            many = timed(tutor_grade(folder / f"many {workers}", number, workers))
            taken.append(many.of_one_more(few, number - FEW))
    for workers, taken in ours.items():
        what = f"grading a notebook of lesson 4, workers: {workers}"
        cpu = [one.cpu for one in taken], [one.cpu for one in peer]
        clock = [one.clock for one in taken], [one.clock for one in peer]
        yield compare(f"{what}, CPU", cpu, goal=GOAL_CPU)
        yield compare(f"{what}, clock", clock, goal=GOAL_CLOCK)


def _by_size(place: Path, sizes: list[int]) -> Iterator[Row]:
    """Say how computing and memory grow with the class."""
    cpu, memory = [], []
    for size in sizes:
        work = tutor_grade(place / f"class of {size}", size, os.cpu_count() or 1)
        with Samples(_memory) as held:
            cpu.append(timed(work).cpu)
        memory.append(held.most)
    yield exponent_row("grading, CPU", sizes, cpu, "notebooks", goal=1.0)
    yield exponent_row("grading, memory", sizes, memory, "notebooks", goal=FLAT)


def notebooks(number: int) -> Iterator[tuple[str, bytes]]:
    """Make learners and their notebooks."""
    for index in range(number):
        learner = f"student{index:05}"
        yield learner, as_bytes(filled(right_answers(learner), learner))


def nbgrader(folder: Path, number: int) -> Callable[[], object]:
    """Set a course up; give the call that grades it."""
    course = Course(folder / "nbgrader")
    course.submit(dict(notebooks(number)))
    return lambda: course.run("autograde", LESSON)


def tutor_grade(folder: Path, number: int, workers: int) -> Callable[[], object]:
    """Hand a class's notebooks in; give the call that grades them."""
    submissions, results = folder / "class", folder / "results"
    for learner, content in notebooks(number):
        path = submissions / learner / f"{LESSON}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
    command = [sys.executable, "-m", "tutor", "grade", str(submissions), "--out", str(results)]

    def grade() -> None:
        options = ["--workers", str(workers), "--seed", "1"]
        subprocess.run([*command, *options], check=True, capture_output=True)

    return grade


def timed(work: Callable[[], object]) -> Seconds:
    """Do something in child processes and say what it took."""
    clock = time.perf_counter()
    with Samples(_computed) as computed:
        work()
    return Seconds(computed.most, time.perf_counter() - clock)


class Samples(threading.Thread):
    """Looks at this process's children again and again, while it runs as a context."""

    def __init__(self, look: Callable[[], float]) -> None:
        super().__init__(daemon=True)
        self._look = look
        self._samples = [0.0]
        self._over = threading.Event()

    def __enter__(self) -> "Samples":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self.join()

    def run(self) -> None:
        while not self._over.wait(0.1):
            self._samples.append(self._look())

    @property
    def most(self) -> float:
        """The most that was seen."""
        return max(self._samples)


def _computed() -> float:
    """Sum the seconds that the children have computed, and those they have waited for.

    Read while they live: nobody waits for what ends with bubblewrap, so that no sum is left of it.
    """
    total = 0
    for process in descendants(os.getpid()):
        with contextlib.suppress(OSError):  # ended meanwhile
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            total += sum(map(int, fields[11:15]))
    return total / os.sysconf("SC_CLK_TCK")


def _memory() -> float:
    """Sum what all processes hold; what several share is counted once."""
    total = 0
    for process in descendants(os.getpid()):
        with contextlib.suppress(OSError):  # ended meanwhile
            lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
            total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024
