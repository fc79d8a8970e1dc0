"""The table on the screen, and what is kept of it in latest.json, for docs/speed.md too."""

import dataclasses
import json
import os
import platform
from collections.abc import Sequence
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchmarks.frame import Row

LATEST = Path(__file__).with_name("latest.json")
_WIDTHS = (58, 10, 10, 20, 8, 7)
HEADER = ("what", "ours", "peer", "ratio (spread)", "goal", "verdict")
_PACKAGES = ("torch", "numpy", "matplotlib", "seaborn", "ipywidgets", "jupyterlab", "nbgrader")


def line(cells: Sequence[str]) -> str:
    """Set a line of the table; numbers stand to the right."""
    what, *numbers = (
        text.ljust(width) if column in (0, 5) else text.rjust(width)
        for column, (text, width) in enumerate(zip(cells, _WIDTHS, strict=True))
    )
    return " ".join([what, *numbers]).rstrip()


def cells(row: Row) -> tuple[str, ...]:
    """Write a row as texts, one for each column.

    Example:
        >>> cells(Row("a step", "ms", 2.0, 4.0, (0.45, 0.56), 0.6))
        ('a step', '2.0 ms', '4.0 ms', '0.50 (0.45–0.56)', '≤ 0.6', 'met')
    """
    what = row.what if row.threads == 1 else f"{row.what}, {row.threads} threads"
    peer = "" if row.peer is None else f"{number(row.peer)} {row.unit}"
    ratio = "" if row.ratio is None else hundredths(row.ratio)
    if row.spread is not None:
        written = number if row.ratio is None else hundredths
        ratio = f"{ratio} ({written(row.spread[0])}–{written(row.spread[1])})".strip()
    goal = "" if row.goal is None else f"≤ {row.goal:.3g}"
    return what, f"{number(row.ours)} {row.unit}".strip(), peer, ratio, goal, row.verdict


def number(value: float) -> str:
    """Write a value with two digits, or all those before the point.

    Example:
        >>> [number(value) for value in (412.3, 41.2, 4.12, 0.412, 0.0123)]
        ['412', '41', '4.1', '0.41', '0.012']
    """
    return f"{value:.0f}" if value >= 10 else f"{value:#.2g}"


def hundredths(ratio: float) -> str:
    """Write a ratio so that one of nearly 1 can be told from 1, and a small one keeps two digits.

    Example:
        >>> [hundredths(ratio) for ratio in (1.024, 0.083, 0.0123)]
        ['1.02', '0.083', '0.012']
    """
    return f"{ratio:.2f}" if ratio >= 0.1 else number(ratio)


def setting() -> dict[str, Any]:
    """Say on which machine and with which versions rows were measured, and when."""
    return {
        "date": date.today().isoformat(),
        "processor": _processor(),
        "processors": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "versions": {"python": platform.python_version()} | _versions(),
    }


def _versions() -> dict[str, str]:
    found = {}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def _processor() -> str:
    described = Path("/proc/cpuinfo")
    lines = described.read_text().splitlines() if described.exists() else []
    names = [text.partition(":")[2].strip() for text in lines if text.startswith("model name")]
    return names[0] if names else platform.processor()


def keep(entry: str, rows: Sequence[Row], path: Path) -> None:
    """Put an entry's rows into the file of latest results; those of other entries stay."""
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    kept[entry] = setting() | {"rows": [_plain(row) for row in rows]}
    path.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _plain(row: Row) -> dict[str, Any]:
    rounded = {
        name: float(f"{value:.4g}") if isinstance(value, float) else value
        for name, value in dataclasses.asdict(row).items()
    }
    spread = row.spread and [float(f"{end:.4g}") for end in row.spread]
    ratio = row.ratio and float(f"{row.ratio:.4g}")
    return rounded | {"ratio": ratio, "spread": spread, "cells": cells(row)}
