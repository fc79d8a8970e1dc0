"""Exercises of lesson 8, the full Transformer."""

from tutor.exercises.lesson08_full_transformer import counting, layer, model, predictions, rate

EXERCISES = (
    predictions.predict_cross_shape,
    *layer.EXERCISES,
    *model.EXERCISES,
    predictions.predict_decoder_passes,
    *counting.EXERCISES,
    *rate.EXERCISES,
)
