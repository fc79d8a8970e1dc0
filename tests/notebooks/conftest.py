"""What the notebook tests report at the end: how long each notebook computes."""

import pytest

_SECONDS = pytest.StashKey[dict[str, float]]()


def seconds_of(config: pytest.Config) -> dict[str, float]:
    """Give the table of seconds, to be written into."""
    return config.stash.setdefault(_SECONDS, {})


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the table."""
    table = seconds_of(terminalreporter.config)
    if table:
        terminalreporter.section("seconds of computing, by notebook")
    for name, seconds in sorted(table.items()):
        terminalreporter.line(f"{seconds:6.1f}  {name}")
