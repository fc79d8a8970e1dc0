"""Exercises of lesson 8, the full Transformer."""

from tutor.exercises.lesson08_full_transformer import counting, layer, model, predictions, rate

EXERCISES = (
    *layer.EXERCISES,
    *predictions.EXERCISES,
    *model.EXERCISES,
    *counting.EXERCISES,
    *rate.EXERCISES,
)
