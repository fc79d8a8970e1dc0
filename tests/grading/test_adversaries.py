"""Hostile notebooks: none gains a point, harms another's result, or survives its run."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.grading.adversaries import TRICKS, Adversary
from tests.grading.classroom import RIGHT, WORTH, WRONG, filled, insert, only_answers, right_answers
from tests.grading.conftest import Grade, descendants, points
from tests.tiers import every_quick
from tutor.grading.feedback import page
from tutor.grading.limits import DEVICES
from tutor.grading.results import GradedNotebook
from tutor.grading.sandbox import Sandbox
from tutor.grading.students import GradedStudent, Who

TARGET = "scaled_dot_product_attention"


@pytest.fixture(scope="module")
def honest_result(sandbox: Sandbox) -> list[GradedNotebook]:
    """The result of an honest notebook, once it is known."""
    return []


def test_there_are_enough_of_them() -> None:
    assert 3 * len(TRICKS) >= 250
    assert len({trick.name for trick in TRICKS}) == len(TRICKS)


Way = Callable[[Adversary], tuple[dict[str, Any], dict[str, bytes]]]


def _before(trick: Adversary) -> tuple[dict[str, Any], dict[str, bytes]]:
    return insert(only_answers(filled({TARGET: trick.attention})), trick.code), {}


def _with_the_answer(trick: Adversary) -> tuple[dict[str, Any], dict[str, bytes]]:
    return only_answers(filled({TARGET: f"{trick.code}\n{trick.attention}"})), {}


def _from_a_file_beside(trick: Adversary) -> tuple[dict[str, Any], dict[str, bytes]]:
    notebook = insert(only_answers(filled({TARGET: trick.attention})), "from mine import *")
    return notebook, {"mine.py": trick.code.encode(errors="replace")}


def _matrix() -> Iterator[Any]:
    """Try every trick in one way, and of the other ways a sample, or all: three hundred."""
    others = 1 if os.environ.get("TUTOR_ATTACKS") == "all" else 25
    for way, step in ((_before, 1), (_with_the_answer, others), (_from_a_file_beside, others)):
        for trick in TRICKS[::step]:
            name = f"{trick.name} {way.__name__.replace('_', ' ').strip()}".replace(" ", "-")
            yield pytest.param(trick, way, id=name)


@pytest.mark.parametrize(("trick", "way"), every_quick(_matrix(), 10))
def test_hostile_notebook(
    trick: Adversary,
    way: Way,
    graded: Grade,
    sandbox: Sandbox,
    honest_result: list[GradedNotebook],
) -> None:
    notebook, files = way(trick)
    before = descendants(os.getpid())
    result = graded(notebook, files=files)
    assert result.refused or points(result)[TARGET] == 0, result
    assert sum(value or 0 for value in points(result).values()) == 0
    assert None not in points(result).values(), "a hostile notebook passes for a fault"
    _nothing_survives(before)
    _pages_are_harmless(result)
    honest = graded(filled(right_answers("Ada Lovelace")))
    assert points(honest) == WORTH
    honest_result.append(honest)
    assert honest == honest_result[0]


def _nothing_survives(before: set[int]) -> None:
    end = time.monotonic() + 120
    while (left := descendants(os.getpid()) - before) and time.monotonic() < end:
        time.sleep(0.01)  # whoever was killed is still being buried
    assert not left
    assert not Path("/tmp/tutor-pwned").exists()
    for device in DEVICES:
        assert os.stat(device).st_mode & 0o666 == 0o666


def _pages_are_harmless(result: GradedNotebook) -> None:
    html = page(GradedStudent(Who("Mallory", "Mallory"), [result]))
    assert "<script" not in html
    assert "<img" not in html
    assert "<b>x</b>" not in html
    assert len(html) < 200_000


def test_the_tricks_would_matter(graded: Grade) -> None:
    """The target's points are there to be had: the tests above can fail."""
    assert points(graded(filled({TARGET: RIGHT[TARGET]})))[TARGET] == WORTH[TARGET]


CHANGES = f"{RIGHT[TARGET].strip()[: RIGHT[TARGET].strip().rindex('return')]}q.zero_()\n    "
CHANGES += "return weights @ v, weights\n"
HIDES = """
import copy, sys
serve = sys.modules["tutor.grading.inside.serve"]
called = serve._called
def hide(answer, arguments, gradients):
    before = copy.deepcopy(dict(arguments))
    outcome, given = called(answer, arguments, gradients)
    return outcome, given and before
serve._called = hide
"""


def test_hiding_that_arguments_change_gains_what_a_clone_would(graded: Grade) -> None:
    """What TEACHING.md names as open: no more than an honest line saves, and nothing if wrong."""
    changing = filled({TARGET: CHANGES})
    assert points(graded(changing))[TARGET] == WORTH[TARGET] / 2
    honest = CHANGES.replace("    weights", "    q = q.clone()\n    weights", 1)
    assert points(graded(filled({TARGET: honest})))[TARGET] == WORTH[TARGET]
    assert points(graded(insert(changing, HIDES)))[TARGET] == WORTH[TARGET]
    wrong = filled({TARGET: WRONG[TARGET][0]})
    assert points(graded(insert(wrong, HIDES)))[TARGET] == 0
