"""Exercises of lesson 3, positional encoding."""

from tutor.exercises.lesson03_positional_encoding import (
    adding,
    halves,
    predictions,
    rotating,
    shifting,
    sinusoids,
)

EXERCISES = (
    *predictions.EXERCISES,
    *halves.EXERCISES,
    *sinusoids.EXERCISES,
    *adding.EXERCISES,
    *rotating.EXERCISES,
    *shifting.EXERCISES,
)
