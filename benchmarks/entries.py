"""All entries of the table. A new one is a module with `measure`, and one line here."""

from collections.abc import Callable, Iterator, Mapping

from benchmarks import grading, slider
from benchmarks.frame import Options, Row

ENTRIES: Mapping[str, Callable[[Options], Iterator[Row]]] = {
    "slider": slider.measure,
    "grading": grading.measure,
}
