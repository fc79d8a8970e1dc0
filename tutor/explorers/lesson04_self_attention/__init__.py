"""Lesson 4's pictures: who looks at whom, from arrows of words to every cell of the computation."""

from tutor.explorers.lesson04_self_attention.all_or_nothing import all_or_nothing
from tutor.explorers.lesson04_self_attention.drawers import drawers
from tutor.explorers.lesson04_self_attention.edit_the_tokens import edit_the_tokens
from tutor.explorers.lesson04_self_attention.growing_table import growing_table
from tutor.explorers.lesson04_self_attention.hide_one_word import hide_one_word
from tutor.explorers.lesson04_self_attention.meaning_moves import meaning_moves
from tutor.explorers.lesson04_self_attention.output_among_values import output_among_values
from tutor.explorers.lesson04_self_attention.step_by_step import step_by_step
from tutor.explorers.lesson04_self_attention.turning_space import turning_space

__all__ = [
    "EXPLORERS",
    "all_or_nothing",
    "drawers",
    "edit_the_tokens",
    "growing_table",
    "hide_one_word",
    "meaning_moves",
    "output_among_values",
    "step_by_step",
    "turning_space",
]

EXPLORERS = (
    meaning_moves,
    hide_one_word,
    output_among_values,
    step_by_step,
    all_or_nothing,
    growing_table,
    turning_space,
    edit_the_tokens,
)
