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
    adding.embed_with_positions,
    rotating.rotate_by_position,
    adding.add_positions,
    rotating.predict_rotary_score,
    *shifting.EXERCISES,
)
