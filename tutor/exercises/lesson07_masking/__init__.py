"""Exercises of lesson 7, masking."""

from tutor.exercises.lesson07_masking import attending, cross, predictions, shifting, visible

EXERCISES = (
    *visible.EXERCISES,
    *predictions.EXERCISES,
    *attending.EXERCISES,
    *cross.EXERCISES,
    *shifting.EXERCISES,
)
