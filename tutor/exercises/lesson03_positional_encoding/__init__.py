"""Exercises of lesson 3, positional encoding."""

from tutor.exercises.lesson03_positional_encoding import adding, predictions, shifting, sinusoids

EXERCISES = (
    *predictions.EXERCISES,
    *sinusoids.EXERCISES,
    *adding.EXERCISES,
    *shifting.EXERCISES,
)
