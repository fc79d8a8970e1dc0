"""Exercises of lesson 9, from logits to words."""

from tutor.exercises.lesson09_output_softmax import (
    beam,
    cached,
    greedy,
    logits,
    losses,
    min_p,
    predictions,
    sampling,
    smoothing,
    stepping,
    temperature,
    top_k,
    top_p,
)

EXERCISES = (
    *sampling.EXERCISES,
    *temperature.EXERCISES,
    *min_p.EXERCISES,
    losses.sequence_cross_entropy,
    *greedy.EXERCISES,
    *stepping.EXERCISES,
    *logits.EXERCISES,
    *top_k.EXERCISES,
    predictions.predict_nucleus,
    *top_p.EXERCISES,
    predictions.predict_perplexity,
    losses.mend_cross_entropy,
    *smoothing.EXERCISES,
    predictions.predict_greedy_and_best,
    *beam.EXERCISES,
    *cached.EXERCISES,
)
