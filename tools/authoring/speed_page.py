"""The table of benchmarks in docs/speed.md, as `make bench` last measured it."""

import json
import re
from typing import Any

from .files import ROOT

SPEED = ROOT / "docs" / "speed.md"
LATEST = ROOT / "benchmarks" / "latest.json"
_HEAD = ("what", "ours", "peer", "ratio (range)", "goal", "verdict")
_TABLE = re.compile(r"(?<=<!-- make bench -->\n).*(?=<!-- end -->)", re.DOTALL)


def speed_page() -> str:
    """Give the page with the measured times as they were last kept."""
    table = _table(json.loads(LATEST.read_text("utf-8")))
    return _TABLE.sub(lambda _: table, SPEED.read_text("utf-8"))


def _table(kept: dict[str, dict[str, Any]]) -> str:
    """Write what was measured, and on what."""
    settings = [
        f"{entry['processors']} processors ({entry['processor']}, {entry['system']}), "
        f"Python {entry['versions']['python']}, torch {entry['versions']['torch']}, {entry['date']}"
        for entry in kept.values()
    ]
    rows = [
        _HEAD,
        ("---",) * len(_HEAD),
        *(row["cells"] for entry in kept.values() for row in entry["rows"]),
    ]
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in rows)
    return f"Measured on {'; '.join(dict.fromkeys(settings))}.\n\n{table}\n"
