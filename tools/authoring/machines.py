"""Other computers to execute a notebook on, as far as this one can play them.

A library picks its instructions by the processor, and each adds in another order and so rounds
otherwise. Torch, its two libraries (MKL, oneDNN), NumPy, its OpenBLAS and the C library are all
held to the same. For processors of another kind, and other versions of torch, stands a computer
that moves the last digit of everything inexact (rounding.py).
"""

import os
import subprocess
import sys
from dataclasses import dataclass

# Instructions -> what each library calls them. What a machine lacks, its libraries leave alone.
_LIBRARIES: dict[str, dict[str, str]] = {
    "best": {},
    "otherwise": {},
    "avx2": {
        "ATEN_CPU_CAPABILITY": "avx2",
        "MKL_ENABLE_INSTRUCTIONS": "AVX2",  # heeded on Intel's processors
        "MKL_CBWR": "AVX2",  # heeded on all
        "ONEDNN_MAX_CPU_ISA": "AVX2",
        "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL",
        "OPENBLAS_CORETYPE": "Haswell",
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F",
    },
    "default": {
        "ATEN_CPU_CAPABILITY": "default",
        "MKL_ENABLE_INSTRUCTIONS": "SSE4_2",
        "MKL_CBWR": "COMPATIBLE",
        "ONEDNN_MAX_CPU_ISA": "SSE41",
        "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL",
        "OPENBLAS_CORETYPE": "Nehalem",
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX2,-FMA,-FMA4",
    },
}


@dataclass(frozen=True)
class Machine:
    """A computer to play.

    Attributes:
        instructions: those its libraries use, "best", "avx2" or "default" (SSE); or "otherwise":
            the best, and rounding as none of them does.
        threads: how many torch computes with; None leaves it to the course.
    """

    instructions: str = "best"
    threads: int | None = None

    def __str__(self) -> str:
        return f"{self.instructions}, threads: {self.threads or 'own'}"

    def environment(self) -> dict[str, str]:
        """Give the whole environment that makes a new process compute like this computer."""
        own = {name: value for name, value in os.environ.items() if name not in _ALL_NAMES}
        return own | _LIBRARIES[self.instructions] | self._threads()

    def _threads(self) -> dict[str, str]:
        if self.threads is None:
            return {}
        passive = "passive"  # threads that wait give way, also on a busy machine
        return {"OMP_NUM_THREADS": str(self.threads), "OMP_WAIT_POLICY": passive}


_ALL_NAMES = {name for library in _LIBRARIES.values() for name in library} | {
    "OMP_NUM_THREADS",
    "OMP_WAIT_POLICY",
    "MKL_NUM_THREADS",
}
OWN = Machine()  # where stored outputs are made


def machines_here() -> list[Machine]:
    """List the computers that this one can play and that differ, its own kind last."""
    found = {_capability(name): name for name in ("default", "avx2", "best")}
    kinds = [Machine(name, threads) for name in found.values() for threads in (1, 2)]
    return [Machine("otherwise"), *kinds]


def _capability(instructions: str) -> str:
    """Ask a new process which instructions torch really uses."""
    question = "import torch; print(torch.backends.cpu.get_cpu_capability())"
    environment = Machine(instructions).environment()
    command = [sys.executable, "-c", question]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return answer.stdout.strip()
