"""What all tests share: checked shapes, seeded draws, no network, and a word on what was skipped.

The order matters: one thread and the shape-checking import hook come before `tutor` is imported.
"""

import os
import socket
import sys
from collections.abc import Generator, Iterator
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

from tests import typechecker
from tests.needs import skipped_line

# Every annotated component checks the shapes of its arguments and results while the tests run.
COMPONENTS = (
    "rnn gradients embedding position attention cache layers mask stacks transformer output "
    "language_model decode beam models.seq2seq"
)
install_import_hook(
    [f"tutor.{name}" for name in COMPONENTS.split()], f"{typechecker.__name__}.check"
)


def seeded(seed: int) -> torch.Generator:
    """Give a torch generator for draws that are the same in every run.

    Use it in a test as ``torch.randn(2, 3, generator=seeded(0))``, after
    ``from tests.conftest import seeded``.
    """
    return torch.Generator().manual_seed(seed)


MAIN = sys.modules["__main__"]  # of the test run itself


@pytest.fixture(autouse=True)
def main_module() -> Iterator[None]:
    """Give the process its own main module back, which IPython's shells put theirs in place of."""
    sys.modules["__main__"] = MAIN
    yield
    sys.modules["__main__"] = MAIN


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


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """Start one process more than there are cores: a test in a browser waits half of its time."""
    return (yield) + 1


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Iterator[None]:
    """Let the very last line say which tests were skipped for want of what."""
    yield
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None:  # workers of xdist have none
        skipped = [report.longrepr[2] for report in reporter.stats.get("skipped", [])]
        if line := skipped_line(skipped):
            reporter.write_line(line, yellow=True)
