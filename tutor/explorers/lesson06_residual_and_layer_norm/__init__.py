"""Lesson 6's pictures: what is added, what is normalised, and how deep a stack may be."""

from tutor.explorers.lesson06_residual_and_layer_norm.deep_stacks import deep_stacks
from tutor.explorers.lesson06_residual_and_layer_norm.degradation import degradation
from tutor.explorers.lesson06_residual_and_layer_norm.filters import filters
from tutor.explorers.lesson06_residual_and_layer_norm.four_paths import four_paths
from tutor.explorers.lesson06_residual_and_layer_norm.named_neurons import named_neurons
from tutor.explorers.lesson06_residual_and_layer_norm.notes_in_the_stream import notes_in_the_stream
from tutor.explorers.lesson06_residual_and_layer_norm.one_line_or_two import one_line_or_two
from tutor.explorers.lesson06_residual_and_layer_norm.one_row import one_row
from tutor.explorers.lesson06_residual_and_layer_norm.right_angles import right_angles
from tutor.explorers.lesson06_residual_and_layer_norm.running_sum import running_sum
from tutor.explorers.lesson06_residual_and_layer_norm.shared_means import shared_means
from tutor.explorers.lesson06_residual_and_layer_norm.sixteen_tokens import sixteen_tokens
from tutor.explorers.lesson06_residual_and_layer_norm.three_blocks import three_blocks
from tutor.explorers.lesson06_residual_and_layer_norm.widening import widening

__all__ = [
    "EXPLORERS",
    "deep_stacks",
    "degradation",
    "filters",
    "four_paths",
    "named_neurons",
    "notes_in_the_stream",
    "one_line_or_two",
    "one_row",
    "right_angles",
    "running_sum",
    "shared_means",
    "sixteen_tokens",
    "three_blocks",
    "widening",
]

EXPLORERS = (
    one_line_or_two,
    widening,
    filters,
    named_neurons,
    notes_in_the_stream,
    running_sum,
    four_paths,
    deep_stacks,
    sixteen_tokens,
    shared_means,
    one_row,
)
