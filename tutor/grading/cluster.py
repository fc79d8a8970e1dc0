"""Grades on a Dask cluster, whose machines have the course and bubblewrap installed."""

from collections.abc import Iterable, Iterator
from typing import Any

from tutor.grading.job import Job
from tutor.grading.limits import Limits
from tutor.grading.results import GradedNotebook
from tutor.grading.worker import grade_data, job_data, read_result
from tutor.say import say

PATIENCE = "30s"  # for a scheduler that does not answer


class Cluster:
    """A Dask cluster, each of whose workers keeps a sandbox of its own.

    Dask itself hands a lost worker's notebooks to another; each is in the results once, whoever
    graded it last.

    Args:
        address: of the scheduler, such as "tcp://10.0.0.1:8786".
        limits: what a submission gets.
        safe: False runs learners' code without a sandbox.

    Raises:
        ValueError: Dask is not installed, or there is no scheduler at the address.
    """

    def __init__(self, address: str, limits: Limits, safe: bool = True) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise ValueError(
                say(
                    "--scheduler needs Dask: python -m pip install '.[cluster]' in the course's "
                    "folder."
                )
            ) from None
        self._limits, self._safe = limits, safe
        try:
            self._client = Client(address, timeout=PATIENCE)
        except OSError as unreachable:
            raise ValueError(
                say(
                    "No Dask scheduler answers at {address}: {unreachable}",
                    address=address,
                    unreachable=unreachable,
                )
            ) from None

    def results(self, jobs: Iterable[Job]) -> Iterator[GradedNotebook]:
        """Grade jobs as they come; give results as they are ready."""
        from distributed import as_completed

        running = as_completed()
        asked: dict[str, Job] = {}
        most = 3 * max(1, len(self._client.scheduler_info()["workers"]))
        try:
            for job in jobs:
                future = self._submit(job)
                asked[future.key] = job
                running.add(future)
                while len(asked) >= most:  # no more files in memory than needed
                    yield self._result(next(running), asked)
            while asked:
                yield self._result(next(running), asked)
        finally:
            self._client.close()

    def _submit(self, job: Job) -> Any:
        data, content = job_data(job, self._limits, self._safe)
        return self._client.submit(grade_data, data, content, pure=False, retries=3)

    def _result(self, future: Any, asked: dict[str, Job]) -> GradedNotebook:
        job = asked.pop(future.key)
        if future.status == "finished":
            return read_result(future.result())
        return GradedNotebook(
            job.file,
            job.key,
            fault=say("the cluster failed: {exception}", exception=future.exception()),
        )
