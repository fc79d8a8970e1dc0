"""The table of exercises in the documentation is the one the exercises give."""

from pathlib import Path

from tools.exercise_table import table

PAGE = Path(__file__).parents[1] / "docs" / "exercises.md"


def test_documentation_lists_the_exercises_as_they_are():
    assert PAGE.read_text(encoding="utf-8") == table() + "\n", (
        "python tools/exercise_table.py > docs/exercises.md"
    )
