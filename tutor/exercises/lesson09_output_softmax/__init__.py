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
    *top_k.EXERCISES,
    predictions.predict_nucleus,
    *top_p.EXERCISES,
    predictions.predict_perplexity,
    *losses.EXERCISES,
    *smoothing.EXERCISES,
    predictions.predict_greedy_and_best,
    *greedy.EXERCISES,
    *beam.EXERCISES,
    *cached.EXERCISES,
)
