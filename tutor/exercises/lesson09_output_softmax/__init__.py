"""Exercises of lesson 9, from logits to words."""

from tutor.exercises.lesson09_output_softmax import (
    beam,
    cached,
    greedy,
    logits,
    losses,
    predictions,
    smoothing,
    temperature,
    top_k,
    top_p,
)

EXERCISES = (
    *logits.EXERCISES,
    *temperature.EXERCISES,
    *predictions.EXERCISES,
    *top_k.EXERCISES,
    *top_p.EXERCISES,
    *losses.EXERCISES,
    *smoothing.EXERCISES,
    *greedy.EXERCISES,
    *beam.EXERCISES,
    *cached.EXERCISES,
)
