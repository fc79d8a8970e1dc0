"""Lesson 5's pictures: heads drawn, split, measured and taken out."""

from tutor.explorers.lesson05_multi_head_attention.circuit import circuit
from tutor.explorers.lesson05_multi_head_attention.cut_then_turn import cut_then_turn
from tutor.explorers.lesson05_multi_head_attention.four_heads import four_heads
from tutor.explorers.lesson05_multi_head_attention.head_widths import head_widths
from tutor.explorers.lesson05_multi_head_attention.letter_heads import (
    behind_without,
    copying,
    looking_back,
    right_without,
)
from tutor.explorers.lesson05_multi_head_attention.prune_heads import prune_heads
from tutor.explorers.lesson05_multi_head_attention.real_heads import real_heads
from tutor.explorers.lesson05_multi_head_attention.sum_of_heads import sum_of_heads
from tutor.explorers.lesson05_multi_head_attention.switchboard import switchboard

__all__ = [
    "EXPLORERS",
    "behind_without",
    "circuit",
    "copying",
    "cut_then_turn",
    "four_heads",
    "head_widths",
    "looking_back",
    "prune_heads",
    "real_heads",
    "right_without",
    "sum_of_heads",
    "switchboard",
]

EXPLORERS = (real_heads, sum_of_heads, cut_then_turn, switchboard, head_widths, prune_heads)
