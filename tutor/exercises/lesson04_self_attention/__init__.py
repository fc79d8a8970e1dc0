"""Exercises of lesson 4, self-attention."""

from tutor.exercises.lesson04_self_attention import additive, dot_product, predictions, projection

EXERCISES = (
    *projection.EXERCISES,
    *predictions.EXERCISES,
    *dot_product.EXERCISES,
    *additive.EXERCISES,
)
