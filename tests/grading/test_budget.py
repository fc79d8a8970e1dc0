"""A notebook's time is counted for all of it, and nobody waits for one that only sleeps."""

import json
import socket
import threading
import time
from dataclasses import replace

import pytest

from tests.grading.classroom import WORTH, WRONG, cell, filled, insert, right_answers
from tests.grading.conftest import SHORT, Grade, points
from tutor.grading.budget import MOST_SLEEP, Budget
from tutor.grading.channel import BusyMachineError, Channel, HungError
from tutor.grading.messages import Message, pack
from tutor.grading.sandbox import Sandbox

PROJECT = "project_by_hand"
_DRIP = """
import json, os, struct, time
text = json.dumps({"at": 1}).encode()
def is_open(number):
    try: return bool(os.fstat(number))
    except OSError: return False
channel = next(number for number in range(3, 64) if is_open(number))
while True:
    os.write(channel, struct.pack("<II", len(text), 0) + text); time.sleep(0.1)
"""


@pytest.fixture
def hurried(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """Little time by the clock, so that what never ends would be seen to."""
    monkeypatch.setattr(sandbox, "limits", replace(SHORT, clock=20.0))


def test_messages_between_naps_are_no_work(graded: Grade, hurried: None) -> None:
    result = graded(insert(filled(right_answers("Ada Lovelace")), _DRIP))
    assert not result.fault
    assert points(result) == WORTH  # only the line that dripped is lost
    assert "waited without computing" in " ".join(result.notes)


@pytest.mark.long
def test_naps_of_many_cells_add_up(graded: Grade, hurried: None) -> None:
    notebook = filled(right_answers("Ada Lovelace"))
    naps = [cell("import time; time.sleep(60)") for _ in range(2 * MOST_SLEEP)]
    notebook["cells"] = naps + notebook["cells"]
    began = time.monotonic()
    result = graded(notebook)
    assert time.monotonic() - began < 3 * MOST_SLEEP * SHORT.sleep
    assert set(points(result).values()) == {0.0}
    assert {one.headline for one in result.exercises} == {
        "The notebook's time was used up before this."
    }
    assert "The time for the whole notebook was used up in code cell" in " ".join(result.notes)


def test_what_was_right_before_the_time_was_up_stays_right(graded: Grade, hurried: None) -> None:
    notebook = filled(right_answers("Ada Lovelace"))
    notebook["cells"] += [cell("import time; time.sleep(60)") for _ in range(2 * MOST_SLEEP)]
    functions = {name: points for name, points in WORTH.items() if not name.startswith("predict")}
    assert functions.items() <= points(graded(notebook)).items()


def test_a_cell_that_asks_for_ever_has_an_end(graded: Grade) -> None:
    """A wrong answer may use the course's own function; each call goes to the judge and back."""
    answers = {**right_answers("Ada Lovelace"), PROJECT: WRONG[PROJECT][0]}
    asks = f"""
report, x, n = check({PROJECT}), torch.ones(2, 2), 0
report.function(x, x)
while True:
    try: n += len(report.function(x, x))
    except Exception: pass
"""
    notebook = filled(answers)
    notebook["cells"].append(cell(asks))
    began = time.monotonic()
    result = graded(notebook)
    assert time.monotonic() - began < 60 * SHORT.notebook
    assert points(result) == {**WORTH, PROJECT: 0}
    assert "left out" in " ".join(result.notes)


def _channel(limits=SHORT, state="S") -> tuple[Channel, socket.socket, Budget]:
    ours, theirs = socket.socketpair()
    budget = Budget(limits)
    return Channel(ours, limits, lambda: state, budget), theirs, budget


def test_talking_and_not_listening_is_no_work() -> None:
    channel, theirs, budget = _channel()
    with theirs:
        theirs.sendall(pack(Message({"at": 1})))  # always something to be read
        with pytest.raises(HungError):
            channel.send(Message({}, b"x" * (8 << 20)))
    assert budget.slept > SHORT.sleep


def test_computing_is_never_sleep() -> None:
    channel, theirs, budget = _channel(state="R")
    with theirs:
        later = threading.Timer(2.5 * SHORT.sleep, theirs.sendall, [pack(Message("done"))])
        later.start()
        assert channel.hear().data == "done"
    assert budget.slept == 0


def test_only_who_used_next_to_nothing_has_a_busy_machine_to_blame() -> None:
    budget = Budget(replace(SHORT, clock=0.0))
    assert budget.is_out_of_time
    assert not budget.is_used_up
    channel, theirs, _ = _channel(replace(SHORT, clock=0.0))
    with theirs, pytest.raises(BusyMachineError):
        channel.hear()
    budget.running = SHORT.notebook / 2
    assert budget.is_used_up
    napping = Budget(replace(SHORT, clock=0.0))
    napping.slept = SHORT.sleep + 1
    assert napping.is_used_up


def test_processes_add_up() -> None:
    budget = Budget(SHORT)
    budget.running = SHORT.notebook - 1
    budget.ended(SHORT.notebook - 1)
    assert not budget.is_used_up
    budget.ended(2)
    assert budget.is_used_up


def test_two_lines_of_the_zygote_in_one_piece_are_two() -> None:
    control, zygote = socket.socketpair()
    lines = [{"threads": 1}, {"state": "S", "computed": 0.5}, {"code": 0, "computed": 0.75}]
    zygote.sendall(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    one, budget = Sandbox(SHORT, control=control), Budget(SHORT)
    one._ended = {}
    assert one._state(budget) == "S"
    assert budget.running == 0.5
    assert one._state(budget) == ""  # and nobody waits for a line that has come already
    assert one._ended == lines[2]
    one.close()
    zygote.close()
