"""Lesson 9's pictures: what a model says next, and how it is chosen."""

from tutor.explorers.lesson09_output_softmax.a_text_is_written import a_text_is_written
from tutor.explorers.lesson09_output_softmax.after_the_first_mistake import after_the_first_mistake
from tutor.explorers.lesson09_output_softmax.beam_tree import beam_tree
from tutor.explorers.lesson09_output_softmax.cache_at_work import cache_at_work
from tutor.explorers.lesson09_output_softmax.changed_decoder import changed_decoder
from tutor.explorers.lesson09_output_softmax.four_beams import four_beams
from tutor.explorers.lesson09_output_softmax.heads_of_a_speaker import heads_of_a_speaker
from tutor.explorers.lesson09_output_softmax.heads_that_copy import heads_that_copy
from tutor.explorers.lesson09_output_softmax.likely_next import likely_next
from tutor.explorers.lesson09_output_softmax.reading_and_writing import reading_and_writing
from tutor.explorers.lesson09_output_softmax.same_dice import same_dice
from tutor.explorers.lesson09_output_softmax.smoothing_and_margin import smoothing_and_margin
from tutor.explorers.lesson09_output_softmax.surprises import surprises
from tutor.explorers.lesson09_output_softmax.the_loop import the_loop
from tutor.explorers.lesson09_output_softmax.toy_language import TOY_WORDS, toy_language
from tutor.explorers.lesson09_output_softmax.which_may_be_drawn import which_may_be_drawn
from tutor.explorers.lesson09_output_softmax.write_on import write_on
from tutor.explorers.lesson09_output_softmax.your_own_dice import your_own_dice

__all__ = [
    "EXPLORERS",
    "TOY_WORDS",
    "a_text_is_written",
    "after_the_first_mistake",
    "beam_tree",
    "cache_at_work",
    "changed_decoder",
    "four_beams",
    "heads_of_a_speaker",
    "heads_that_copy",
    "likely_next",
    "reading_and_writing",
    "same_dice",
    "smoothing_and_margin",
    "surprises",
    "the_loop",
    "toy_language",
    "which_may_be_drawn",
    "write_on",
    "your_own_dice",
]

EXPLORERS = (
    a_text_is_written,
    which_may_be_drawn,
    same_dice,
    your_own_dice,
    the_loop,
    beam_tree,
    cache_at_work,
    heads_of_a_speaker,
    smoothing_and_margin,
)
