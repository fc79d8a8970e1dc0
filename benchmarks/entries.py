"""All entries of the table. A new one is a module with `measure`, and one line here."""

from collections.abc import Callable, Iterator, Mapping

from benchmarks import (
    checks,
    decoding,
    gpu,
    grading,
    imports,
    lab,
    lessons,
    memory,
    parts,
    scaling,
    slider,
    speaking,
    training,
)
from benchmarks.frame import Options, Row

ENTRIES: Mapping[str, Callable[[Options], Iterator[Row]]] = {
    "parts": parts.measure,
    "training": training.measure,
    "memory": memory.measure,
    "decoding": decoding.measure,
    "speaking": speaking.measure,
    "scaling": scaling.measure,
    "slider": slider.measure,
    "checks": checks.measure,
    "imports": imports.measure,
    "lessons": lessons.measure,
    "lab": lab.measure,
    "grading": grading.measure,
    "gpu": gpu.measure,
}
