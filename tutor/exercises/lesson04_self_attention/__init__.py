"""Exercises of lesson 4, self-attention."""

from tutor.exercises.lesson04_self_attention import (
    additive,
    contributions,
    dot_product,
    predictions,
    projection,
    reading,
)

EXERCISES = (
    *projection.EXERCISES,
    *predictions.EXERCISES,
    *reading.EXERCISES,
    *dot_product.EXERCISES,
    *contributions.EXERCISES,
    *additive.EXERCISES,
)
