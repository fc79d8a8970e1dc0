"""Every lesson's solutions get all points in the sandbox, and its empty exercises none."""

from pathlib import Path

import pytest

from tests.grading.conftest import Grade, points
from tests.tiers import first_quick
from tutor.exercises import lessons

ROOT = Path(__file__).resolve().parents[2]


def notebooks(folder: str) -> list[Path]:
    return sorted((ROOT / folder).glob("[0-9][0-9]_*.ipynb"))


@pytest.mark.parametrize("path", first_quick(notebooks("solutions")), ids=lambda path: path.stem)
def test_solutions_get_all_points(path: Path, graded: Grade) -> None:
    result = graded(path.read_bytes())
    assert result.lessons == [path.stem]
    assert points(result) == {one.name: one.points for one in lessons()[path.stem]}
    assert [note for note in result.notes if "stopped with" in note] == []


@pytest.mark.parametrize("path", first_quick(notebooks("exercises")), ids=lambda path: path.stem)
def test_empty_exercises_get_none(path: Path, graded: Grade) -> None:
    result = graded(path.read_bytes())
    assert result.lessons == [path.stem]
    assert {one.status for one in result.exercises} == {"open"}
    assert set(points(result)) == {one.name for one in lessons()[path.stem]}
