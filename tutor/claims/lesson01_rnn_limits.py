"""What lesson 1 says it measured."""

from tutor.claims.claim import Claim, Shown
from tutor.claims.runs import Runs

_LESSON = "01_rnn_limits"


def _the_bias_decides(runs: Runs) -> bool:
    return (
        runs.at(bias=0, lag=20).highest("told") < 0.2
        and runs.at(bias=3, lag=40).lowest("told") > 0.9
        and runs.at(bias=5, lag=80).lowest("told") > 0.8
    )


def _wider_is_ahead(runs: Runs) -> bool:
    narrow, middle, wide = (runs.at(width=width) for width in (32, 64, 128))
    return (
        narrow.highest("right") < middle.lowest("right")
        and middle.highest("right") < wide.lowest("right")
        and wide.highest("right") < 0.99
    )


def _most_but_not_all(runs: Runs) -> bool:
    right = sorted(runs.numbers("right"))
    return right[0] > 0.5 and right[1] < 0.9 and right[2] > 0.95


def _far_above_the_line(runs: Runs) -> bool:
    right, line = sorted(runs.numbers("right")), runs.highest("commonest")
    return right[0] > line + 0.1 and right[2] < 0.9 * right[3]


CLAIMS = (
    Claim(
        "lstm-reach",
        lesson=_LESSON,
        cell="how-long-is-a-memory-sure",
        sentence="Where the bias of its forget gate starts decides how far this LSTM reaches: from "
        "0 it guesses at twenty words, from 3 it names the company at forty, from 5 at eighty, "
        "too.",
        compares="LSTMs that differ in the bias of their forget gate before training",
        sweep="long_memory",
        holds=_the_bias_decides,
        of={"model": "LSTM", "steps": 400},
        each=("initialisation", "rate", "width"),
        shown=(Shown("told", "bias", "lag"),),
    ),
    Claim(
        "more-steps",
        lesson=_LESSON,
        cell="how-long-is-a-memory-sure",
        sentence="Five times as many steps, from 0, help nothing.",
        compares="an LSTM whose forget gate starts at 0 after 2,000 steps with guessing",
        sweep="long_memory",
        holds=lambda runs: runs.highest("told") < 0.2,
        of={"model": "LSTM", "bias": 0, "steps": 2000},
        each=("lag",),
        shown=(Shown("told", "steps", "lag"),),
    ),
    Claim(
        "attention-reaches",
        lesson=_LESSON,
        cell="how-long-is-a-memory-sure",
        sentence="Attention reaches any word in one step, and learns it at every distance.",
        compares="one layer of attention at every distance with guessing",
        sweep="long_memory",
        holds=lambda runs: runs.lowest("told") > 0.8,
        of={"model": "attention"},
        each=("initialisation", "lag"),
        shown=(Shown("told", "initialisation", "lag"),),
    ),
    Claim(
        "cards-one-vector",
        lesson=_LESSON,
        cell="what-would-help-sure",
        sentence="After 600 steps GRU and LSTM do no better than always saying the hand's most "
        "common drink, at any number of cards.",
        compares="GRU and LSTM after 600 steps with always saying the hand's most common drink",
        sweep="cards",
        holds=lambda runs: runs.highest("right") < runs.highest("commonest") + 0.08,
        of={"memory": ["GRU", "LSTM"]},
        each=("memory", "width", "rate", "initialisation", "cards"),
        shown=(Shown("right", "memory", "cards"), Shown("commonest", "memory", "cards")),
    ),
    Claim(
        "cards-attention-soon",
        lesson=_LESSON,
        cell="eight-orders-sure",
        sentence="One layer of attention has nearly every order right from step 100 on, at any "
        "number of cards.",
        compares="one layer of attention from its hundredth step on with all questions answered",
        sweep="card_steps",
        holds=lambda runs: runs.lowest("right") > 0.95,
        of={"memory": "attention", "steps": [100, 200, 300, 600]},
        each=("width", "steps", "cards"),
        shown=(Shown("right", "width", "steps"),),
    ),
    Claim(
        "cards-slowly",
        lesson=_LESSON,
        cell="eight-orders-sure",
        sentence="After 10,000 steps an LSTM with 2 × 128 numbers has more than nine of ten orders "
        "of eight right.",
        compares="an LSTM with 2 × 128 numbers after 10,000 steps with nine of ten orders right",
        sweep="card_steps",
        holds=lambda runs: runs.lowest("right") > 0.93,
        of={"memory": "LSTM", "width": 128, "steps": 10_000},
        each=("cards",),
        within={"cards": [2, 4, 8]},
        shown=(Shown("right", "steps", "cards"),),
    ),
    Claim(
        "cards-look-back",
        lesson=_LESSON,
        cell="what-would-help-sure",
        sentence="After 600 steps attention alone, or one attention layer over the GRU, answers "
        "nearly every question at every number of cards.",
        compares="attention, alone and over a GRU, after 600 steps with all questions answered",
        sweep="cards",
        holds=lambda runs: runs.lowest("right") > 0.99,
        of={"memory": ["GRU + attention", "attention"]},
        each=("memory", "rate", "initialisation", "cards"),
        shown=(Shown("right", "memory", "cards"),),
    ),
    Claim(
        "cards-wider",
        lesson=_LESSON,
        cell="what-would-help-sure",
        sentence="The wider of two LSTMs is ahead from 1,000 steps on, for 8 cards and for 16, but "
        "even the widest has not all of sixteen.",
        compares="LSTMs of width 32, 64 and 128 with each other, and with all questions answered",
        sweep="card_steps",
        holds=_wider_is_ahead,
        of={"memory": "LSTM", "steps": [1000, 1500, 2000, 3000, 4500, 6000, 8000, 10_000]},
        each=("steps", "cards"),
        within={"cards": [8, 16]},
        shown=(Shown("right", "width", "steps", {"cards": 8}),),
    ),
    Claim(
        "cards-matrix",
        lesson=_LESSON,
        cell="the-table-as-a-waiter-sure",
        sentence="Of eight with 1,024 numbers, six have nearly every order of eight right after "
        "600 steps; two are stuck between half and nine of ten.",
        compares="eight matrix states of one recipe with all questions answered",
        sweep="card_matrix",
        holds=_most_but_not_all,
        of={"width": 32},
        each=("cards",),
        within={"cards": [4, 8, 16]},
        shown=(Shown("right", "memory", "cards"),),
    ),
    Claim(
        "cards-equal-memory",
        lesson=_LESSON,
        cell="the-table-as-a-waiter-sure",
        sentence="With 256 numbers every one of eight matrix states is far above the grey line "
        "after 600 steps, on eight cards and on sixteen, but three are stuck",
        compares="eight matrix states that carry as many numbers as an LSTM of width 128 with "
        "always saying the most common drink",
        sweep="card_matrix",
        holds=_far_above_the_line,
        of={"width": 16},
        each=("cards",),
        within={"cards": [8, 16]},
        shown=(Shown("right", "width", "cards"), Shown("commonest", "width", "cards")),
    ),
)
