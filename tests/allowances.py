"""Allowances that only fall: what a lesson, or a folder of the package, still has of a fault.

They stand in allowances.json: rule -> lesson -> how many. What is not there has none. A rule's test
fails when a lesson has more than it is allowed, and when it is allowed more than it
has; so an allowance is lowered with the change that makes it too high, and is gone at nought.
"""

import json
from collections.abc import Sequence
from pathlib import Path

FILE = Path(__file__).with_name("allowances.json")


def allowances() -> dict[str, dict[str, int]]:
    """Read them all."""
    read: dict[str, dict[str, int]] = json.loads(FILE.read_text("utf-8"))
    return read


def hold(rule: str, lesson: str, found: Sequence[object]) -> None:
    """Fail unless a lesson has of a rule's faults just as many as it is allowed."""
    allowed = allowances().get(rule, {}).get(lesson, 0)
    told = "\n  ".join(map(str, found))
    assert len(found) <= allowed, f"{lesson}, {rule}: {len(found)} of {allowed} allowed\n  {told}"
    assert len(found) == allowed, (
        f"{lesson} has only {len(found)} of {rule}: write so instead of {allowed} in {FILE.name}"
    )
