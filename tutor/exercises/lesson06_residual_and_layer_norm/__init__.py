"""Exercises of lesson 6, residual connections, layer normalisation, feed-forward."""

from tutor.exercises.lesson06_residual_and_layer_norm import (
    blocks,
    feed_forward,
    norm,
    predictions,
    stack,
)

EXERCISES = (
    *norm.EXERCISES,
    *predictions.EXERCISES,
    *blocks.EXERCISES,
    *stack.EXERCISES,
    *feed_forward.EXERCISES,
)
