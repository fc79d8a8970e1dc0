"""Times are read whole or refused, by the clock of the class."""

from pathlib import Path

import pytest

from tutor.commands.cli import main
from tutor.grading.collecting.times import Clock, moment
from tutor.grading.late import Deadlines, read_due

BERLIN = Clock.of("Europe/Berlin")
HALF_A_TIME = (
    "2026-03-01 9:00",
    "2026-03-01 6pm",
    "2026-03-01 18:00 KST",
    "2026-03-01 18:00 EST",
    "2026-03-01 18:00 pm",
    "2026-03-01,",
    "2026-03-01 25:00",
    "2026-02-29",
    "1 March 2026",
    "Monday, 1 March 2026, 5:05 PM",  # it was a Sunday
)


@pytest.mark.parametrize("text", HALF_A_TIME)
def test_half_a_time_is_none(text: str) -> None:
    assert moment(text) is None
    with pytest.raises(ValueError, match="is no time"):
        read_due([text])


@pytest.mark.parametrize("lesson", ["0412", "004", "4x", "04_self"])
def test_half_a_lesson_is_none(lesson: str) -> None:
    with pytest.raises(ValueError, match="is no time of a lesson"):
        read_due([f"{lesson}=2026-03-01"])


def test_a_time_for_one_lesson_is_given_once() -> None:
    assert len(read_due(["2026-03-01", "4=2026-03-02", "05_multi_head_attention=2026-03-03"])) == 3
    with pytest.raises(ValueError, match="a second time"):
        read_due(["04=2026-03-01", "4=2026-03-02"])


def test_a_zone_is_meant_where_it_is_written_and_else_the_classs() -> None:
    noon = moment("2026-03-01 12:00 UTC")
    assert noon == moment("2026-03-01 13:00", clock=BERLIN)
    assert noon == moment("2026-03-01T21:00:00+09:00", clock=BERLIN)
    assert noon == moment("2026-03-01 21:00 Asia/Seoul", clock=BERLIN)
    assert noon == moment("Sunday, 1 March 2026, 1:00 PM", clock=BERLIN)


def test_a_time_that_no_clock_shows_is_none_and_one_shown_twice_is_the_later() -> None:
    assert moment("2026-03-29 02:30", clock=BERLIN) is None
    first, second = (moment("2026-10-25 02:30", later, BERLIN) for later in (False, True))
    assert first is not None
    assert second is not None
    assert second - first == 3600


@pytest.mark.parametrize(
    ("due", "handed_in", "days"),
    [
        ("2026-10-24 18:00", "2026-10-25 17:30", 1),  # 24½ hours, but one day by the clock
        ("2026-10-24 18:00", "2026-10-25 18:00", 1),
        ("2026-10-24 18:00", "2026-10-25 18:01", 2),
        ("2026-03-28 18:00", "2026-03-29 17:59", 1),
        ("2026-03-28 18:00", "2026-03-29 18:30", 2),  # 23½ hours, but two days
        ("2026-03-28 18:00", "2026-04-27 18:00", 30),
        ("2026-10-24", "2026-10-26 00:00", 2),
    ],
)
def test_a_day_is_one_of_the_calendar(due: str, handed_in: str, days: int) -> None:
    rule = Deadlines(read_due([due], BERLIN), per_day=0.1, clock=BERLIN)
    time = moment(handed_in, clock=BERLIN)
    assert time is not None
    late = rule.late("04_self_attention", time, False, {})
    assert late is not None
    assert late.days == days


@pytest.mark.parametrize("grace", ["nan", "inf", "-1"])
def test_grace_is_a_number_of_hours(
    grace: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["grade", str(tmp_path), f"--grace={grace}"])
    assert "is not a number from 0" in capsys.readouterr().err


def test_a_zone_that_is_none_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["grade", str(tmp_path), "--out", f"{tmp_path}-out", "--timezone", "Berlin"]
    assert main(words) == 1
    assert "There is no timezone Berlin" in capsys.readouterr().err
