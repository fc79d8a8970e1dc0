"""Exercises of lesson 9, from logits to words."""

from tutor.exercises.lesson09_output_softmax.attention_step import attention_step
from tutor.exercises.lesson09_output_softmax.beam_search import beam_search
from tutor.exercises.lesson09_output_softmax.cached_attention import cached_attention
from tutor.exercises.lesson09_output_softmax.greedy_decode import greedy_decode
from tutor.exercises.lesson09_output_softmax.mend_penalty import mend_penalty
from tutor.exercises.lesson09_output_softmax.mend_perplexity import mend_perplexity
from tutor.exercises.lesson09_output_softmax.min_p_probabilities import min_p_probabilities
from tutor.exercises.lesson09_output_softmax.predict_greedy_and_best import predict_greedy_and_best
from tutor.exercises.lesson09_output_softmax.predict_nucleus import predict_nucleus
from tutor.exercises.lesson09_output_softmax.predict_perplexity import predict_perplexity
from tutor.exercises.lesson09_output_softmax.sequence_cross_entropy import sequence_cross_entropy
from tutor.exercises.lesson09_output_softmax.smooth_labels import smooth_labels
from tutor.exercises.lesson09_output_softmax.temperature_softmax import temperature_softmax
from tutor.exercises.lesson09_output_softmax.tied_logits import tied_logits
from tutor.exercises.lesson09_output_softmax.top_k_probabilities import top_k_probabilities
from tutor.exercises.lesson09_output_softmax.top_p_probabilities import top_p_probabilities

EXERCISES = (
    temperature_softmax,
    top_p_probabilities,
    mend_penalty,
    sequence_cross_entropy,
    attention_step,
    min_p_probabilities,
    greedy_decode,
    tied_logits,
    top_k_probabilities,
    predict_nucleus,
    predict_perplexity,
    mend_perplexity,
    smooth_labels,
    predict_greedy_and_best,
    beam_search,
    cached_attention,
)
