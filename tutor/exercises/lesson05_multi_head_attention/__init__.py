"""Exercises of lesson 5, multi-head attention."""

from tutor.exercises.lesson05_multi_head_attention import (
    folding,
    grouped,
    heads,
    multi_head,
    predictions,
    rules,
)

EXERCISES = (
    *heads.EXERCISES,
    *predictions.EXERCISES,
    *rules.EXERCISES,
    *multi_head.EXERCISES,
    *grouped.EXERCISES,
    *folding.EXERCISES,
)
