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
    predictions.predict_head_shape,
    *rules.EXERCISES,
    multi_head.mend_multi_head,
    multi_head.multi_head_attention,
    *grouped.EXERCISES,
    predictions.predict_head_parameters,
    *folding.EXERCISES,
)
