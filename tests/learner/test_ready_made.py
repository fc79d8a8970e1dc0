"""The course's own functions handed in as answers: they count, with a sentence."""

import pytest
import torch

from tutor.beam import beam_search
from tutor.decode import attention_step, greedy_decode
from tutor.learner.check import check
from tutor.mask import causal_keep
from tutor.schedule import noam_rate

WORDS = "This is the course's own {}, and it counts. Can you write it without?"


@pytest.mark.parametrize(
    ("exercise", "own"),
    [
        ("beam_search", beam_search),
        ("greedy_decode", greedy_decode),
        ("noam_rate", noam_rate),
        ("causal_mask", causal_keep),
        ("attention_step", attention_step),
    ],
)
def test_the_courses_own_function_counts_with_a_sentence(exercise, own):
    for answer in (own, lambda *given: own(*given)):
        report = check(answer, name=exercise)
        if report.passed:
            assert WORDS.format(own.__name__) in report.verdict.notes


def test_ones_own_function_gets_no_such_sentence():
    report = check(lambda length: torch.ones(length, length).tril().bool(), name="causal_mask")
    assert report.passed
    assert not report.verdict.notes
