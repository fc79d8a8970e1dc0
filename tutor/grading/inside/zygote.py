"""Starts a child for each submission, from a process that has torch loaded already.

The first process loads it and copies itself for each worker; such a copy is the worker's zygote.
It never runs a learner's code and never sees a submission: it is handed a channel for each and
passes it on to the child.
"""

import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from tutor.grading.inside.isolation import (
    NEW_PROCESSES,
    enter_processes_of,
    lock_in,
    unshare,
)
from tutor.grading.limits import Limits
from tutor.grading.messages import STATUS

LONGEST_ORDER = 4096  # bytes
_LOADED = (
    "numpy.random",
    "torch",
    "einops",
    "jaxtyping",
    "matplotlib.pyplot",
)  # what notebooks import


def main(arguments: Sequence[str]) -> None:
    """Load everything, and copy this process for each control socket; end when all copies have.

    Args:
        arguments: the numbers of control sockets, "isolated" or "open", the folder of the package,
            and the modules of the package to load.
    """
    controls = [socket.socket(fileno=int(number)) for number in arguments[0].split(",")]
    isolated, package = arguments[1] == "isolated", arguments[2]
    _load(arguments[3:])
    gc.collect()
    gc.freeze()  # children share these pages for as long as nobody writes to them
    greeting = json.dumps({"threads": _threads()}).encode() + b"\n"
    for control in controls:
        if os.fork() == 0:
            for other in controls:
                if other is not control:
                    other.close()  # else nobody would see it hung up
            control.sendall(greeting)
            _obey(control, package, isolated)
    for control in controls:
        control.close()
    with suppress(ChildProcessError):
        while True:
            os.wait()


def _obey(control: socket.socket, package: str, isolated: bool) -> None:
    """Be one worker's zygote until it hangs up."""
    try:
        with _child_deaths() as deaths:
            while True:
                text, channels, _, _ = socket.recv_fds(control, LONGEST_ORDER, 1)
                if text and not (text := text.removeprefix(STATUS)):
                    continue  # what was asked about has ended meanwhile
                if not text or not channels:
                    return
                limits = Limits(**json.loads(text))
                ended = _one_child(control, channels[0], limits, package, isolated, deaths)
                control.sendall(json.dumps(ended).encode() + b"\n")
    except BaseException:  # whatever it is: nothing may go on from here as the first process
        traceback.print_exc(file=sys.__stderr__)
    finally:
        os._exit(0)


def _load(modules: Sequence[str]) -> None:
    import torch

    torch.set_num_threads(1)  # a forked child of a process that used two threads hangs
    torch.set_num_threads = _keep_one_thread
    importlib.import_module("tutor.grading.inside.harmless").make_harmless()  # before all others
    for name in (*_LOADED, *modules):
        importlib.import_module(name)
    importlib.import_module("tutor.grading.inside.warm").warm_up()


def _keep_one_thread(nthreads: int) -> None:
    """Let a learner's setting pass: a child may start no thread, and torch would end it at once."""


def _threads() -> int:
    """Count this process's threads; 1 where that cannot be seen."""
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        return 1


@contextmanager
def _child_deaths() -> Iterator[int]:
    """Give a file descriptor that becomes readable when a child dies."""
    deaths, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    yield deaths


def _one_child(
    control: socket.socket, channel: int, limits: Limits, package: str, isolated: bool, deaths: int
) -> dict[str, Any]:
    """Run one child to its end: its own, the judge's hanging up, or the clock's."""
    pid = _fork_isolated() if isolated else os.fork()
    if pid == 0:
        _child(control, channel, limits, package, isolated)
    watch = select.poll()
    watch.register(deaths, select.POLLIN)
    watch.register(control, select.POLLIN)
    watch.register(channel, getattr(select, "POLLRDHUP", 0) | select.POLLHUP)
    end = time.monotonic() + limits.clock + 60
    while True:
        ready = {
            descriptor for descriptor, _ in watch.poll(max(0.0, end - time.monotonic()) * 1000)
        }
        if deaths in ready:
            os.read(deaths, 64)
            ended, status, used = os.wait4(pid, os.WNOHANG)
            if ended:
                break
        if control.fileno() in ready and control.recv(len(STATUS), socket.MSG_PEEK) == STATUS:
            control.recv(len(STATUS))
            control.sendall(json.dumps(_state(pid)).encode() + b"\n")
        elif not ready or ready & {channel, control.fileno()}:
            os.kill(pid, signal.SIGKILL)
            _, status, used = os.wait4(pid, 0)
            break
    os.close(channel)
    computed = used.ru_utime + used.ru_stime
    return {"code": os.waitstatus_to_exitcode(status), "computed": computed}


def _state(pid: int) -> dict[str, Any]:
    """Say what the kernel says of a process: R for computing, S for sleeping, ? for nothing.

    With it, the seconds that it has computed.
    """
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as about:
            words = about.read().rpartition(")")[2].split()
        computed = (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
        return {"state": words[0], "computed": computed}
    except (OSError, IndexError):  # this system does not tell
        return {"state": "?", "computed": 0.0}


def _fork_isolated() -> int:
    """Fork a child that is the first and only process of its own namespace."""
    ours = os.open("/proc/self/ns/pid", os.O_RDONLY)
    unshare(NEW_PROCESSES)
    pid = os.fork()
    if pid:
        enter_processes_of(ours)
        os.close(ours)
    return pid


def _child(
    control: socket.socket, channel: int, limits: Limits, package: str, isolated: bool
) -> None:
    """Serve the judge, locked in, and never come back."""
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        control.close()
        if isolated:
            lock_in(channel, package, limits)
        from tutor.grading.inside.serve import serve

        serve(channel, limits, None if isolated else package)
    except BaseException:  # whatever it is: nothing may go on from here as a second zygote
        traceback.print_exc(file=sys.__stderr__)
    finally:
        os._exit(0)
