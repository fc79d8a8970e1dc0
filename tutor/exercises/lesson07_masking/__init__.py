"""Exercises of lesson 7, masking, in the order of their notebook."""

from tutor.exercises.lesson07_masking.causal_mask import causal_mask
from tutor.exercises.lesson07_masking.causal_self_attention import causal_self_attention
from tutor.exercises.lesson07_masking.cross_attention import cross_attention
from tutor.exercises.lesson07_masking.decoder_mask import decoder_mask
from tutor.exercises.lesson07_masking.mend_packed_mask import mend_packed_mask
from tutor.exercises.lesson07_masking.mend_padding_mask import mend_padding_mask
from tutor.exercises.lesson07_masking.predict_trained_words import predict_trained_words
from tutor.exercises.lesson07_masking.predict_visible_keys import predict_visible_keys
from tutor.exercises.lesson07_masking.safe_attention import safe_attention
from tutor.exercises.lesson07_masking.shift_targets import shift_targets
from tutor.exercises.lesson07_masking.window_mask import window_mask

EXERCISES = (
    causal_mask,
    window_mask,
    shift_targets,
    decoder_mask,
    causal_self_attention,
    mend_padding_mask,
    safe_attention,
    predict_visible_keys,
    predict_trained_words,
    mend_packed_mask,
    cross_attention,
)
