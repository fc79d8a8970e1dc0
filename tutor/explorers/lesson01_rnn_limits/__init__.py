"""Lesson 1's pictures: from the café to what waits for what."""

from tutor.explorers.lesson01_rnn_limits.back_through_time import back_through_time
from tutor.explorers.lesson01_rnn_limits.cards_dealt import cards_dealt
from tutor.explorers.lesson01_rnn_limits.cell_at_work import cell_at_work
from tutor.explorers.lesson01_rnn_limits.encoder_and_decoder import encoder_and_decoder
from tutor.explorers.lesson01_rnn_limits.five_kinds import five_kinds
from tutor.explorers.lesson01_rnn_limits.how_far_it_reaches import how_far_it_reaches
from tutor.explorers.lesson01_rnn_limits.powers_of_a_factor import powers_of_a_factor
from tutor.explorers.lesson01_rnn_limits.right_by_cards import right_by_cards
from tutor.explorers.lesson01_rnn_limits.serve_the_guests import serve_the_guests
from tutor.explorers.lesson01_rnn_limits.states_and_weights import states_and_weights
from tutor.explorers.lesson01_rnn_limits.time_by_length import time_by_length
from tutor.explorers.lesson01_rnn_limits.unfolding import unfolding
from tutor.explorers.lesson01_rnn_limits.who_waits import who_waits

__all__ = [
    "EXPLORERS",
    "back_through_time",
    "cards_dealt",
    "cell_at_work",
    "encoder_and_decoder",
    "five_kinds",
    "how_far_it_reaches",
    "powers_of_a_factor",
    "right_by_cards",
    "serve_the_guests",
    "states_and_weights",
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
    cards_dealt,
    encoder_and_decoder,
)
