"""The judge's end against a submission whose process replies with whatever it likes."""

import random

import pytest
import torch

from tutor.grading.limits import Limits
from tutor.grading.sandbox import GoneError, HungError
from tutor.grading.session import Session, SessionOverError
from tutor.grading.wire import Message, encode


class Forger:
    """A channel that gives the same reply to everything."""

    def __init__(self, reply):
        self.reply = reply

    def ask(self, request, seconds):
        if isinstance(self.reply, Exception):
            raise self.reply
        return self.reply


def session(data, blob=b""):
    reply = data if isinstance(data, Exception) else Message(data, blob)
    return Session(Forger(reply), Limits())


def outcome_data(**changes):
    data, blob = encode((torch.ones(2),))
    honest = {"value": data, "failure": None, "changed": [], "printed": "", "warned": []}
    return {**honest, **changes}, blob


FAILURE = {
    "reason": "error",
    "gaps": {"error": "ValueError", "text": "m"},
    "line_number": 1,
    "line": "x",
    "shapes": {"q": "(2,)"},
}


def called(**changes):
    return session(*outcome_data(**changes)).call("name", {"q": torch.ones(1)}, False)


def test_honest_replies_are_read():
    assert called().value[0].equal(torch.ones(2))
    assert called(changed=["q", "other"]).changed == ("q",)
    assert called(failure=FAILURE).failure.text == "m"
    found = {"learner": "Ada", "class_seed": "", "answers": {"f": {"cell": 3, "versions": 1}}}
    assert session(found).find().answers == {"f": (3, 1)}
    cells = [{"grade_id": "f", "defines": ["f", "g"], "digest": "0a"}]
    opened = session({"cells": cells, "notes": []}).open(b"")
    assert (opened.defines, opened.digests) == ([["f", "g"]], ["0a"])


@pytest.mark.parametrize(
    "changes",
    [
        {"value": None},
        {"value": {"plain": 3}},
        {"value": {"list": []}},
        {"value": {"dict": [[1, {"tensor": "0"}]]}},
        {"value": {"tensor": "1"}},
        {"failure": "wrong"},
        {"failure": {**FAILURE, "reason": "right"}},
        {"failure": {**FAILURE, "gaps": {"error": 7, "text": "m"}}},
        {"failure": {**FAILURE, "gaps": {"error": "ValueError"}}},
        {"failure": {**FAILURE, "line_number": 1e300}},
        {"failure": {**FAILURE, "line_number": -1}},
        {"failure": {**FAILURE, "shapes": [1]}},
        {"failure": {**FAILURE, "shapes": {"q": None}}},
        {"changed": "q"},
        {"changed": [["q"]]},
        {"printed": None},
        {"warned": {}},
    ],
    ids=str,
)
def test_forged_outcome_is_an_interruption(changes):
    outcome = called(**changes)
    assert outcome.value is None
    assert outcome.failure.kind == "interrupted"


@pytest.mark.parametrize("data", [None, 3, "x", [], {}, {"cells": 3}, {"answers": {}}], ids=str)
def test_forged_replies_end_the_session(data):
    for ask in (
        lambda one: one.open(b""),
        lambda one: one.run_cell(0, 1.0),
        lambda one: one.find(),
    ):
        one = session(data)
        with pytest.raises(SessionOverError):
            ask(one)
        assert one.over
        with pytest.raises(SessionOverError):  # and whatever comes after is not asked
            one.replace("f")


def test_hanging_and_leaving_are_told_apart():
    hung, gone = session(HungError()), session(GoneError())
    for one in (hung, gone):
        assert one.call("f", {}, False).failure.kind == "interrupted"
        assert one.over
    assert hung.hung
    assert not gone.hung


def test_texts_can_be_written_to_files():
    gaps = {"error": "ValueError", "text": "half \ud800 " + "x" * 5000}
    outcome = called(failure={**FAILURE, "gaps": gaps})
    outcome.failure.text.encode()
    assert len(outcome.failure.text) < 2000


def test_noise_never_gets_further_than_an_interruption():
    """Replies with some part replaced by something else: the judge does not stumble."""
    rng = random.Random(0)
    odd = [None, 0, -1, 1e308, float("nan"), "", "x", [], {}, [[]], True, {"tensor": "0"}]
    interrupted = 0
    for _ in range(3000):
        data, blob = outcome_data(failure=dict(FAILURE) if rng.random() < 0.5 else None)
        place = data
        if rng.random() < 0.5 and data["failure"]:
            place = data["failure"]
        place[rng.choice(list(place))] = rng.choice(odd)
        outcome = session(data, blob).call("f", {"q": torch.ones(1)}, False)
        interrupted += outcome.failure is not None and outcome.failure.kind == "interrupted"
    assert 500 < interrupted < 3000
