"""Grades many notebooks at once, with worker processes of this machine.

Where it is safe they are copies of this process, which share what it has loaded, and their
sandboxes are copies of one. A worker or sandbox that has to be replaced starts anew.

Not a `ProcessPoolExecutor`: that gives up all its work when one process dies, which here is the
ordinary end of a hostile notebook, and sends what it sends by pickle.
"""

import contextlib
import gc
import multiprocessing
import os
import select
import socket
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from tutor.grading.job import Job
from tutor.grading.limits import Limits
from tutor.grading.messages import Message, pack, read_message
from tutor.grading.results import GradedNotebook
from tutor.grading.worker import OWN_CAP, exactly, job_data, read_result, serve
from tutor.grading.zygotes import Zygotes
from tutor.say import say

PATIENCE = 300.0  # seconds for what is left to do when a notebook's clock has ended it
TRIES = 2  # a worker that ends may have been ended by the machine
_EMPTY = b'{"cells": [{"cell_type": "code", "source": "def project_by_hand(x, W): return x @ W"}]}'


class Worker:
    """A process that grades one notebook at a time.

    Args:
        control: the control socket of its first sandbox's zygote; None lets it start one.
        copied: the process is a copy of this one, which must have a single thread.
    """

    def __init__(self, control: socket.socket | None = None, copied: bool = False) -> None:
        self._channel, theirs = socket.socketpair()
        self._errors = tempfile.NamedTemporaryFile()  # noqa: SIM115 - closed by close()
        how = (
            multiprocessing.get_context("fork") if copied else multiprocessing.get_context("spawn")
        )
        self._process = how.Process(
            target=serve, args=(theirs, control, self._errors.name), daemon=True
        )
        with theirs:
            self._process.start()
        self._jobs, self._results = self._channel.makefile("wb"), self._channel.makefile("rb")

    def grade(self, job: Job, limits: Limits, safe: bool) -> GradedNotebook:
        """Grade a notebook.

        Raises:
            EOFError, OSError: the process has ended, or takes far too long.
        """
        self._jobs.write(pack(Message(*job_data(job, limits, safe))))
        self._jobs.flush()
        ready, _, _ = select.select([self._channel], [], [], limits.clock + PATIENCE)
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
        """End the process, which ends by itself when nobody is left to send it anything."""
        for end in (self._results, self._jobs, self._channel):
            with contextlib.suppress(OSError):  # what was not sent yet cannot be
                end.close()
        self._process.join(5)
        self._process.kill()
        self._process.join()
        self._errors.close()


def can_copy() -> bool:
    """Say whether this process can be copied: torch hangs in a copy if it had used two threads."""
    if sys.platform != "linux":
        return False
    if (trial := os.fork()) == 0:  # at a fork OpenBLAS, which numpy loads, ends its own threads
        os._exit(0)
    os.waitpid(trial, 0)
    return len(os.listdir("/proc/self/task")) == 1


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
        self._controls: list[socket.socket] = []  # the zygotes' ends, until they are started
        self._zygotes: Zygotes | None = None
        self._all = self._copies() if can_copy() else []
        self._free = [*self._all]  # those that no thread has taken yet

    def _copies(self) -> list[Worker]:
        """Start all workers as copies of this process, as long as it has a single thread."""
        gc.collect()
        gc.freeze()  # copies share these pages for as long as nobody writes to them
        workers = []
        for _ in range(self._count):
            control, theirs = socket.socketpair()
            self._controls.append(theirs)
            with control:
                workers.append(Worker(control, copied=True))
        gc.unfreeze()
        return workers

    def _start_zygotes(self) -> None:
        """Start the sandboxes of the copies, once, when there is something to grade."""
        if self._controls:
            with contextlib.suppress(OSError):  # then each worker tries, and says why it cannot
                self._zygotes = Zygotes(self._controls, self._safe)
        while self._controls:
            self._controls.pop().close()

    def results(self, jobs: Iterable[Job]) -> Iterator[GradedNotebook]:
        """Grade jobs as they come; give results in the order in which they are ready."""
        with ThreadPoolExecutor(self._count) as threads:
            try:
                running: set[Future[GradedNotebook]] = set()
                for job in jobs:
                    self._start_zygotes()
                    running.add(threads.submit(self._grade, job))
                    if len(running) >= 2 * self._count:  # no more files in memory than needed
                        ready, running = wait(running, return_when=FIRST_COMPLETED)
                        yield from (future.result() for future in ready)
                while running:
                    ready, running = wait(running, return_when=FIRST_COMPLETED)
                    yield from (future.result() for future in ready)
            finally:
                threads.shutdown(wait=False, cancel_futures=True)
                self._close()

    def _close(self) -> None:
        while self._controls:
            self._controls.pop().close()
        for worker in self._all:
            worker.close()
        if self._zygotes is not None:
            self._zygotes.close()

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
            self._mine.worker = self._free.pop() if self._free else self._started()
        worker: Worker = self._mine.worker
        return worker

    def _started(self) -> Worker:
        worker = Worker()
        self._all.append(worker)
        return worker

    def _bury(self) -> str:
        """Give this thread's worker up, and give its last words."""
        worker, self._mine.worker = self._mine.worker, None
        words = worker.last_words() if worker is not None else ""
        if worker is not None:
            worker.close()
            self._all.remove(worker)
        return words
