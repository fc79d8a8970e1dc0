"""Grading on a Dask cluster of worker processes, one of which is lost on the way."""

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from tests.grading.classroom import LESSON, RIGHT, WORTH, as_bytes, filled, predictions
from tests.grading.conftest import SHORT
from tutor.grading.collecting.submissions import collect
from tutor.grading.folder import ResultsFolder
from tutor.grading.run import ClassRun, Options

distributed = pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")


@pytest.mark.long
def test_lost_worker_costs_nobody_a_point(
    tmp_path: Path, bubblewrap: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tutor.grading.cluster import Cluster

    root = Path(__file__).resolve().parents[2]
    monkeypatch.setenv("PYTHONPATH", str(root))  # the workers find the course as tests do
    students = [f"student{number}" for number in range(12)]
    for student in students:
        answers = {**RIGHT, **predictions(student)}
        path = tmp_path / "class" / student / f"{LESSON}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(as_bytes(filled(answers, student)))
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as machines:
        lost = next(iter(machines.workers.values())).pid
        run = ClassRun(
            collect(tmp_path / "class"),
            ResultsFolder(tmp_path / "out"),
            Options(seed=1, limits=SHORT),
        )
        killer = threading.Thread(target=_kill_later, args=(run, lost))
        killer.start()
        graded = run.grade(Cluster(machines.scheduler_address, SHORT))
        killer.join()
    assert [student.student for student in graded] == sorted(students)
    for student in graded:
        (notebook,) = student.notebooks
        assert {one.name: one.points for one in notebook.exercises} == WORTH


def _kill_later(run: ClassRun, process: int) -> None:
    """Kill a worker once the first results are there."""
    while not run.students:
        time.sleep(0.01)
    os.kill(process, signal.SIGKILL)


def test_no_scheduler_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from tutor.grading import cluster

    monkeypatch.setattr(cluster, "PATIENCE", "1s")
    with pytest.raises(ValueError, match="No Dask scheduler answers"):
        cluster.Cluster("tcp://127.0.0.1:1", SHORT)
