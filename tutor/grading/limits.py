"""How much time and room a submission gets."""

from dataclasses import asdict, dataclass
from typing import Any

DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")  # all there are inside


@dataclass(frozen=True)
class Limits:
    """Times in seconds, sizes in bytes.

    Time is time of computing, so that a busy machine costs nobody points. Time by the clock counts
    only while a submission computes nothing, which no machine's load makes it do. If grading as a
    whole takes far too long by the clock, and the notebook itself has used next to nothing, that
    is a fault to be tried again, and nobody's nought.

    Attributes:
        call: for one call of an answer.
        cell: for one statement of a cell.
        notebook: for a whole notebook, in all its processes; what then is missing gets no points.
        sleep: how long one request, or six times that a notebook, may pass without computing.
        clock: for a whole notebook by the clock.
        memory: what a submission may allocate, beyond what torch takes.
        files: size of its folder for temporary files, which is in memory too.
    """

    call: int = 3
    cell: int = 20
    notebook: int = 90
    sleep: float = 10.0
    clock: float = 1800.0
    memory: int = 1 << 30
    files: int = 32 << 20

    def as_data(self) -> dict[str, Any]:
        """Give the limits as plain data, for the way to a worker."""
        return asdict(self)
