"""Lesson 1's pictures: the stored answers fit their hands, and the band is a logarithm."""

import re
import sys
from importlib import import_module
from pathlib import Path

import pytest
import torch

from tutor.data.cards import DRINK_NAMES, EIGHT_ORDERS, GUEST_NAMES, hand_of, letters
from tutor.data.files import load_results
from tutor.explorers import lesson01_rnn_limits as explore
from tutor.explorers.lesson01_rnn_limits.back_through_time import _half

SCRIPTS = Path(__file__).parents[2] / "tools" / "results"
STORED = load_results("card_answers")["values"]


def orders(hand: int) -> dict[str, str]:
    return {GUEST_NAMES[guest]: DRINK_NAMES[drink] for guest, drink in STORED["hands"][hand]}


def right(memory: str, step: int, hand: int) -> int:
    """Count by guest, where the picture goes by place."""
    said = STORED["waiters"][memory]["said"][str(step)][hand]
    asked = [GUEST_NAMES[guest] for guest in STORED["asked"][hand]]
    answers = {guest: DRINK_NAMES[ord(one) - ord("a")] for guest, one in zip(asked, said)}
    return sum(answers[guest] == drink for guest, drink in orders(hand).items())


def test_the_first_hand_is_what_readers_serve_themselves():
    assert orders(0) == EIGHT_ORDERS


def test_every_guest_of_a_hand_is_asked_once():
    for told, asked in zip(STORED["hands"], STORED["asked"], strict=True):
        assert sorted(guest for guest, _ in told) == sorted(asked)


@pytest.mark.parametrize("hand", [0, 1, 4])
def test_the_caption_counts_what_is_right(hand: int):
    caption = explore.eight_answers().frame(training=100, hand=hand + 1).caption
    counts = [int(count) for count in re.findall(r" (\d+)(?:,|\.)", caption.split(":")[1])]
    assert counts == [right(memory, 100, hand) for memory in STORED["waiters"]]


def test_the_waiter_comes_back_and_attention_does_not_wait():
    """What the lesson says of its own eight guests."""
    drinks = [*EIGHT_ORDERS.values()]
    most = max(drinks, key=drinks.count)
    said = STORED["waiters"]["LSTM"]["said"]["300"][0]
    assert said == letters(torch.tensor([DRINK_NAMES.index(most)])) * 8
    assert all(right("attention", step, 0) == 8 for step in (100, 200, 300))
    assert [right("LSTM", step, 0) for step in (4500, 6000)] == [8, 7]


def test_your_own_answers_stand_beside_the_first_hand_alone():
    def picture(yours: str, hand: int) -> bytes:
        return explore.eight_answers(yours).png(training=300, hand=hand)

    assert picture("tea tea tea", 1) != picture("", 1)
    assert picture("tea tea tea", 2) == picture("milk", 2) != picture("milk", 1)


def test_the_notepad_compares_what_was_written():
    eight = ", ".join(EIGHT_ORDERS.values())
    assert explore.the_notepad(eight).caption.endswith("You: 8 of 8.")
    assert explore.the_notepad("milk " + eight).caption.endswith("You: 0 of 8.")
    assert "You" not in explore.the_notepad().caption


@pytest.mark.parametrize("powers", [-1, -5, 3])
def test_each_power_of_ten_takes_a_tenth_of_the_band(powers: int):
    assert _half(10.0**powers) == pytest.approx(1 + powers / 10)


@pytest.mark.long
def test_the_stored_answers_come_from_the_script_as_it_is():
    """Attention's, which takes seconds; a few answers may be rounded otherwise elsewhere."""
    sys.path.append(str(SCRIPTS))
    script = import_module("card_answers")
    again = script.measure(reduced=True)["waiters"]["attention"]["said"]["100"]
    then = STORED["waiters"]["attention"]["said"]["100"]
    same = sum(a == b for one, other in zip(again, then) for a, b in zip(one, other))
    assert same >= 0.95 * sum(map(len, then))


def test_a_hand_of_orders_asks_for_them_in_their_order():
    steps, answers = hand_of(EIGHT_ORDERS)
    assert [GUEST_NAMES[guest] for guest in steps[0, 8:, 0]] == [*EIGHT_ORDERS]
    assert [DRINK_NAMES[drink] for drink in answers[0]] == [*EIGHT_ORDERS.values()]


def test_a_width_that_is_no_number_is_not_read_out():
    assert "Links" not in explore.carried_and_used().alt
