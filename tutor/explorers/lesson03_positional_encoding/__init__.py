"""Lesson 3's pictures: where a word stands, and how that is written."""

from tutor.explorers.lesson03_positional_encoding.counting_wheels import counting_wheels
from tutor.explorers.lesson03_positional_encoding.crossing import crossing
from tutor.explorers.lesson03_positional_encoding.five_candidates import five_candidates
from tutor.explorers.lesson03_positional_encoding.heat_map import heat_map
from tutor.explorers.lesson03_positional_encoding.one_clock_a_pair import one_clock_a_pair
from tutor.explorers.lesson03_positional_encoding.rows_as_curves import rows_as_curves
from tutor.explorers.lesson03_positional_encoding.shuffle_the_words import shuffle_the_words
from tutor.explorers.lesson03_positional_encoding.some_places_on import some_places_on
from tutor.explorers.lesson03_positional_encoding.two_hands import two_hands
from tutor.explorers.lesson03_positional_encoding.two_positions import two_positions
from tutor.explorers.lesson03_positional_encoding.who_drowns import who_drowns
from tutor.explorers.lesson03_positional_encoding.who_tells_the_order import who_tells_the_order

__all__ = [
    "EXPLORERS",
    "counting_wheels",
    "crossing",
    "five_candidates",
    "heat_map",
    "one_clock_a_pair",
    "rows_as_curves",
    "shuffle_the_words",
    "some_places_on",
    "two_hands",
    "two_positions",
    "who_drowns",
    "who_tells_the_order",
]

EXPLORERS = (
    crossing,
    five_candidates,
    counting_wheels,
    one_clock_a_pair,
    heat_map,
    some_places_on,
    who_drowns,
    two_hands,
    shuffle_the_words,
    two_positions,
)
