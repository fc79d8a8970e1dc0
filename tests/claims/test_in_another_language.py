"""Whatever `measured` shows can be translated, whichever claim is asked for."""

import pytest

from tests.learner.pseudo import known, left_over, spoken
from tutor.claims.register import REGISTER, measured
from tutor.claims.words import MEASURED


@pytest.mark.parametrize("lesson", sorted({claim.lesson for claim in REGISTER}))
def test_what_was_measured_can_be_translated(lesson: str):
    with spoken():
        shown = [repr(measured(claim.name)) for claim in REGISTER if claim.lesson == lesson]
    assert [line for text in shown for line in text.splitlines() if left_over(line)] == []


def test_labels_of_sweeps_reach_a_translator():
    """In a sentence's gap a label counts as said: so each is looked for by itself."""
    labels = {text for claim in REGISTER for text in claim.stored.labels.values()}
    wanted = {(MEASURED, text) for text in labels if left_over(text)}
    assert len(wanted) > 100
    assert wanted - known() == set()
