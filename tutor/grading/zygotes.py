"""Starts zygotes: one process in bubblewrap that has torch loaded, and copies itself.

Each copy serves one worker, by a control socket of its own, and starts a child for each of that
worker's submissions. Copies share what was loaded, so that a further worker takes little memory.
"""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tutor.grading.components import components, sandbox_files
from tutor.grading.limits import DEVICES

COURSE = "/course"  # where the package lies inside
_ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MPLBACKEND": "Agg",
    "MPLCONFIGDIR": "/tmp",
    "HOME": "/tmp",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "LC_ALL": "C.UTF-8",
}
_START = "import sys; sys.path[:0] = {paths!r}; from tutor.grading.inside.zygote import main; \
main(sys.argv[1:])"


class Zygotes:
    """A process that has torch loaded, and its copies.

    Args:
        controls: the copies' ends of control sockets, one for each.
        safe: False leaves bubblewrap out: for one's own notebooks alone.

    Raises:
        OSError: bubblewrap cannot be started.
    """

    def __init__(self, controls: Sequence[socket.socket], safe: bool = True) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="tutor-") if not safe else None
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed by close()
        numbers = [control.fileno() for control in controls]
        try:
            self._process = subprocess.Popen(
                self._command(numbers, safe),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                pass_fds=numbers,
                env=None if safe else {**os.environ, **_ENVIRONMENT},
            )
        except OSError:
            self._tidy()
            raise

    def close(self) -> None:
        """End the process and whatever it started; copies end when their control is closed."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=2)
        self._process.kill()
        self._process.wait()
        self._tidy()

    def last_error(self) -> str:
        """Give the end of what it wrote to its error output."""
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - 1000))
        return self._errors.read().decode(errors="replace").strip()

    def _tidy(self) -> None:
        self._errors.close()
        if self._folder is not None:
            self._folder.cleanup()

    def _command(self, controls: Sequence[int], safe: bool) -> list[str]:
        package = COURSE if self._folder is None else _copy_package(Path(self._folder.name))
        libraries = _library_paths()
        paths = [package, *(_inside(libraries) if safe else libraries)]
        modules = [f"tutor.{name}" for name in components()]
        mode, numbers = "isolated" if safe else "open", ",".join(map(str, controls))
        zygote = [str(Path(sys.executable).resolve()), "-s", "-S", "-P"]
        zygote += ["-c", _START.format(paths=paths), numbers, mode, package, *modules]
        return [*_bubblewrap(), *zygote] if safe else zygote


def _copy_package(folder: Path) -> str:
    """Copy what the sandbox would show of the package, where there is none to show it."""
    for inside, source in sandbox_files().items():
        target = folder / "tutor" / inside
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    return str(folder)


def _library_paths() -> list[str]:
    """Where third-party packages lie: an installed `tutor` there stays out of sight."""
    return list(dict.fromkeys(sysconfig.get_paths()[kind] for kind in ("purelib", "platlib")))


def _inside(libraries: list[str]) -> list[str]:
    """Where the sandbox has them: out of /tmp, which is empty in there, wherever they lie here."""
    return [f"/libraries/{number}" for number in range(len(libraries))]


def _bubblewrap() -> list[str]:
    """Write bubblewrap's command line: libraries to read, nothing to write, nobody to talk to."""
    base = Path(sys.base_prefix)
    standard = sysconfig.get_paths()["stdlib"]
    shown = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", standard]
    shown += [str(path) for path in (base / "lib").glob("libpython*")]
    shown += [str(Path(sys.executable).resolve()), "/etc/ld.so.cache"]
    command = ["bwrap", "--unshare-all", "--unshare-user", "--uid", "1000", "--gid", "1000"]
    command += ["--hostname", "sandbox", "--die-with-parent", "--new-session", "--clearenv"]
    command += ["--cap-drop", "ALL", "--cap-add", "CAP_SYS_ADMIN"]
    for name, value in _ENVIRONMENT.items():
        command += ["--setenv", name, value]
    command += ["--setenv", "LD_LIBRARY_PATH", str(base / "lib"), "--proc", "/proc"]
    for path in dict.fromkeys(shown):
        command += ["--ro-bind-try", path, path]
    libraries = _library_paths()
    for path, inside in zip(libraries, _inside(libraries), strict=True):
        command += ["--ro-bind", path, inside]
    hidden = [*zip(libraries, _inside(libraries)), (f"{standard}/site-packages",) * 2]
    for path, inside in hidden:
        if (Path(path) / "tutor").exists():  # an installed copy, with the exercises in it
            command += ["--tmpfs", f"{inside}/tutor", "--remount-ro", f"{inside}/tutor"]
    for device in DEVICES:
        command += ["--dev-bind", device, device]
    for inside, source in sandbox_files().items():
        command += ["--ro-bind", str(source), f"{COURSE}/tutor/{inside}"]
    return [*command, "--tmpfs", "/tmp", "--chdir", "/", "--remount-ro", "/"]
