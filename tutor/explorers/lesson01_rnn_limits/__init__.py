"""Lesson 1's pictures: from the café to what waits for what."""

from tutor.explorers.lesson01_rnn_limits.back_through_time import back_through_time
from tutor.explorers.lesson01_rnn_limits.carried_and_used import carried_and_used
from tutor.explorers.lesson01_rnn_limits.cell_at_work import cell_at_work
from tutor.explorers.lesson01_rnn_limits.eight_answers import eight_answers
from tutor.explorers.lesson01_rnn_limits.encoder_and_decoder import encoder_and_decoder
from tutor.explorers.lesson01_rnn_limits.five_kinds import five_kinds
from tutor.explorers.lesson01_rnn_limits.how_far_it_reaches import how_far_it_reaches
from tutor.explorers.lesson01_rnn_limits.powers_of_a_factor import powers_of_a_factor
from tutor.explorers.lesson01_rnn_limits.right_by_steps import right_by_steps
from tutor.explorers.lesson01_rnn_limits.serve_the_guests import serve_the_guests
from tutor.explorers.lesson01_rnn_limits.states_and_weights import states_and_weights
from tutor.explorers.lesson01_rnn_limits.the_notepad import the_notepad
from tutor.explorers.lesson01_rnn_limits.time_by_length import time_by_length
from tutor.explorers.lesson01_rnn_limits.unfolding import unfolding
from tutor.explorers.lesson01_rnn_limits.who_waits import who_waits

__all__ = [
    "EXPLORERS",
    "back_through_time",
    "carried_and_used",
    "cell_at_work",
    "eight_answers",
    "encoder_and_decoder",
    "five_kinds",
    "how_far_it_reaches",
    "powers_of_a_factor",
    "right_by_steps",
    "serve_the_guests",
    "states_and_weights",
    "the_notepad",
    "time_by_length",
    "unfolding",
    "who_waits",
]

EXPLORERS = (
    serve_the_guests,
    unfolding,
    back_through_time,
    cell_at_work,
    how_far_it_reaches,
    eight_answers,
    right_by_steps,
    encoder_and_decoder,
)
