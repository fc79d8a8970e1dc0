"""What all tests share: checked shapes, seeded draws, no network, and what may be missing.

The order matters: one thread and the shape-checking import hook come before `tutor` is imported.
"""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from functools import cache
from ipaddress import ip_address
from typing import Any

# One thread: sums come out the same on every machine, and a forked child of a process whose torch
# once used two threads hangs.
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["MPLBACKEND"] = "Agg"
os.environ["JUPYTER_PLATFORM_DIRS"] = "1"  # else jupyter_core warns in every process

import pytest
import torch
from jaxtyping import config, install_import_hook

# Every annotated component checks the shapes of its arguments and results while the tests run.
COMPONENTS = (
    "rnn gradients embedding position attention cache layers mask stacks transformer output "
    "scoring decode beam training.seq2seq"
)
install_import_hook([f"tutor.{name}" for name in COMPONENTS.split()], "beartype.beartype")


def seeded(seed: int) -> torch.Generator:
    """Give a torch generator for draws that are the same in every run.

    Use it in a test as ``torch.randn(2, 3, generator=seeded(0))``, after
    ``from tests.conftest import seeded``.
    """
    return torch.Generator().manual_seed(seed)


@pytest.fixture
def unchecked_shapes() -> Iterator[None]:
    """Leave the shape checks off, as in a learner's kernel, to see the library's own errors."""
    before = config.jaxtyping_disable
    config.update("jaxtyping_disable", True)
    yield
    config.update("jaxtyping_disable", before)


def _is_local(address: Any) -> bool:
    if not isinstance(address, tuple):  # a Unix socket's path
        return True
    host = address[0]
    try:
        return host in ("", "localhost") or ip_address(host).is_loopback
    except ValueError:  # a name: looking it up would already use the network
        return False


@pytest.fixture(autouse=True, scope="session")
def no_network() -> Iterator[None]:
    """Refuse connections that leave this machine; Jupyter and the browser need loopback alone."""
    connect, connect_ex, look_up = (
        socket.socket.connect,
        socket.socket.connect_ex,
        socket.getaddrinfo,
    )

    def refuse(address: Any) -> None:
        if not _is_local(address):
            raise RuntimeError(f"a test reached for the network: {address!r}")

    def guarded_connect(self: socket.socket, address: Any) -> None:
        refuse(address)
        return connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:
        refuse(address)
        return connect_ex(self, address)

    def guarded_look_up(host: Any, *args: Any, **named: Any) -> Any:
        refuse((host.decode() if isinstance(host, bytes) else host or "",))
        return look_up(host, *args, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded_connect)
        patch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
        patch.setattr(socket, "getaddrinfo", guarded_look_up)
        yield


def missing(reason: str) -> None:
    """Skip the test for want of a program; in CI, which installs all of them, fail instead."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{reason} (.ci/run should have installed it)")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of the Chromium that browser tests drive."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        missing("chromium is not installed; on Debian and Ubuntu: sudo apt install chromium")
    return str(path)


@cache
def _bubblewrap_fault() -> str | None:
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed; on Debian and Ubuntu: sudo apt install bubblewrap"
    trial = subprocess.run(
        ["bwrap", "--ro-bind", "/", "/", "--unshare-all", "true"], capture_output=True, text=True
    )
    return f"bubblewrap cannot make a sandbox here: {trial.stderr}" if trial.returncode else None


@pytest.fixture(scope="session")
def bubblewrap() -> str:
    """Path of a bubblewrap that is able to make a sandbox on this machine."""
    fault = _bubblewrap_fault()
    if fault is not None:
        missing(fault)
    return str(shutil.which("bwrap"))
