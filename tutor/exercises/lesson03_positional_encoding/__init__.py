"""Exercises of lesson 3, positional encoding."""

from tutor.exercises.lesson03_positional_encoding.add_positions import add_positions
from tutor.exercises.lesson03_positional_encoding.embed_with_positions import embed_with_positions
from tutor.exercises.lesson03_positional_encoding.mend_halves import mend_halves
from tutor.exercises.lesson03_positional_encoding.predict_angle import predict_angle
from tutor.exercises.lesson03_positional_encoding.predict_rotary_score import predict_rotary_score
from tutor.exercises.lesson03_positional_encoding.predict_shuffled_outputs import (
    predict_shuffled_outputs,
)
from tutor.exercises.lesson03_positional_encoding.rotate_by_position import rotate_by_position
from tutor.exercises.lesson03_positional_encoding.shift_matrix import shift_matrix
from tutor.exercises.lesson03_positional_encoding.sinusoidal_encoding import sinusoidal_encoding

EXERCISES = (
    predict_shuffled_outputs,
    predict_angle,
    sinusoidal_encoding,
    mend_halves,
    embed_with_positions,
    rotate_by_position,
    add_positions,
    predict_rotary_score,
    shift_matrix,
)
