"""Exercises of lesson 6, residual connections, layer normalisation, feed-forward."""

from tutor.exercises.lesson06_residual_and_layer_norm.feed_forward import feed_forward
from tutor.exercises.lesson06_residual_and_layer_norm.layer_norm import layer_norm
from tutor.exercises.lesson06_residual_and_layer_norm.masked_batch_norm import masked_batch_norm
from tutor.exercises.lesson06_residual_and_layer_norm.mend_channel_norm import mend_channel_norm
from tutor.exercises.lesson06_residual_and_layer_norm.post_norm_block import post_norm_block
from tutor.exercises.lesson06_residual_and_layer_norm.pre_norm_block import pre_norm_block
from tutor.exercises.lesson06_residual_and_layer_norm.pre_norm_stack import pre_norm_stack
from tutor.exercises.lesson06_residual_and_layer_norm.predict_normalised_row import (
    predict_normalised_row,
)
from tutor.exercises.lesson06_residual_and_layer_norm.predict_number_of_means import (
    predict_number_of_means,
)
from tutor.exercises.lesson06_residual_and_layer_norm.predict_stream_size import predict_stream_size
from tutor.exercises.lesson06_residual_and_layer_norm.rms_norm import rms_norm
from tutor.exercises.lesson06_residual_and_layer_norm.swiglu import swiglu

EXERCISES = (
    feed_forward,
    swiglu,
    layer_norm,
    mend_channel_norm,
    rms_norm,
    post_norm_block,
    predict_stream_size,
    pre_norm_stack,
    predict_number_of_means,
    masked_batch_norm,
    predict_normalised_row,
    pre_norm_block,
)
