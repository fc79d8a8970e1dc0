"""Exercises of lesson 6, residual connections, layer normalisation, feed-forward."""

from tutor.exercises.lesson06_residual_and_layer_norm import (
    batch,
    blocks,
    feed_forward,
    mend_norm,
    norm,
    predictions,
    rms,
    stack,
    stream_size,
)

EXERCISES = (
    *feed_forward.EXERCISES,
    *mend_norm.EXERCISES,
    *norm.EXERCISES,
    *rms.EXERCISES,
    *stream_size.EXERCISES,
    *stack.EXERCISES,
    predictions.predict_number_of_means,
    *batch.EXERCISES,
    predictions.predict_normalised_row,
    *blocks.EXERCISES,
)
