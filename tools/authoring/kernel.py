"""The kernel notebooks are executed in: without a network, one thread, nobody's own settings."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .files import ROOT

_OFFLINE = Path(__file__).with_name("offline.py")
_SETTINGS = """
c.HistoryManager.enabled = False
c.IPKernelApp.log_level = "ERROR"  # it warns about every kernel whose messages are not encrypted
"""


@contextmanager
def kernel_environment(*, threads: int = 1) -> Iterator[dict[str, str]]:
    """Give the environment variables for a kernel, valid inside the `with`.

    Args:
        threads: how many torch computes with. Stored outputs are made with one and compared with
            two: what they print must not depend on it.

    IPython runs the configuration file of its profile before any cell: that is where the network
    is taken away. zmq, which carries the cells, does not go through Python's sockets.
    """
    with tempfile.TemporaryDirectory(prefix="notebooks-") as folder:
        profile = Path(folder, "profile_default")
        profile.mkdir()
        configuration = _SETTINGS + _OFFLINE.read_text("utf-8")
        profile.joinpath("ipython_kernel_config.py").write_text(configuration, "utf-8")
        search_path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        yield os.environ | {
            "IPYTHONDIR": folder,
            "JUPYTER_PLATFORM_DIRS": "1",  # else jupyter_core warns on stderr
            "MPLCONFIGDIR": _matplotlib_cache(),
            "OMP_NUM_THREADS": str(threads),
            "PYTHONPATH": search_path,
        }


def _matplotlib_cache() -> str:
    """Keep matplotlib's list of fonts between runs, but none of the author's own settings."""
    cache = ROOT / "build" / "matplotlib"
    cache.mkdir(parents=True, exist_ok=True)
    return str(cache)
