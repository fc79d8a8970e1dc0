"""What the notebook tests report at the end: how long each notebook computes."""

import pytest

_SECONDS = pytest.StashKey[dict[str, float]]()


@pytest.fixture
def seconds(request: pytest.FixtureRequest) -> dict[str, float]:
    """The table of seconds by notebook, to be written into."""
    return request.config.stash.setdefault(_SECONDS, {})


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the table."""
    table = terminalreporter.config.stash.get(_SECONDS, {})
    if table:
        terminalreporter.section("seconds of computing, by notebook")
    for name, taken in sorted(table.items()):
        terminalreporter.line(f"{taken:6.1f}  {name}")
