"""Exercises of lesson 2, embeddings."""

from tutor.exercises.lesson02_embeddings import encoding, looking_up, neighbours, predictions

EXERCISES = (
    *encoding.EXERCISES,
    *predictions.EXERCISES,
    *looking_up.EXERCISES,
    *neighbours.EXERCISES,
)
