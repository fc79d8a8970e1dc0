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


CLAIMS = (
    Claim(
        "lstm-reach",
        lesson=_LESSON,
        cell="how-long-is-a-memory-text",
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
        cell="how-long-is-a-memory-text",
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
        cell="how-long-is-a-memory-text",
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
        cell="eight-orders-text",
        sentence="Trained alike, GRU and LSTM do no better than that at any number of cards.",
        compares="GRU and LSTM with always saying the hand's commonest drink",
        sweep="cards",
        holds=lambda runs: runs.highest("right") < runs.highest("commonest") + 0.08,
        of={"memory": ["GRU", "LSTM"]},
        each=("memory", "width", "rate", "initialisation", "cards"),
        shown=(Shown("right", "memory", "cards"), Shown("commonest", "memory", "cards")),
    ),
    Claim(
        "cards-look-back",
        lesson=_LESSON,
        cell="what-would-help-text",
        sentence="Attention alone, or one attention layer over the GRU, answers nearly every "
        "question at every number of cards.",
        compares="attention, alone and over a GRU, with all questions answered",
        sweep="cards",
        holds=lambda runs: runs.lowest("right") > 0.99,
        of={"memory": ["GRU + attention", "attention"]},
        each=("memory", "rate", "initialisation", "cards"),
        shown=(Shown("right", "memory", "cards"),),
    ),
    Claim(
        "cards-matrix",
        lesson=_LESSON,
        cell="what-would-help-text",
        sentence="The matrix state answers as well up to 16 cards, and at 32 it begins to sink.",
        compares="the matrix state with all questions answered",
        sweep="cards",
        holds=lambda runs: runs.lowest("right") > 0.97,
        of={"memory": "matrix"},
        each=("cards",),
        within={"cards": [2, 4, 8, 16]},
        shown=(Shown("right", "memory", "cards"),),
    ),
)
