"""What goes into the sandbox, and what each exercise takes out of the package."""

import ast

import pytest

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
        ("mend_attention", "tutor.attention:scaled_dot_product_attention"),
        ("additive_attention", "tutor.attention:additive_attention"),
        ("project_by_hand", None),
        ("predict_score", None),
    ],
)
def test_withheld(exercise: str, part: str | None) -> None:
    assert (part in withheld(find(exercise))) is (part is not None)
    assert len(withheld(find(exercise))) <= 2


def test_what_is_withheld_is_in_the_sandbox() -> None:
    for exercise in lessons()["04_self_attention"]:
        for part in withheld(exercise):
            module, _, _ = part.partition(":")
            assert f"{module.removeprefix('tutor.')}.py" in sandbox_files()
