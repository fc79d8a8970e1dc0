"""Exercises of lesson 8, the full Transformer."""

from tutor.exercises.lesson08_full_transformer.count_parameters import count_parameters
from tutor.exercises.lesson08_full_transformer.decoder_layer import decoder_layer
from tutor.exercises.lesson08_full_transformer.encoder_decoder import encoder_decoder
from tutor.exercises.lesson08_full_transformer.encoder_layer import encoder_layer
from tutor.exercises.lesson08_full_transformer.hidden_vocabulary import hidden_vocabulary
from tutor.exercises.lesson08_full_transformer.mend_decoder_layer import mend_decoder_layer
from tutor.exercises.lesson08_full_transformer.noam_rate import noam_rate
from tutor.exercises.lesson08_full_transformer.predict_cross_shape import predict_cross_shape
from tutor.exercises.lesson08_full_transformer.predict_decoder_passes import predict_decoder_passes
from tutor.exercises.lesson08_full_transformer.two_lookups import two_lookups

EXERCISES = (
    predict_cross_shape,
    predict_decoder_passes,
    decoder_layer,
    mend_decoder_layer,
    encoder_decoder,
    noam_rate,
    count_parameters,
    hidden_vocabulary,
    two_lookups,
    encoder_layer,
)
