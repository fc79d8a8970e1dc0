"""Refuse connections that leave this machine. A kernel reads this file as its configuration."""

import sys
from typing import Any


def refuse_the_network(event: str, arguments: tuple[Any, ...]) -> None:
    """Stop a connection, or the look-up of a name, unless it stays on this machine."""
    if event in ("socket.connect", "socket.sendto"):
        address = arguments[1]
        if not isinstance(address, tuple):  # a Unix socket's path
            return
        host = address[0]
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = arguments[0]
    else:
        return
    host = host.decode() if isinstance(host, bytes) else host
    if host in (None, "", "localhost", "::1") or host.startswith("127."):
        return
    raise RuntimeError(f"a notebook reached for the network: {host}")


sys.addaudithook(refuse_the_network)  # cannot be taken off again
