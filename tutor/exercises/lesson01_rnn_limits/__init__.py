"""Exercises of lesson 1, the limits of recurrent networks."""

from tutor.exercises.lesson01_rnn_limits import (
    clipping,
    gru,
    jacobians,
    last_state,
    lstm,
    predictions,
    rnn,
)

EXERCISES = (
    *rnn.EXERCISES,
    *last_state.EXERCISES,
    *predictions.EXERCISES,
    *jacobians.EXERCISES,
    *clipping.EXERCISES,
    *lstm.EXERCISES,
    *gru.EXERCISES,
)
