"""What some tests need and a machine may lack; without it they are skipped, told in one line.

Where TUTOR_TEST_ALL is set, as in `.ci/run`, nothing may be lacking: such a test fails.
"""

import os
from collections import Counter
from collections.abc import Iterable
from typing import NoReturn

import pytest

_WITHOUT = "without "


def missing(what: str, how: str) -> NoReturn:
    """Skip the test that runs for want of something.

    Args:
        what: its name.
        how: why it is not there, or how to get it.
    """
    reason = f"{_WITHOUT}{what} ({' '.join(how.split())})"
    if os.environ.get("TUTOR_TEST_ALL"):
        pytest.fail(f"{reason}, where TUTOR_TEST_ALL asks for every test")
    pytest.skip(reason)


def skipped_line(reasons: Iterable[str]) -> str:
    """Say in one line how many tests were skipped for want of what; "" if there were none.

    Args:
        reasons: of all skipped tests; those that `missing` did not write are left out.
    """
    counts = Counter(reason.partition(_WITHOUT)[2] for reason in reasons if _WITHOUT in reason)
    parts = [f"{count} without {what}" for what, count in counts.most_common()]
    return f"Skipped tests: {'; '.join(parts)}." if parts else ""
