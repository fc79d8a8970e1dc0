"""Lesson 5's pictures: heads drawn, split, measured and taken out."""

from tutor.explorers.lesson05_multi_head_attention.cut_then_turn import cut_then_turn
from tutor.explorers.lesson05_multi_head_attention.four_heads import four_heads
from tutor.explorers.lesson05_multi_head_attention.grouped_queries import grouped_queries
from tutor.explorers.lesson05_multi_head_attention.head_widths import head_widths
from tutor.explorers.lesson05_multi_head_attention.letter_heads import (
    looking_back,
    right_with_map,
    right_without,
)
from tutor.explorers.lesson05_multi_head_attention.prune_heads import prune_heads
from tutor.explorers.lesson05_multi_head_attention.real_heads import real_heads
from tutor.explorers.lesson05_multi_head_attention.relay import relay
from tutor.explorers.lesson05_multi_head_attention.sum_of_heads import sum_of_heads
from tutor.explorers.lesson05_multi_head_attention.switchboard import switchboard

__all__ = [
    "EXPLORERS",
    "cut_then_turn",
    "four_heads",
    "grouped_queries",
    "head_widths",
    "looking_back",
    "prune_heads",
    "real_heads",
    "relay",
    "right_with_map",
    "right_without",
    "sum_of_heads",
    "switchboard",
]

EXPLORERS = (
    real_heads,
    sum_of_heads,
    cut_then_turn,
    relay,
    switchboard,
    grouped_queries,
    head_widths,
    prune_heads,
)
