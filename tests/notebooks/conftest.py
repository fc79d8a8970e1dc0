"""What the notebook tests report at the end: what each notebook uses."""

import pytest

from tools.authoring.meter import Use

_USES = pytest.StashKey[dict[str, Use]]()


@pytest.fixture
def uses(request: pytest.FixtureRequest) -> dict[str, Use]:
    """The table of what notebooks use, to be written into."""
    return request.config.stash.setdefault(_USES, {})


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the table."""
    table = terminalreporter.config.stash.get(_USES, {})
    if table:
        terminalreporter.section("seconds of computing and MB at most, by notebook")
    for name, use in sorted(table.items()):
        terminalreporter.line(f"{use.cpu_seconds:6.1f} {use.peak_mb:6.0f}  {name}")
