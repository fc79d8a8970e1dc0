"""How much time and room a submission gets."""

from dataclasses import asdict, dataclass
from typing import Any

DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")  # all there are inside


@dataclass(frozen=True)
class Limits:
    """Times in seconds, sizes in bytes.

    Computing time is what counts for honest code, so that a busy machine costs nobody points; the
    time by the clock, several times longer, stops what sleeps or ignores its limits.

    Attributes:
        call: computing time of one call of an answer.
        call_clock: time by the clock of one call.
        cell: computing time of one cell.
        cell_clock: time by the clock of one cell.
        notebook_clock: time by the clock of a whole notebook; what then is missing gets no points.
        memory: what a submission may allocate, beyond what torch takes.
        files: size of its folder for temporary files, which is in memory too.
    """

    call: int = 3
    call_clock: float = 12.0
    cell: int = 10
    cell_clock: float = 30.0
    notebook_clock: float = 240.0
    memory: int = 1 << 30
    files: int = 32 << 20

    def as_data(self) -> dict[str, Any]:
        """Give the limits as plain data, for the way to a worker."""
        return asdict(self)
