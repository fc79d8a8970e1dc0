"""Exercises of lesson 4, self-attention."""

from tutor.exercises.lesson04_self_attention.additive_attention import additive_attention
from tutor.exercises.lesson04_self_attention.contributions import contributions
from tutor.exercises.lesson04_self_attention.mend_attention import mend_attention
from tutor.exercises.lesson04_self_attention.predict_score import predict_score
from tutor.exercises.lesson04_self_attention.predict_table import predict_table
from tutor.exercises.lesson04_self_attention.predict_weighted_average import (
    predict_weighted_average,
)
from tutor.exercises.lesson04_self_attention.project_by_hand import project_by_hand
from tutor.exercises.lesson04_self_attention.scaled_dot_product_attention import (
    scaled_dot_product_attention,
)

EXERCISES = (
    project_by_hand,
    predict_score,
    predict_weighted_average,
    predict_table,
    scaled_dot_product_attention,
    mend_attention,
    contributions,
    additive_attention,
)
