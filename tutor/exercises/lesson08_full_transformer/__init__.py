"""Exercises of lesson 8, the full Transformer."""

from tutor.exercises.lesson08_full_transformer import (
    counting,
    layer,
    lookups,
    mend_layer,
    model,
    predictions,
    rate,
    vocabulary,
)

EXERCISES = (
    predictions.predict_cross_shape,
    predictions.predict_decoder_passes,
    *mend_layer.EXERCISES,
    *layer.EXERCISES,
    *model.EXERCISES,
    *rate.EXERCISES,
    *counting.EXERCISES,
    *vocabulary.EXERCISES,
    *lookups.EXERCISES,
)
