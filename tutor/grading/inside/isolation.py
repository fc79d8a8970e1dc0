"""Locks the child of a submission in before it runs anything of a learner's."""

import ctypes
import os
import resource
import signal

from tutor.grading.inside.syscalls import install_filter
from tutor.grading.limits import DEVICES, Limits
from tutor.say import say

# From <sched.h>, <sys/mount.h>, <sys/prctl.h> and <linux/capability.h>.
NEW_PROCESSES = 0x20000000
_NEW_MOUNTS, _NEW_IPC = 0x00020000, 0x08000000
_READ_ONLY, _NO_SUID, _NO_DEVICES, _NO_PROGRAMS, _REMOUNT, _BIND = 1, 2, 4, 8, 32, 4096
_CAPABILITY_VERSION = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)
_libc.signal.argtypes = [ctypes.c_int, ctypes.c_void_p]


def unshare(what: int) -> None:
    """Leave namespaces that are shared with others."""
    _must(_libc.unshare(what), "unshare")


def enter_processes_of(namespace: int) -> None:
    """Let the next child be born into the process namespace behind a file descriptor."""
    _must(_libc.setns(namespace, NEW_PROCESSES), "setns")


def lock_in(channel: int, hidden: str, limits: Limits) -> None:
    """Lock this process in: it keeps one channel, memory within limits, and read-only libraries.

    Args:
        channel: the only file descriptor that stays open, besides /dev/null as 0, 1 and 2.
        hidden: a folder to be covered: the sources of the package.
        limits: what the submission gets.

    Raises:
        OSError: one of the locks does not close; nothing may run here then.
    """
    os.setsid()  # else kill(0) would reach whoever started this process
    _close_all_but(channel)
    unshare(_NEW_MOUNTS | _NEW_IPC)
    _bound_resources(limits)
    _cover("/tmp", f"size={limits.files},nr_inodes=1000,mode=777", 0)
    for folder in ("/proc", hidden):
        _cover(folder, "size=4k,nr_inodes=2,mode=555", _READ_ONLY)
    for device in DEVICES:
        _keep_as_it_is(device)
    os.chdir("/tmp")
    _drop_capabilities()
    install_filter()


def bound_computing(seconds: int) -> None:
    """End this process, with SIGXCPU's number as its exit code, when it has computed this long.

    The first process of a namespace ignores such signals unless it handles them; the handler is
    the C library's own, so that it also ends what computes outside Python.
    """
    _libc.signal(signal.SIGXCPU, _libc._exit)
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = int(used.ru_utime + used.ru_stime) + 1 + seconds
    if hard == resource.RLIM_INFINITY or soft <= hard:
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def _close_all_but(channel: int) -> None:
    nothing = os.open("/dev/null", os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    os.closerange(3, channel)
    os.closerange(channel + 1, min(most, 1 << 20))


def _cover(folder: str, options: str, flags: int) -> None:
    """Put an empty folder in memory over a folder, for this process alone."""
    flags |= _NO_SUID | _NO_DEVICES | _NO_PROGRAMS
    mounted = _libc.mount(b"tmpfs", folder.encode(), b"tmpfs", flags, options.encode())
    _must(mounted, say("{folder} cannot be covered", folder=folder))


def _keep_as_it_is(device: str) -> None:
    """Forbid changing a device's permissions, which are the host's; it can still be written to."""
    flags = _REMOUNT | _BIND | _READ_ONLY | _NO_SUID | _NO_PROGRAMS
    _must(
        _libc.mount(None, device.encode(), None, flags, None),
        say("{device} cannot be protected", device=device),
    )


def _bound_resources(limits: Limits) -> None:
    with open("/proc/self/statm", encoding="ascii") as sizes:
        taken = int(sizes.read().split()[0]) * resource.getpagesize()
    bounds = {
        resource.RLIMIT_AS: taken + limits.memory,
        resource.RLIMIT_FSIZE: limits.files,
        resource.RLIMIT_NOFILE: 64,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_CPU: limits.notebook + 1,
    }
    for kind, most in bounds.items():
        resource.setrlimit(kind, (most, most))


def _drop_capabilities() -> None:
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    nothing = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable, twice 32 bits
    _must(_libc.capset(header, nothing), "capset")


def _must(result: int, what: str) -> None:
    if result:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")
