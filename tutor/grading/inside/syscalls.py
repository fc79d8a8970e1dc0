"""A seccomp filter: the system calls that computing needs, and no others.

There is no way to start a process or a thread, to open a socket, to trace or to mount. What is
refused fails with an ordinary error, so that the learner sees a PermissionError and their line.
A library (pyseccomp) would need libseccomp on the machine; the filter itself is twenty lines.
"""

import ctypes
import errno
import platform
import struct

from tutor.say import say

_SHARED = {  # name: (number on x86-64, number on arm64)
    "read": (0, 63), "write": (1, 64), "readv": (19, 65), "writev": (20, 66),
    "pread64": (17, 67), "pwrite64": (18, 68), "lseek": (8, 62), "close": (3, 57),
    "fstat": (5, 80), "newfstatat": (262, 79), "statx": (332, 291), "readlinkat": (267, 78),
    "faccessat": (269, 48), "faccessat2": (439, 439), "openat": (257, 56),
    "getdents64": (217, 61), "getcwd": (79, 17), "dup": (32, 23), "dup3": (292, 24),
    "fcntl": (72, 25), "ftruncate": (77, 46), "fsync": (74, 82), "fdatasync": (75, 83),
    "unlinkat": (263, 35), "renameat": (264, 38), "renameat2": (316, 276), "mkdirat": (258, 34),
    "chdir": (80, 49),
    "umask": (95, 166), "fadvise64": (221, 223), "pipe2": (293, 59), "ppoll": (271, 73),
    "pselect6": (270, 72), "mmap": (9, 222), "munmap": (11, 215), "mprotect": (10, 226),
    "mremap": (25, 216), "madvise": (28, 233), "brk": (12, 214), "futex": (202, 98),
    "set_robust_list": (273, 99), "rseq": (334, 293), "membarrier": (324, 283),
    "sched_yield": (24, 124), "sched_getaffinity": (204, 123), "getcpu": (309, 168),
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139),
    "sigaltstack": (131, 132), "kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131),
    "restart_syscall": (219, 128), "clock_gettime": (228, 113), "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115), "nanosleep": (35, 101), "gettimeofday": (96, 169),
    "times": (100, 153), "setitimer": (38, 103), "getpid": (39, 172), "gettid": (186, 178),
    "getppid": (110, 173), "getuid": (102, 174), "geteuid": (107, 175), "getgid": (104, 176),
    "getegid": (108, 177), "getrusage": (98, 165), "prlimit64": (302, 261), "uname": (63, 160),
    "sysinfo": (99, 179), "getrandom": (318, 278), "exit": (60, 93), "exit_group": (231, 94),
}  # fmt: skip
_X86_ALONE = {
    "open": 2, "stat": 4, "lstat": 6, "access": 21, "readlink": 89, "unlink": 87, "rename": 82,
    "mkdir": 83, "rmdir": 84, "poll": 7, "select": 23, "dup2": 33, "pipe": 22, "time": 201,
    "alarm": 37, "pause": 34,
}  # fmt: skip
_IOCTL = (16, 29)

# From <linux/audit.h>, <linux/filter.h>, <linux/seccomp.h> and <linux/prctl.h>.
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_X32 = 0x40000000  # a second numbering of the same calls on x86-64
_SET_SECCOMP, _SET_NO_NEW_PRIVILEGES, _FILTER_MODE = 22, 38, 2


def allowed(machine: str) -> dict[str, int]:
    """List the system calls that stay open on a machine: name -> number.

    Raises:
        ValueError: there is no list for this kind of machine.

    Example:
        >>> "read" in allowed("x86_64"), "execve" in allowed("x86_64")
        (True, False)
    """
    if machine not in _MACHINES:
        sentence = "The sandbox knows x86_64 and aarch64 machines, not {machine}."
        raise ValueError(say(sentence, machine=machine))
    column = _MACHINES[machine][0]
    shared = {name: numbers[column] for name, numbers in _SHARED.items()}
    return shared | (_X86_ALONE if machine == "x86_64" else {})


def filter_program(machine: str) -> bytes:
    """Write the filter as the kernel reads it: eight bytes an instruction."""
    column, architecture = _MACHINES[machine]
    steps = [
        (_LOAD, 0, 0, 4),  # the architecture that the call was made for
        (_JUMP_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, 0),  # the number of the call
        (_JUMP_AT_LEAST, 0, 1, _X32),
        (_RETURN, 0, 0, _REFUSE | errno.EPERM),
        # Opening a file asks whether it is a terminal: the answer is no.
        (_JUMP_EQUAL, 0, 1, _IOCTL[column]),
        (_RETURN, 0, 0, _REFUSE | errno.ENOTTY),
    ]
    for number in sorted(allowed(machine).values()):
        steps += [(_JUMP_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ALLOW)]
    steps.append((_RETURN, 0, 0, _REFUSE | errno.EPERM))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.c_char_p)]


def install_filter() -> None:
    """Refuse this process all other system calls from now on; there is no way back.

    Raises:
        OSError: the kernel does not take the filter.
    """
    steps = filter_program(platform.machine())
    program = _Program(len(steps) // 8, steps)
    libc = ctypes.CDLL(None, use_errno=True)
    for call in (
        (_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0),
        (_SET_SECCOMP, _FILTER_MODE, ctypes.byref(program), 0, 0),
    ):
        if libc.prctl(*call):
            raise OSError(ctypes.get_errno(), say("the kernel takes no seccomp filter"))
