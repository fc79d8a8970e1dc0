"""What a notebook may use for all of it: its cells, its calls and every process it needs."""

import time

from tutor.grading.limits import Limits

MOST_SLEEP = 6  # times what one request may pass without computing
MUCH = 0.1  # of the time for computing: with less, a busy machine is to blame for the clock


class SpentError(Exception):
    """The notebook's time is used up."""


class Budget:
    """Counts what one notebook has used, over all its processes.

    The judge's own computing counts too, as it works only on what the notebook asks and returns.

    Args:
        limits: what a notebook gets.

    Attributes:
        slept: seconds in which the notebook computed nothing and let the judge wait.
        computed: seconds computed in processes that have ended.
        running: seconds computed so far in the one that has not.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._until = time.monotonic() + limits.clock
        self._judged = time.thread_time()
        self.slept = self.computed = self.running = 0.0

    def ended(self, computed: float) -> None:
        """Count a process that has ended."""
        self.computed += computed
        self.running = 0.0

    @property
    def is_used_up(self) -> bool:
        """Whether nothing more is run, by what the notebook itself has used."""
        computing = self._computing()
        if computing > self._limits.notebook or self.slept > MOST_SLEEP * self._limits.sleep:
            return True
        has_used_much = computing > MUCH * self._limits.notebook or self.slept > self._limits.sleep
        return self.is_out_of_time and has_used_much

    @property
    def is_out_of_time(self) -> bool:
        """Whether it took far too long by the clock, whoever is to blame."""
        return time.monotonic() > self._until

    def _computing(self) -> float:
        return self.computed + self.running + time.thread_time() - self._judged
