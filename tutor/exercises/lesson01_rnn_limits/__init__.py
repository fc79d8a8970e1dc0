"""Exercises of lesson 1, the limits of recurrent networks."""

from tutor.exercises.lesson01_rnn_limits import (
    clipping,
    gru,
    jacobians,
    last_state,
    leaky,
    look_up,
    lstm,
    predictions,
    products,
    rnn,
)

EXERCISES = (
    *products.EXERCISES,
    *leaky.EXERCISES,
    *rnn.EXERCISES,
    *lstm.EXERCISES,
    *look_up.EXERCISES,
    *predictions.EXERCISES,
    *last_state.EXERCISES,
    *clipping.EXERCISES,
    *gru.EXERCISES,
    *jacobians.EXERCISES,
)
