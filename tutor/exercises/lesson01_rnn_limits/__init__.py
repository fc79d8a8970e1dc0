"""Exercises of lesson 1, the limits of recurrent networks."""

from tutor.exercises.lesson01_rnn_limits.clip_gradients import clip_gradients
from tutor.exercises.lesson01_rnn_limits.gru_step import gru_step
from tutor.exercises.lesson01_rnn_limits.jacobian_norms import jacobian_norms
from tutor.exercises.lesson01_rnn_limits.last_real_state import last_real_state
from tutor.exercises.lesson01_rnn_limits.look_up import look_up
from tutor.exercises.lesson01_rnn_limits.lstm_step import lstm_step
from tutor.exercises.lesson01_rnn_limits.mend_table import mend_table
from tutor.exercises.lesson01_rnn_limits.predict_chain import predict_chain
from tutor.exercises.lesson01_rnn_limits.predict_clipped import predict_clipped
from tutor.exercises.lesson01_rnn_limits.predict_left import predict_left
from tutor.exercises.lesson01_rnn_limits.predict_lstm_weights import predict_lstm_weights
from tutor.exercises.lesson01_rnn_limits.rnn_forward import rnn_forward

EXERCISES = (
    predict_chain,
    predict_left,
    rnn_forward,
    lstm_step,
    look_up,
    mend_table,
    predict_lstm_weights,
    predict_clipped,
    last_real_state,
    clip_gradients,
    gru_step,
    jacobian_norms,
)
