"""Grades many notebooks at once, with worker processes of this machine.

Not a `ProcessPoolExecutor`: that gives up all its work when one process dies, which here is the
ordinary end of a hostile notebook, and sends what it sends by pickle.
"""

import contextlib
import os
import select
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import BinaryIO, cast

from tutor.grading.job import Job
from tutor.grading.limits import Limits
from tutor.grading.results import GradedNotebook
from tutor.grading.wire import Message, pack, read_message
from tutor.grading.worker import OWN_CAP, exactly, job_data, read_result
from tutor.say import say

TRIES = 2  # a worker that ends may have been ended by the machine
_EMPTY = b'{"cells": [{"cell_type": "code", "source": "def project_by_hand(x, W): return x @ W"}]}'


class Worker:
    """A process that grades one notebook at a time."""

    def __init__(self) -> None:
        root = str(Path(__file__).resolve().parents[2])
        paths = os.pathsep.join(path for path in (root, os.environ.get("PYTHONPATH")) if path)
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed by close()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tutor.grading.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env={**os.environ, "PYTHONPATH": paths, "OMP_NUM_THREADS": "1"},
        )
        self._jobs = cast(BinaryIO, self._process.stdin)  # pipes were asked for: neither is None
        self._results = cast(BinaryIO, self._process.stdout)

    def grade(self, job: Job, limits: Limits, safe: bool) -> GradedNotebook:
        """Grade a notebook.

        Raises:
            EOFError, OSError: the process has ended, or takes far too long.
        """
        self._jobs.write(pack(Message(*job_data(job, limits, safe))))
        self._jobs.flush()
        ready, _, _ = select.select([self._results], [], [], 2 * limits.clock)
        if not ready:
            raise EOFError
        reply = read_message(lambda size: exactly(self._results, size), OWN_CAP, OWN_CAP)
        return read_result(reply.data)

    def last_words(self) -> str:
        """Give the last line that the process wrote to its error output."""
        self._errors.seek(max(0, self._errors.seek(0, os.SEEK_END) - 1000))
        lines = self._errors.read().decode(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def close(self) -> None:
        """End the process, which ends by itself when there is nothing more to read."""
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            self._process.communicate(timeout=5)
        self._process.kill()
        self._process.wait()
        self._errors.close()


class Pool:
    """Worker processes of this machine.

    Args:
        workers: how many.
        limits: what a submission gets.
        safe: False runs learners' code without a sandbox.
    """

    def __init__(self, workers: int, limits: Limits, safe: bool = True) -> None:
        self._count, self._limits, self._safe = workers, limits, safe
        self._mine = threading.local()
        self._all: list[Worker] = []

    def results(self, jobs: Iterable[Job]) -> Iterator[GradedNotebook]:
        """Grade jobs as they come; give results in the order in which they are ready."""
        with ThreadPoolExecutor(self._count) as threads:
            try:
                running: set[Future[GradedNotebook]] = set()
                for job in jobs:
                    running.add(threads.submit(self._grade, job))
                    if len(running) >= 2 * self._count:  # no more files in memory than needed
                        ready, running = wait(running, return_when=FIRST_COMPLETED)
                        yield from (future.result() for future in ready)
                while running:
                    ready, running = wait(running, return_when=FIRST_COMPLETED)
                    yield from (future.result() for future in ready)
            finally:
                threads.shutdown(wait=False, cancel_futures=True)
                for worker in self._all:
                    worker.close()

    def _grade(self, job: Job) -> GradedNotebook:
        why = ""
        for _ in range(TRIES):
            try:
                return self._worker().grade(job, self._limits, self._safe)
            except (EOFError, OSError) as ended:
                why = self._bury() or str(ended)
        if not self._can_grade():
            fault = say("a worker process ended: {why}", why=why or "?")
            return GradedNotebook(job.file, job.key, fault=fault)
        refused = say("Grading this file ended the grader itself, twice; nothing in it counts.")
        return GradedNotebook(job.file, job.key, refused=refused)

    def _can_grade(self) -> bool:
        """Say whether a fresh worker grades a harmless notebook: then the other one is to blame."""
        try:
            harmless = Job("", "", _EMPTY)
            return not self._worker().grade(harmless, self._limits, self._safe).fault
        except (EOFError, OSError):
            self._bury()
            return False

    def _worker(self) -> Worker:
        """Give this thread's worker; start one if it has none."""
        if getattr(self._mine, "worker", None) is None:
            self._mine.worker = Worker()
            self._all.append(self._mine.worker)
        worker: Worker = self._mine.worker
        return worker

    def _bury(self) -> str:
        """Give this thread's worker up, and give its last words."""
        worker, self._mine.worker = self._mine.worker, None
        words = worker.last_words() if worker is not None else ""
        if worker is not None:
            worker.close()
            self._all.remove(worker)
        return words
