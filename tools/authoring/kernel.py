"""The kernel notebooks are executed in: without a network or anybody's own settings."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from traitlets.config import Config

from .files import ROOT
from .machines import Machine

_OFFLINE = Path(__file__).with_name("offline.py")
_ROUNDING = Path(__file__).with_name("rounding.py")
_SETTINGS = """
c.HistoryManager.enabled = False
c.IPKernelApp.log_level = "ERROR"  # it warns about every kernel whose messages are not encrypted
"""


@contextmanager
def kernel_environment(machine: Machine) -> Iterator[dict[str, str]]:
    """Give the environment of a kernel on some computer, valid inside the `with`.

    IPython runs the configuration file of its profile before any cell: that is where the network
    is taken away. zmq, which carries the cells, does not go through Python's sockets. Whoever calls
    this from a notebook of their own has a variable of Jupyter's set, which pictures would take for
    somebody who looks at them.
    """
    with tempfile.TemporaryDirectory(prefix="notebooks-") as folder:
        profile = Path(folder, "profile_default")
        profile.mkdir()
        configuration = _SETTINGS + _OFFLINE.read_text("utf-8")
        if machine.instructions == "otherwise":
            configuration += _ROUNDING.read_text("utf-8")
        profile.joinpath("ipython_kernel_config.py").write_text(configuration, "utf-8")
        search_path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        environment = machine.environment() | {
            "IPYTHONDIR": folder,
            "JUPYTER_PLATFORM_DIRS": "1",  # else jupyter_core warns on stderr
            "MPLCONFIGDIR": _matplotlib_cache(),
            "PYTHONPATH": search_path,
        }
        environment.pop("JPY_SESSION_NAME", None)
        environment.pop("MPLBACKEND", None)  # the tests set one, under which no figure is shown
        yield environment


def connection(environment: dict[str, str]) -> Config:
    """Say how to reach a kernel: through its own files, where the system has such sockets.

    Of two kernels that start at the same moment both can be given the same TCP port; one dies.
    """
    own = {"transport": "ipc", "ip": str(Path(environment["IPYTHONDIR"], "socket"))}
    return Config({} if os.name == "nt" else {"KernelManager": own})


def _matplotlib_cache() -> str:
    """Keep matplotlib's list of fonts between runs, but none of the author's own settings."""
    cache = ROOT / "build" / "matplotlib"
    cache.mkdir(parents=True, exist_ok=True)
    return str(cache)
