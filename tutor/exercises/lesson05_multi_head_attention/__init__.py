"""Exercises of lesson 5, multi-head attention."""

from tutor.exercises.lesson05_multi_head_attention import folding, heads, multi_head, predictions

EXERCISES = (
    *heads.EXERCISES,
    *predictions.EXERCISES,
    *multi_head.EXERCISES,
    *folding.EXERCISES,
)
