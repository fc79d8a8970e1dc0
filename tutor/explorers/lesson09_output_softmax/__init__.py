"""Lesson 9's pictures: what a model says next, and how it is chosen."""

from tutor.explorers.lesson09_output_softmax.after_the_first_mistake import after_the_first_mistake
from tutor.explorers.lesson09_output_softmax.beam_tree import beam_tree
from tutor.explorers.lesson09_output_softmax.changed_decoder import changed_decoder
from tutor.explorers.lesson09_output_softmax.four_beams import four_beams
from tutor.explorers.lesson09_output_softmax.heads_of_a_speaker import heads_of_a_speaker
from tutor.explorers.lesson09_output_softmax.likely_next import likely_next
from tutor.explorers.lesson09_output_softmax.ribbons import ribbons
from tutor.explorers.lesson09_output_softmax.shelf import shelf
from tutor.explorers.lesson09_output_softmax.smoothing_and_margin import smoothing_and_margin
from tutor.explorers.lesson09_output_softmax.surprises import surprises
from tutor.explorers.lesson09_output_softmax.the_loop import the_loop
from tutor.explorers.lesson09_output_softmax.toy_language import TOY_WORDS, toy_language
from tutor.explorers.lesson09_output_softmax.which_may_be_drawn import which_may_be_drawn
from tutor.explorers.lesson09_output_softmax.write_on import write_on

__all__ = [
    "EXPLORERS",
    "TOY_WORDS",
    "after_the_first_mistake",
    "beam_tree",
    "changed_decoder",
    "four_beams",
    "heads_of_a_speaker",
    "likely_next",
    "ribbons",
    "shelf",
    "smoothing_and_margin",
    "surprises",
    "the_loop",
    "toy_language",
    "which_may_be_drawn",
    "write_on",
]

EXPLORERS = (
    which_may_be_drawn,
    the_loop,
    beam_tree,
    shelf,
    heads_of_a_speaker,
    smoothing_and_margin,
)
