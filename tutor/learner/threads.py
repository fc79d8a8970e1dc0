"""Torch in a notebook: with one thread, and out of Python's search for garbage.

Its tensors are small, and threads spin while they wait for each other: on a busy machine a cell
that takes seconds with one thread took minutes with two.
"""

import gc
import importlib.abc
import importlib.util
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

_VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS")  # by which users choose for a whole process


def compute_with_one_thread() -> None:
    """Give torch one thread, now or once it is imported; what the user has chosen stays.

    Outside a notebook's kernel nothing is done: a program that imports the package keeps its
    threads.
    """
    shell = _kernel_shell()
    if shell is None or any(name in os.environ for name in _VARIABLES):
        return
    if "torch" not in sys.modules:
        sys.meta_path.insert(0, _WhenTorchIsImported())
    elif not _was_chosen_in(shell.user_ns.get("In", [])):
        sys.modules["torch"].set_num_threads(1)


def _kernel_shell() -> Any:
    """Return the shell that runs a notebook's cells, if this process is a kernel."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell if getattr(shell, "kernel", None) is not None else None


def _was_chosen_in(cells: Sequence[str]) -> bool:
    """Say whether a cell so far, the running one included, has set the number of threads."""
    return any("set_num_threads" in cell for cell in cells)


class _WhenTorchIsImported(importlib.abc.MetaPathFinder):
    """Waits for the import of torch, which importing the package does not bring about."""

    def __init__(self) -> None:
        self._is_searching = False

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """Let the others find torch, and add to what loading it does."""
        if name != "torch" or self._is_searching:
            return None
        self._is_searching = True
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self._is_searching = False
        loader: Any = spec.loader if spec else None
        if loader is not None:
            loader.exec_module = self._and_then_one_thread(loader.exec_module)
        return spec

    def _and_then_one_thread(
        self, load: Callable[[ModuleType], None]
    ) -> Callable[[ModuleType], None]:
        def exec_module(module: ModuleType) -> None:
            with _no_garbage_sought():
                load(module)
            module.set_num_threads(1)
            if self in sys.meta_path:
                sys.meta_path.remove(self)

        return exec_module


@contextmanager
def _no_garbage_sought() -> Iterator[None]:
    """Spare what is loaded Python's search for garbage, now and later.

    All of torch stays as long as the kernel. To search it took a quarter of its import, and again
    a part of what is imported after it.
    """
    is_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if is_on:
            gc.enable()
