"""The folder of results survives being killed at any moment."""

import hashlib
import os
import random
import signal
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from tqdm import tqdm

from tests.grading.classroom import LESSON, WORTH
from tests.grading.test_run import files_of
from tutor.grading import exports, store
from tutor.grading.collecting.submissions import collect
from tutor.grading.folder import ResultsFolder
from tutor.grading.job import Job
from tutor.grading.outputs import write_class
from tutor.grading.overview import class_table
from tutor.grading.results import Graded, GradedNotebook
from tutor.grading.run import ClassRun, Options

STUDENTS, KILLS = 40, 20


class Oracle:
    """Stands for a grader: what it finds follows from the file, and takes a moment."""

    def results(self, jobs: Iterable[Job]) -> Iterator[GradedNotebook]:
        for job in jobs:
            time.sleep(0.001)
            digest = hashlib.sha256(job.content).digest()
            exercises = [
                Graded(
                    name,
                    "right" if digest[place] % 2 else "wrong",
                    digest[place] % 2 * worth,
                    worth,
                    lesson=LESSON,
                )
                for place, (name, worth) in enumerate(WORTH.items())
            ]
            yield GradedNotebook(job.file, job.key, lessons=[LESSON], exercises=exercises)


def grade_class(folder: Path, out: Path) -> None:
    """Do what the command does, in this process."""
    results = ResultsFolder(out)
    with results.locked():
        students = ClassRun(collect(folder), results, Options(seed=1)).grade(Oracle())
        write_class(results, class_table(students), exports.EXPORTS)


def in_a_child(folder: Path, out: Path) -> int:
    process = os.fork()
    if process == 0:
        tqdm.set_lock(threading.RLock())  # the lock shared with this process would die locked
        try:
            grade_class(folder, out)
        finally:
            os._exit(0)
    return process


@pytest.mark.long
def test_killed_at_twenty_random_moments(tmp_path: Path) -> None:
    rng = random.Random(7)
    for number in range(STUDENTS):
        path = tmp_path / "class" / f"student{number}" / f"{LESSON}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(rng.randbytes(100))
    start = time.monotonic()
    os.waitpid(in_a_child(tmp_path / "class", tmp_path / "whole"), 0)
    whole = time.monotonic() - start
    expected = files_of(tmp_path / "whole")
    killed = 0
    for number in range(KILLS):
        out = tmp_path / f"killed{number}"
        process = in_a_child(tmp_path / "class", out)
        time.sleep(rng.uniform(0, whole))
        os.kill(process, signal.SIGKILL)
        _, status = os.waitpid(process, 0)
        killed += os.WIFSIGNALED(status)
        grade_class(tmp_path / "class", out)
        assert files_of(out) == expected
    assert killed >= KILLS // 2


def test_key_depends_on_everything() -> None:
    keys = [store.key_of(*of) for of in ((b"a", 0, 1), (b"b", 0, 1), (b"a", 1, 1), (b"a", 0, 2))]
    assert len({*keys}) == 4
    assert store.key_of(b"a", 0, 1) == keys[0]
    handed_in, graded_by = zip(*map(store.parts_of, keys))
    assert (len({*handed_in}), len({*graded_by})) == (3, 2)
