"""The judge's end against a submission whose process replies with whatever it likes."""

import contextlib
import random

import pytest
import torch

from tutor.grading.channel import GoneError, HungError
from tutor.grading.messages import Message, MessageWriter, decode, encode
from tutor.grading.outcomes import Calls
from tutor.grading.replies import CellFacts, News
from tutor.grading.session import Session, SessionOverError


class Forger:
    """A channel that gives the same replies to everything."""

    def __init__(self, *replies):
        self.replies, self.sent = list(replies), []

    def send(self, message):
        self.sent.append(message)

    def hear(self):
        reply = self.replies[0] if len(self.replies) == 1 else self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply


def session(data, blob=b""):
    reply = data if isinstance(data, Exception) else Message(data, blob)
    return Session(Forger(reply))


def outcome_data(after=None, **changes):
    after = {"q": torch.ones(1)} if after is None else after
    writer = MessageWriter()
    result = {"value": writer.data((torch.ones(2),)), "after": writer.data(after)}
    honest = {"result": result, "failure": None, "printed": "", "warned": []}
    return {**honest, **changes}, writer.blob()


FAILURE = {
    "reason": "error",
    "gaps": {"error": "ValueError", "text": "m"},
    "line_number": 1,
    "line": "x",
    "shapes": {"q": "(2,)"},
}


QUERY = Calls([{"q": torch.ones(1)}])


def called(after=None, **changes):
    data, blob = outcome_data(after, **changes)
    return outcomes(session({"outcomes": [data]}, blob))[0]


def outcomes(one, calls=QUERY):
    return one.read(one.called(0, calls), calls.outcomes)


def test_honest_replies_are_read():
    assert called().value[0].equal(torch.ones(2))
    assert called(failure=FAILURE).failure.text == "m"
    cells = [{"grade_id": "f", "defines": ["f", "g"], "checks": ["f"], "digest": "0a", "text": ""}]
    cells[0]["magic"] = "skip"
    opened = {"cells": cells, "notes": [["encoding", {"encoding": "UTF-16"}]], "python": "3.13.1"}
    read = session(opened).open(b"", [])
    assert read.cells == [CellFacts("f", ["f", "g"], ["f"], "0a", "", "skip")]
    assert read.notes == ["The file was saved as UTF-16; it was read as that."]
    assert read.python == "3.13.1"
    assert session({"refused": ["empty", {}]}).open(b"", []).refused == "The file is empty."
    news = {"version": 2, "exercise": "f", "cell": 3, "sure": True, "open": False, "now": "0a"}
    ran = {"error": None, "news": [news], "next": 4, "needs": "3.14"}
    assert session(ran).run(0, 0, []).news == [News(2, "f", 3, True, False, "0a")]
    assert session({"learners": [["Ada", "s"]], "left_out": []}).end().learners == [("Ada", "s")]


def test_whether_an_argument_changed_is_decided_here():
    assert called().changed == ()
    assert called(after={"q": torch.zeros(1)}).changed == ("q",)
    assert called(after={"q": torch.ones(1), "other": 3}).changed == ()
    assert called(after={}).changed == ("q",)  # what does not come back is not as it was
    assert called(changed=[]).changed == ()  # nothing that is said of it counts


def test_where_the_process_is_may_come_before_the_reply():
    ran = {"error": None, "news": [], "next": None, "needs": ""}
    one = Session(Forger(Message({"at": 2}), Message({"at": 7}), Message(ran), Message({"at": 1})))
    one.run(0, 0, [])
    assert one.at == 7
    with pytest.raises(SessionOverError):  # it never comes to its reply
        one.run(0, 0, [])


def test_the_courses_own_functions_are_computed_here():
    data, blob = encode({"arguments": [3], "named": {}})
    asked = Message({"stand_in": "double", "called": data}, blob)
    ran = Message({"error": None, "news": [], "next": None, "needs": ""})
    channel = Forger(asked, Message({"stand_in": "other", "called": data}, blob), Message({}), ran)
    one = Session(channel)
    one._stand_in = lambda name, called: {"double": 2 * called["arguments"][0]}[name]
    with pytest.raises(SessionOverError):
        one.run(0, 0, [])
    first, second = channel.sent[1:]
    assert decode(first.data["value"], first.blob) == 6
    assert second.data == {"refused": True}


@pytest.mark.parametrize(
    "changes",
    [
        {"result": None},
        {"result": {"value": {"plain": 3}, "after": {"dict": []}}},
        {"result": {"value": {"list": []}, "after": {"dict": []}}},
        {"result": {"value": {"tensor": "9"}, "after": {"dict": []}}},
        {"result": {"value": {"dict": [[1, {"tensor": "0"}]]}, "after": {"dict": []}}},
        {"result": {"value": {"tensor": "0"}, "after": {"tensor": "0"}}},
        {"result": {"value": {"tensor": "0"}}},
        {"failure": "wrong"},
        {"failure": {**FAILURE, "reason": "right"}},
        {"failure": {**FAILURE, "gaps": {"error": 7, "text": "m"}}},
        {"failure": {**FAILURE, "gaps": {"error": "ValueError"}}},
        {"failure": {**FAILURE, "line_number": 1e300}},
        {"failure": {**FAILURE, "line_number": -1}},
        {"failure": {**FAILURE, "shapes": [1]}},
        {"failure": {**FAILURE, "shapes": {"q": None}}},
        {"printed": None},
        {"warned": {}},
    ],
    ids=str,
)
def test_forged_outcome_ends_the_session(changes):
    with pytest.raises(SessionOverError):
        called(**changes)


@pytest.mark.parametrize("data", [None, 3, "x", [], {}, {"cells": 3}, {"answers": {}}], ids=str)
def test_forged_replies_end_the_session(data):
    for ask in (
        lambda one: one.open(b"", []),
        lambda one: one.run(0, 0, []),
        lambda one: one.end(),
    ):
        one = session(data)
        with pytest.raises(SessionOverError):
            ask(one)
        assert one.over
        with pytest.raises(SessionOverError):  # and whatever comes after is not asked
            one.wrong("f", True)


def test_many_calls_may_be_answered_in_part_and_not_in_excess():
    data, blob = outcome_data()
    two = Calls([{"q": torch.ones(1)}] * 2)
    assert len(outcomes(session({"outcomes": [data]}, blob), two)) == 1
    assert len(outcomes(session({"outcomes": [data] * 2}, blob), two)) == 2
    for many in (0, 3):
        with pytest.raises(SessionOverError):
            outcomes(session({"outcomes": [data] * many}, blob), two)


def test_hanging_and_leaving_are_told_apart():
    hung, gone = session(HungError()), session(GoneError())
    for one in (hung, gone):
        with pytest.raises(SessionOverError):
            one.called(0, QUERY)
        assert one.over
    assert hung.hung
    assert not gone.hung


def test_texts_can_be_written_to_files():
    gaps = {"error": "ValueError", "text": "half \ud800 " + "x" * 5000}
    outcome = called(failure={**FAILURE, "gaps": gaps})
    outcome.failure.text.encode()
    assert len(outcome.failure.text) < 2000


def test_noise_never_gets_further_than_an_ended_session():
    """Replies with some part replaced by something else: the judge does not stumble."""
    rng = random.Random(0)
    odd = [None, 0, -1, 1e308, float("nan"), "", "x", [], {}, [[]], True, {"tensor": "0"}]
    ended = 0
    for _ in range(3000):
        data, blob = outcome_data(failure=dict(FAILURE) if rng.random() < 0.5 else None)
        place = data
        if rng.random() < 0.5 and data["failure"]:
            place = data["failure"]
        place[rng.choice(list(place))] = rng.choice(odd)
        one = session({"outcomes": [data]}, blob)
        with contextlib.suppress(SessionOverError):
            outcomes(one)
        ended += one.over
    assert 500 < ended < 3000
