"""Notebooks damaged by honest hands are graded for what they hold, or refused with a sentence."""

import pytest

from tests.grading.accidents import ACCIDENTS, ALL, LEARNER, Accident
from tests.grading.classroom import WORTH
from tests.grading.conftest import Grade, found, points


@pytest.mark.parametrize("accident", ACCIDENTS, ids=lambda one: one.name.replace(" ", "-"))
def test_accident(accident: Accident, graded: Grade) -> None:
    result = graded(accident.make())
    if accident.lost == ALL:
        assert accident.says in result.refused
        assert result.refused.endswith(".")
        return
    assert not result.refused
    assert result.learner == LEARNER
    lost = {name: worth for name, worth in WORTH.items() if points(result)[name] != worth}
    assert set(lost) == accident.lost, result
    told = [*result.notes, *(one.headline for one in result.exercises)]
    told += [note for one in result.exercises for note in one.notes]
    assert any(accident.says in sentence for sentence in told)


def test_versions_are_counted(graded: Grade) -> None:
    by_name = {accident.name: accident for accident in ACCIDENTS}
    result = graded(by_name["an old version above"].make())
    assert found(result, "project_by_hand").notes == [
        "The notebook holds 2 versions; the latest counts."
    ]
    assert not found(result, "additive_attention").notes
    copied = graded(by_name["a stub copied below the answer"].make())
    assert not found(copied, "additive_attention").notes  # a stub is no version
