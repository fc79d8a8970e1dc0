"""Lesson 2's pictures: rows of a table, pieces of words, and what training makes of them."""

from tutor.explorers.lesson02_embeddings.a_word_of_your_own import a_word_of_your_own
from tutor.explorers.lesson02_embeddings.bank_at_each_depth import bank_at_each_depth
from tutor.explorers.lesson02_embeddings.map_of_words import map_of_words
from tutor.explorers.lesson02_embeddings.merges_step_by_step import TEXT, merges_step_by_step
from tutor.explorers.lesson02_embeddings.neighbours import neighbours
from tutor.explorers.lesson02_embeddings.picking_a_row import picking_a_row
from tutor.explorers.lesson02_embeddings.pull_and_push import pull_and_push
from tutor.explorers.lesson02_embeddings.random_directions import random_directions
from tutor.explorers.lesson02_embeddings.real_pieces import real_pieces
from tutor.explorers.lesson02_embeddings.rows_that_learn import rows_that_learn
from tutor.explorers.lesson02_embeddings.search_by_meaning import search_by_meaning
from tutor.explorers.lesson02_embeddings.training_a_table import training_a_table
from tutor.explorers.lesson02_embeddings.two_arrows import two_arrows
from tutor.explorers.lesson02_embeddings.vocabulary_sizes import vocabulary_sizes
from tutor.explorers.lesson02_embeddings.window_over_a_sentence import window_over_a_sentence

__all__ = [
    "EXPLORERS",
    "TEXT",
    "a_word_of_your_own",
    "bank_at_each_depth",
    "map_of_words",
    "merges_step_by_step",
    "neighbours",
    "picking_a_row",
    "pull_and_push",
    "random_directions",
    "real_pieces",
    "rows_that_learn",
    "search_by_meaning",
    "training_a_table",
    "two_arrows",
    "vocabulary_sizes",
    "window_over_a_sentence",
]

EXPLORERS = (
    picking_a_row,
    merges_step_by_step,
    real_pieces,
    window_over_a_sentence,
    pull_and_push,
    training_a_table,
    a_word_of_your_own,
    two_arrows,
    neighbours,
    bank_at_each_depth,
    search_by_meaning,
    rows_that_learn,
    random_directions,
)
