"""A guard for plots of a cell that is still running while a slider moves.

JupyterLab can move sliders on a second thread, beside the cell that runs. After each move IPython
announces the end of an execution, upon which pyplot and the notebook's plotting backend draw, show
and close whatever figures exist, half drawn ones of the running cell included. With the guard only
the main thread, where cells run, makes that announcement.
"""

import sys
import threading
from functools import wraps
from typing import Any


def guard_inline_figures() -> None:
    """Keep the ends of slider moves on other threads to themselves; outside IPython, do nothing."""
    shell = ipython()
    if shell is None or hasattr(shell.events.trigger, "__wrapped__"):
        return
    trigger = shell.events.trigger

    @wraps(trigger)
    def trigger_on_main_thread(event: str, *args: Any, **kwargs: Any) -> None:
        on_main_thread = threading.current_thread() is threading.main_thread()
        if on_main_thread or event not in ("pre_execute", "post_execute"):
            trigger(event, *args, **kwargs)

    shell.events.trigger = trigger_on_main_thread


def running_cell() -> tuple[str, int] | None:
    """Return the id of the notebook cell that runs and its execution count, if there is one."""
    shell = ipython()
    kernel = getattr(shell, "kernel", None)
    if kernel is None:
        return None
    cell = kernel.get_parent("shell").get("metadata", {}).get("cellId")
    return (cell, shell.execution_count) if cell else None


def ipython() -> Any:
    """Return the running IPython shell without importing IPython where nobody has."""
    module = sys.modules.get("IPython")
    return module.get_ipython() if module else None
