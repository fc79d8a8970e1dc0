"""Exercises of lesson 7, masking, in the order of their notebook."""

from tutor.exercises.lesson07_masking import (
    attending,
    cross,
    mending,
    predictions,
    shifting,
    visible,
    window,
)

EXERCISES = (
    visible.causal_mask,
    *mending.EXERCISES,
    *window.EXERCISES,
    *shifting.EXERCISES,
    visible.decoder_mask,
    attending.causal_self_attention,
    cross.safe_attention,
    *predictions.EXERCISES,
    attending.mend_causal_attention,
    cross.cross_attention,
)
