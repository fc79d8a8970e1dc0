"""Lesson 3's pictures: where a word stands, and how that is written."""

from tutor.explorers.lesson03_positional_encoding.counting_wheels import counting_wheels
from tutor.explorers.lesson03_positional_encoding.crossing import crossing
from tutor.explorers.lesson03_positional_encoding.five_candidates import five_candidates
from tutor.explorers.lesson03_positional_encoding.heat_map import heat_map
from tutor.explorers.lesson03_positional_encoding.moving_on import moving_on
from tutor.explorers.lesson03_positional_encoding.one_clock_a_pair import one_clock_a_pair
from tutor.explorers.lesson03_positional_encoding.one_clock_alone import one_clock_alone
from tutor.explorers.lesson03_positional_encoding.rows_as_curves import rows_as_curves
from tutor.explorers.lesson03_positional_encoding.shuffle_the_words import shuffle_the_words
from tutor.explorers.lesson03_positional_encoding.slide_together import slide_together
from tutor.explorers.lesson03_positional_encoding.two_positions import two_positions
from tutor.explorers.lesson03_positional_encoding.who_drowns import who_drowns
from tutor.explorers.lesson03_positional_encoding.who_gave_whom import who_gave_whom
from tutor.explorers.lesson03_positional_encoding.who_tells_the_order import who_tells_the_order

__all__ = [
    "EXPLORERS",
    "counting_wheels",
    "crossing",
    "five_candidates",
    "heat_map",
    "moving_on",
    "one_clock_a_pair",
    "one_clock_alone",
    "rows_as_curves",
    "shuffle_the_words",
    "slide_together",
    "two_positions",
    "who_drowns",
    "who_gave_whom",
    "who_tells_the_order",
]

EXPLORERS = (
    who_gave_whom,
    crossing,
    five_candidates,
    counting_wheels,
    one_clock_a_pair,
    heat_map,
    moving_on,
    who_drowns,
    slide_together,
    shuffle_the_words,
    two_positions,
)
