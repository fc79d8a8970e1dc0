"""What an entry of the table is made of: two sides that take turns, a ratio, and its spread."""

import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import torch

Statistic = Callable[[Sequence[float]], float]
WARM_UP = 2  # calls of each side that do not count
FEWEST_TURNS = 5
SHORTEST_TURN = 0.05  # seconds; a faster call is repeated to last so long


class UnavailableError(Exception):
    """What an entry needs is not on this machine; the message says how to get it."""


@dataclass(frozen=True)
class Options:
    """How much is measured.

    Attributes:
        full: without a limit of time; else a sample, so that all entries take ten minutes.
    """

    full: bool = False

    def seconds(self, sample: float) -> float:
        """Say how long two sides take turns, of which a sample has so many seconds."""
        return 10 * sample if self.full else sample


@dataclass(frozen=True)
class Row:
    """A line of the table.

    Attributes:
        what: is measured.
        unit: of `ours` and `peer`.
        ours, peer: the measured values; an entry may have no peer.
        spread: between which two values nine of ten repetitions would lie: of the ratio, or of
            `ours` where there is no peer.
        goal: the largest ratio, or value where there is no peer, that is good enough.
        threads: how many torch computed with.
    """

    what: str
    unit: str
    ours: float
    peer: float | None = None
    spread: tuple[float, float] | None = None
    goal: float | None = None
    threads: int = 1

    @property
    def ratio(self) -> float | None:
        """Ours divided by the peer's; less is better."""
        return None if self.peer is None else self.ours / self.peer

    @property
    def verdict(self) -> str:
        """Say whether the goal is met; "" where there is none.

        "close" is a goal that is missed, but lies where another repetition might.
        """
        if self.goal is None:
            return ""
        reached = self.ours if self.ratio is None else self.ratio
        if reached <= self.goal:
            return "met"
        return "close" if self.spread and self.spread[0] <= self.goal else "missed"


def take_turns(
    ours: Callable[[], object],
    peer: Callable[[], object],
    seconds: float,
    clock: Callable[[], float] = time.process_time,
) -> tuple[list[float], list[float]]:
    """Call both sides in turns, warmed up; return the seconds of a call, one for each turn.

    Whatever slows the machine down for a while slows both. The first of a turn changes.

    Args:
        ours: one side.
        peer: the other.
        seconds: by the clock on the wall until the turns end, at least five of them.
        clock: computing time by default, which other programs do not stretch. Several threads
            are compared by `time.perf_counter`.
    """
    sides = (ours, peer)
    repeats = [_repeats(side, clock) for side in sides]
    taken: tuple[list[float], list[float]] = ([], [])
    end = time.perf_counter() + seconds
    while len(taken[0]) < FEWEST_TURNS or time.perf_counter() < end:
        for side in (0, 1) if len(taken[0]) % 2 else (1, 0):
            taken[side].append(_seconds_of_a_call(sides[side], repeats[side], clock))
    return taken


def _repeats(side: Callable[[], object], clock: Callable[[], float]) -> int:
    """Warm a side up, and say how many calls make a turn that can be measured."""
    for _ in range(WARM_UP):
        side()
    return max(1, round(SHORTEST_TURN / max(_seconds_of_a_call(side, 1, clock), 1e-6)))


def _seconds_of_a_call(
    side: Callable[[], object], repeats: int, clock: Callable[[], float]
) -> float:
    start = clock()
    for _ in range(repeats):
        side()
    return (clock() - start) / repeats


def compare(
    what: str,
    turns: tuple[Sequence[float], Sequence[float]],
    *,
    goal: float | None = None,
    unit: str = "ms",
    statistic: Statistic = statistics.median,
    threads: int = 1,
) -> Row:
    """Make a row of two sides' measurements, in seconds (shown as ms or s) or in the row's unit."""
    scale = 1000.0 if unit == "ms" else 1.0
    ours, peer = (scale * statistic(side) for side in turns)
    return Row(what, unit, ours, peer, _spread_of_ratio(turns, statistic), goal, threads)


def _spread_of_ratio(
    turns: tuple[Sequence[float], Sequence[float]], statistic: Statistic
) -> tuple[float, float]:
    """Draw the pairs of turns again and again; nine of ten ratios lie between these (bootstrap)."""
    pairs, draw = list(zip(*turns, strict=True)), random.Random(0)
    ratios = []
    for _ in range(1000):
        ours, peer = zip(*draw.choices(pairs, k=len(pairs)), strict=True)
        ratios.append(statistic(ours) / statistic(peer))
    twentieths = statistics.quantiles(ratios, n=20)
    return twentieths[0], twentieths[-1]


def p95(times: Sequence[float]) -> float:
    """Give the time that one of twenty is longer than."""
    return statistics.quantiles(times, n=20)[-1]


@contextmanager
def threads(number: int) -> Iterator[int]:
    """Let torch compute with so many threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(number)
    try:
        yield number
    finally:
        torch.set_num_threads(before)
