"""How fast `tutor grade` is beside `nbgrader autograde`, and whether its memory stays flat.

    python benchmarks/grading_speed.py                      200 submissions, 5 for nbgrader
    python benchmarks/grading_speed.py --submissions 2000   a minute or two more

Both grade the same kind of notebook on this machine in this run; compare the ratio, not seconds.
"""

import argparse
import os
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ["OMP_NUM_THREADS"] = "1"  # before torch is loaded

from tests.grading.classroom import LESSON, as_bytes, filled, right_answers  # noqa: E402
from tests.grading.conftest import descendants  # noqa: E402
from tests.grading.nbgrader_course import Course  # noqa: E402
from tutor.grading.collecting.submissions import collect  # noqa: E402
from tutor.grading.folder import ResultsFolder  # noqa: E402
from tutor.grading.limits import Limits  # noqa: E402
from tutor.grading.pool import Pool  # noqa: E402
from tutor.grading.run import ClassRun, Options  # noqa: E402


def submissions(number: int) -> Iterator[tuple[str, bytes]]:
    """Make honest notebooks in which everything is right: the most work for a grader."""
    for place in range(number):
        learner = f"student{place:05}"
        yield learner, as_bytes(filled(right_answers(learner), learner))


class Memory(threading.Thread):
    """Samples the memory of this process's children, in MB, beside the notebooks graded so far."""

    def __init__(self, run: ClassRun) -> None:
        super().__init__(daemon=True)
        self.run_, self.samples, self.over = run, [], False

    def run(self) -> None:
        while not self.over:
            self.samples.append((len(self.run_.students), _memory()))
            time.sleep(0.5)

    def near(self, graded: int) -> float:
        """The largest of the samples around a number of graded notebooks."""
        return max(
            (size for number, size in self.samples if abs(number - graded) <= 0.2 * graded),
            default=0.0,
        )


def _memory() -> float:
    """Sum what the workers hold, each shared page counted once in each that maps it."""
    total = 0
    for process in descendants(os.getpid()):
        try:
            fields = Path(f"/proc/{process}/statm").read_text().split()
        except OSError:
            continue
        total += int(fields[1]) - int(fields[2])  # resident, without files
    return total * os.sysconf("SC_PAGE_SIZE") / 2**20


class Stopwatch:
    """Seconds by the clock and of computing, that of ended child processes included."""

    def __init__(self) -> None:
        self._start = self._now()

    def _now(self) -> tuple[float, float]:
        mine, theirs = (resource.getrusage(who) for who in _WHO)
        return time.perf_counter(), sum(one.ru_utime + one.ru_stime for one in (mine, theirs))

    def seconds(self) -> tuple[float, float]:
        clock, computing = self._now()
        return clock - self._start[0], computing - self._start[1]


_WHO = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)


def time_ours(folder: Path, number: int, workers: int) -> tuple[tuple[float, float], Memory]:
    """Grade a class; give the seconds by the clock and of computing, and the memory."""
    for learner, content in submissions(number):
        path = folder / f"class{number}" / learner / f"{LESSON}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
    watch = Stopwatch()
    run = ClassRun(
        collect(folder / f"class{number}"), ResultsFolder(folder / f"out{number}"), Options(seed=1)
    )
    memory = Memory(run)
    memory.start()
    run.grade(Pool(workers, Limits()))
    seconds = watch.seconds()
    memory.over = True
    memory.join()
    points = {notebook.points for student in run.students for notebook in student.notebooks}
    if len(points) != 1:
        raise RuntimeError(f"honest notebooks got different points: {points}")
    return seconds, memory


def time_nbgrader(folder: Path, number: int) -> tuple[float, float]:
    """Let nbgrader grade; give the seconds by the clock and of computing."""
    course = Course(folder / f"course{number}")
    course.submit(dict(submissions(number)))
    watch = Stopwatch()
    course.run("autograde", LESSON)
    return watch.seconds()


def each(few: tuple[float, float], many: tuple[float, float], more: int) -> tuple[float, float]:
    """Give what one more submission costs: the start is in both and drops out."""
    return (many[0] - few[0]) / more, (many[1] - few[1]) / more


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--submissions", type=int, default=200)
    parser.add_argument("--nbgrader", type=int, default=5, help="submissions for nbgrader")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        nbgrader = each(
            time_nbgrader(folder, 1),
            time_nbgrader(folder, options.nbgrader),
            options.nbgrader - 1,
        )
        start, _ = time_ours(folder, options.workers, options.workers)
        whole, memory = time_ours(folder, options.submissions, options.workers)
    ours = each(start, whole, options.submissions - options.workers)
    print(f"{'seconds a submission':28}{'by the clock':>14}{'computing':>12}")
    print(f"{'nbgrader autograde':28}{nbgrader[0]:14.3f}{nbgrader[1]:12.3f}")
    print(f"{f'tutor grade, {options.workers} workers':28}{ours[0]:14.3f}{ours[1]:12.3f}")
    print(f"{'ratio':28}{nbgrader[0] / ours[0]:14.0f}{nbgrader[1] / ours[1]:12.0f}")
    print(f"tutor grade starts in {start[0]:.1f} s; the whole class took {whole[0]:.1f} s")
    early, late = memory.near(options.submissions // 10), memory.near(options.submissions)
    print(f"memory of all workers: {early:.0f} MB after a tenth, {late:.0f} MB at the end")


if __name__ == "__main__":
    main()
