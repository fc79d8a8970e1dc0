"""Says of a check that goes on for long how to stop it."""

import contextlib
import sys
import threading
import time
from collections.abc import Iterator

LONG = 10.0  # seconds of computing
LOOK = 0.5  # seconds by the clock between two looks


@contextlib.contextmanager
def patience() -> Iterator[None]:
    """Say once how to stop what runs inside, when it has computed for long.

    Computing is what counts, not the clock: a busy machine must not add words to what a notebook
    stores.
    """
    start, over, screen = time.process_time(), threading.Event(), sys.stdout

    def watch() -> None:
        while not over.wait(LOOK):
            if time.process_time() - start >= LONG:
                words = "Still running. To stop it: the ■ button above (Interrupt)."
                print(words, file=screen, flush=True)
                return

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        over.set()
