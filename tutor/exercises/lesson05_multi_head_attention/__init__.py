"""Exercises of lesson 5, multi-head attention."""

from tutor.exercises.lesson05_multi_head_attention.folded_attention import folded_attention
from tutor.exercises.lesson05_multi_head_attention.grouped_query_attention import (
    grouped_query_attention,
)
from tutor.exercises.lesson05_multi_head_attention.mend_head_shares import mend_head_shares
from tutor.exercises.lesson05_multi_head_attention.merge_heads import merge_heads
from tutor.exercises.lesson05_multi_head_attention.multi_head_attention import multi_head_attention
from tutor.exercises.lesson05_multi_head_attention.name_the_rules import name_the_rules
from tutor.exercises.lesson05_multi_head_attention.predict_head_parameters import (
    predict_head_parameters,
)
from tutor.exercises.lesson05_multi_head_attention.predict_head_shape import predict_head_shape
from tutor.exercises.lesson05_multi_head_attention.split_heads import split_heads

EXERCISES = (
    split_heads,
    merge_heads,
    name_the_rules,
    multi_head_attention,
    mend_head_shares,
    grouped_query_attention,
    predict_head_shape,
    predict_head_parameters,
    folded_attention,
)
