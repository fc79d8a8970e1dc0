"""A guard for plots of a cell that is still running while a slider moves.

JupyterLab moves sliders on a second thread, beside the cell that runs. After each move, the
notebook's plotting backend would show and close whatever figures exist, half drawn ones of the
running cell included. With the guard only the main thread, where cells run, shows figures.
"""

import sys
import threading
from collections.abc import Callable
from functools import wraps
from typing import Any

from tutor.canvas import DRAWING


def guard_inline_figures() -> None:
    """Let only the main thread show the figures of cells; do nothing outside a notebook."""
    shell = _shell()
    if shell is None or not hasattr(shell, "kernel"):
        return
    from matplotlib_inline import backend_inline

    unguarded = backend_inline.flush_figures
    if hasattr(unguarded, "__wrapped__"):
        return
    guarded = on_main_thread(unguarded)
    backend_inline.flush_figures = guarded  # for a backend that is set up later
    callbacks = shell.events.callbacks["post_execute"]
    callbacks[:] = [guarded if callback is unguarded else callback for callback in callbacks]


def on_main_thread(function: Callable[[], None]) -> Callable[[], None]:
    """Wrap a function so that it does nothing when another thread calls it.

    Example:
        >>> calls = []
        >>> guarded = on_main_thread(lambda: calls.append(threading.current_thread().name))
        >>> thread = threading.Thread(target=guarded)
        >>> thread.start()
        >>> thread.join()
        >>> guarded()
        >>> calls
        ['MainThread']
    """

    @wraps(function)
    def guarded() -> None:
        if threading.current_thread() is threading.main_thread():
            with DRAWING:
                function()

    return guarded


def running_cell() -> tuple[str, int] | None:
    """Return the id of the notebook cell that runs and its execution count, if there is one."""
    shell = _shell()
    kernel = getattr(shell, "kernel", None)
    if kernel is None:
        return None
    cell = kernel.get_parent("shell").get("metadata", {}).get("cellId")
    return (cell, shell.execution_count) if cell else None


def _shell() -> Any:
    """Return the running IPython shell without importing IPython where nobody has."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None
