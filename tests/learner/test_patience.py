"""What computes for long is told how to stop; what only takes long by the clock is not."""

import time

import pytest

import tutor
from tutor.attention import scaled_dot_product_attention as reference
from tutor.learner import patience


@pytest.fixture(autouse=True)
def _soon(monkeypatch):
    monkeypatch.setattr(patience, "LONG", 0.1)
    monkeypatch.setattr(patience, "LOOK", 0.01)


def compute(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


@pytest.mark.long
def test_a_long_check_says_once_how_to_stop_it(capsys):
    def slow(q, k, v):
        compute(0.3)
        return reference(q, k, v)

    assert tutor.check(slow, name="scaled_dot_product_attention").passed
    assert capsys.readouterr().out.count("Still running") == 1


def test_a_busy_machine_adds_nothing(capsys):
    with patience.patience():
        time.sleep(0.4)  # as where other programs have the processor
    assert capsys.readouterr().out == ""
