"""What a kernel has used so far, read from outside: other programs do not stretch it."""

from dataclasses import dataclass
from pathlib import Path

import psutil


@dataclass(frozen=True)
class Use:
    """What a process has used since its start.

    Attributes:
        cpu_seconds: of computing.
        peak_mb: the most memory it held; where only Linux keeps that, what it holds now.
    """

    cpu_seconds: float
    peak_mb: float


def used_by(pid: int) -> Use:
    """Give what a process has used."""
    process = psutil.Process(pid)
    times = process.cpu_times()
    return Use(times.user + times.system, _peak_mb(pid) or process.memory_info().rss / 2**20)


def _peak_mb(pid: int) -> float | None:
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return None
    (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 2**10
