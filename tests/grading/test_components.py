"""What goes into the sandbox, and what each exercise takes out of the package."""

import ast
import importlib
import inspect

import pytest

from tests.tiers import first_quick
from tutor.exercises import find, lessons
from tutor.grading.components import components, sandbox_files, withheld


def test_no_exercise_and_no_mistake_goes_in() -> None:
    for inside, source in sandbox_files().items():
        text = source.read_text(encoding="utf-8")
        assert "exercises" not in inside.split("/")
        tree = ast.parse(text)
        imported = [
            node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
        ]
        allowed = {f"tutor.{name}" for name in components()}
        allowed |= {"tutor", *("tutor." + path[:-3].replace("/", ".") for path in sandbox_files())}
        for module in imported:
            if module.startswith("tutor"):
                assert module.removesuffix(".__init__") in allowed, (inside, module)


def test_nothing_that_judges_goes_in() -> None:
    for name in ("checking/examine.py", "checking/seeds.py", "checking/verdict.py", "notebook.py"):
        assert name not in sandbox_files()
    assert "checking/calls.py" in sandbox_files()


def test_the_model_on_one_page_stays_outside() -> None:
    """It holds the answers to exercises of half the lessons, and no part of it is withheld."""
    assert "paper_model.py" not in sandbox_files()


@pytest.mark.parametrize(
    ("exercise", "part"),
    [
        ("scaled_dot_product_attention", "tutor.attention:scaled_dot_product_attention"),
        ("mend_attention", None),
        ("additive_attention", "tutor.attention:additive_attention"),
        ("project_by_hand", None),
        ("predict_score", None),
    ],
)
def test_withheld(exercise: str, part: str | None) -> None:
    assert (part in withheld(find(exercise))) is (part is not None)
    assert len(withheld(find(exercise))) <= 2


@pytest.mark.parametrize("lesson", first_quick(lessons()))
def test_what_is_withheld_is_in_the_sandbox_and_the_packages_own(lesson: str) -> None:
    """A protocol's way in is Python's: exchanging its code broke every protocol in the process."""
    for exercise in lessons()[lesson]:
        for part in withheld(exercise):
            module, _, name = part.partition(":")
            assert f"{module.removeprefix('tutor.')}.py" in sandbox_files()
            found = getattr(importlib.import_module(module), name)
            entry = found.__init__ if isinstance(found, type) else found
            assert inspect.unwrap(entry).__module__ == module
