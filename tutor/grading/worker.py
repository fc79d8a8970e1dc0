"""Grades notebooks one after the other: in a process of its own, or on a cluster's machine.

Such a process reads jobs from a channel and writes results to it, in messages, until whoever
started it hangs up; so it never outlives them.
"""

import atexit
import contextlib
import os
import socket
import threading
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, BinaryIO

import torch

from tutor import catalogue
from tutor.grading.channel import BusyMachineError, SandboxError
from tutor.grading.job import Job
from tutor.grading.judge import grade
from tutor.grading.limits import Limits
from tutor.grading.messages import Message, pack, read_message
from tutor.grading.results import GradedNotebook
from tutor.grading.sandbox import Sandbox
from tutor.grading.store import notebook_of, to_data
from tutor.say import speak

TRIES = 3
MEMORY = 6 << 30  # bytes for a worker beyond its start; its sandbox and submissions inherit this
OWN_CAP = 1 << 30  # bytes; jobs and results come from the course's own processes
_sandboxes: dict[tuple[Limits, bool], Sandbox] = {}
_first_control: list[socket.socket] = []  # of a zygote that was started for this process
_ONE_AT_A_TIME = threading.Lock()  # a cluster's worker may have several threads


def grade_patiently(job: Job, limits: Limits, safe: bool) -> GradedNotebook:
    """Grade a notebook; a sandbox that fails is started again, and at last the fault is told.

    One that fails while the notebook runs in it is the notebook's doing: that gets one fresh
    sandbox, and what then breaks it again is left out.
    """
    fault = ""
    with _ONE_AT_A_TIME:
        for _ in range(TRIES):
            try:
                return grade(job, _sandbox(limits, safe), lambda: _fresh_sandbox(limits, safe))
            except BusyMachineError as busy:
                close_sandboxes()
                return GradedNotebook(job.file, job.key, fault=str(busy))
            except SandboxError as failed:
                fault = str(failed)
                close_sandboxes()
    return GradedNotebook(job.file, job.key, fault=fault)


def _fresh_sandbox(limits: Limits, safe: bool) -> Sandbox:
    close_sandboxes()
    return _sandbox(limits, safe)


def _sandbox(limits: Limits, safe: bool) -> Sandbox:
    if (limits, safe) not in _sandboxes:
        control = _first_control.pop() if _first_control else None
        _sandboxes[limits, safe] = Sandbox(limits, safe, control)
    return _sandboxes[limits, safe]


@atexit.register
def close_sandboxes() -> None:
    """End what this process started."""
    while _sandboxes:
        _sandboxes.popitem()[1].close()


def job_data(job: Job, limits: Limits, safe: bool) -> tuple[dict[str, Any], bytes]:
    """Write a job as plain data and bytes."""
    data = {
        "file": job.file,
        "key": job.key,
        "lesson": job.lesson,
        "seed": job.seed,
        "class_seed": job.class_seed,
        "only": list(job.only),
        "language": job.language,
    }
    sizes = [(name, len(content)) for name, content in job.files.items()]
    told = {"job": data, "files": sizes, "limits": limits.as_data(), "safe": safe}
    return told, b"".join([job.content, *job.files.values()])


def grade_data(data: Mapping[str, Any], blob: bytes) -> dict[str, Any]:
    """Grade a job that ``job_data`` wrote."""
    speak(catalogue(data["job"]["language"]))  # whatever is spoken where this worker was started
    start = len(blob) - sum(size for _, size in data["files"])
    content, files = blob[:start], {}
    for name, size in data["files"]:
        files[name] = blob[start : start + size]
        start += size
    job = Job(content=content, files=files, **data["job"])
    return to_data(grade_patiently(job, Limits(**data["limits"]), data["safe"]))


def read_result(data: Mapping[str, Any]) -> GradedNotebook:
    """Read what ``grade_data`` wrote."""
    return notebook_of(data)


def _bound_memory() -> None:
    """Let whatever a result makes the checker compute fail, rather than take the machine down."""
    import resource  # not on Windows, where nothing is graded

    with contextlib.suppress(OSError, ValueError):  # macOS has neither /proc nor such limits
        with open("/proc/self/statm", encoding="ascii") as sizes:
            taken = int(sizes.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (taken + MEMORY, taken + MEMORY))


def exactly(stream: BinaryIO, size: int) -> bytes:
    """Read so many bytes.

    Raises:
        EOFError: the stream ends before.

    Example:
        >>> import io
        >>> exactly(io.BytesIO(b"frame"), 2)
        b'fr'
    """
    content = stream.read(size)
    if len(content) < size:
        raise EOFError
    return content


def serve(channel: socket.socket, control: socket.socket | None, errors: str) -> None:
    """Grade what arrives until the other end hangs up.

    Args:
        channel: brings jobs and takes results.
        control: the control socket of the first sandbox's zygote; None starts one.
        errors: a file for whatever is printed.
    """
    kept = {one.fileno() for one in (channel, control) if one is not None}
    _redirect_output(errors)
    _close_all_but(kept)  # a copy would keep open what its first process closes
    torch.set_num_threads(1)
    _bound_memory()
    _first_control.extend(one for one in (control,) if one is not None)
    jobs, results = channel.makefile("rb"), channel.makefile("wb")
    with contextlib.suppress(EOFError, ConnectionError):
        while True:
            message = read_message(lambda size: exactly(jobs, size), OWN_CAP, OWN_CAP)
            results.write(pack(Message(grade_data(message.data, message.blob))))
            results.flush()
    close_sandboxes()


def _redirect_output(path: str) -> None:
    written = os.open(path, os.O_WRONLY | os.O_APPEND)
    for standard in (1, 2):
        os.dup2(written, standard)


def _close_all_but(kept: set[int]) -> None:
    ends = [2, *sorted(kept), os.sysconf("SC_OPEN_MAX")]
    for before, after in pairwise(ends):
        os.closerange(before + 1, after)
