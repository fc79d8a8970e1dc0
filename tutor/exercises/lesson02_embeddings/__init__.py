"""Exercises of lesson 2, embeddings."""

from tutor.exercises.lesson02_embeddings import (
    chat,
    encoding,
    looking_up,
    merging,
    neighbours,
    predictions,
    windows,
)

EXERCISES = (
    predictions.predict_nearest_row,
    predictions.predict_remarkable,
    *chat.EXERCISES,
    *windows.EXERCISES,
    *encoding.EXERCISES,
    *merging.EXERCISES,
    predictions.predict_embedded_shape,
    *looking_up.EXERCISES,
    *neighbours.EXERCISES,
)
