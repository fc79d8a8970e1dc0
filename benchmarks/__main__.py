"""Measure the course beside its peers and print a table of ratios, as `make bench` does."""

import os

# Before torch is loaded. An entry that uses more threads says so; one that waits soon sleeps, else
# two would take for ever on a busy machine.
os.environ |= {"OMP_NUM_THREADS": "1", "GOMP_SPINCOUNT": "10000"}

import argparse
import sys
from collections.abc import Sequence

from tqdm import tqdm

from benchmarks.entries import ENTRIES
from benchmarks.frame import Options, Row, UnavailableError
from benchmarks.table import HEADER, LATEST, cells, keep, line, setting
from tools.authoring.speed_page import SPEED, speed_page
from tutor.files import write_whole


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; give 1 if a goal is missed."""
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("--only", metavar="NAME", choices=ENTRIES, help=", ".join(ENTRIES))
    parser.add_argument("--full", action="store_true", help="measure more, without a limit of time")
    options = parser.parse_args(arguments)
    names = [options.only] if options.only else list(ENTRIES)
    print_setting()
    rows: list[Row] = []
    for name in (bar := tqdm(names, unit="entry")):
        bar.set_description(name)
        rows += measured(name, options.full)
    write_page()
    missed = [cells(row)[0] for row in rows if row.verdict == "missed"]
    print(f"Kept in {LATEST.name} and docs/speed.md. Goals missed: {'; '.join(missed) or 'none'}.")
    return int(bool(missed))


def write_page() -> None:
    """Show the kept rows of all entries in docs/speed.md."""
    write_whole(SPEED, speed_page())


def print_setting() -> None:
    """Say what the numbers hold for, and head the table."""
    found = setting()
    versions = ", ".join(f"{name} {number}" for name, number in found["versions"].items())
    print(f"{found['processors']} processors, {found['processor']}, {found['system']}; {versions}")
    print("Torch has one thread where a row names no other number. Less is better. In brackets:")
    print("the range in which nine of ten repetitions would lie. A goal is close if it lies there.")
    print(line(HEADER))


def measured(name: str, full: bool) -> list[Row]:
    """Measure one entry, print its rows as they come, and keep them."""
    rows: list[Row] = []
    try:
        for row in ENTRIES[name](Options(full)):
            tqdm.write(line(cells(row)))
            rows.append(row)
    except UnavailableError as lack:
        tqdm.write(f"{name} is not measured: {lack}")
        return []
    keep(name, rows, LATEST)
    return rows


if __name__ == "__main__":
    sys.exit(main())
