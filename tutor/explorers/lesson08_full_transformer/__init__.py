"""Lesson 8's pictures: the whole model, its parts, its trainings and its memory."""

from collections.abc import Callable

from tutor.display.explorer import Explorer
from tutor.explorers.lesson08_full_transformer.accuracy_by_length import accuracy_by_length
from tutor.explorers.lesson08_full_transformer.adams_means import adams_means
from tutor.explorers.lesson08_full_transformer.alignment import alignment
from tutor.explorers.lesson08_full_transformer.bleu_and_cost import bleu_and_cost
from tutor.explorers.lesson08_full_transformer.chains_tried import chains_tried
from tutor.explorers.lesson08_full_transformer.change_the_memory import change_the_memory
from tutor.explorers.lesson08_full_transformer.cross_attention import cross_attention
from tutor.explorers.lesson08_full_transformer.cut_the_wire import cut_the_wire
from tutor.explorers.lesson08_full_transformer.eight_names import eight_names
from tutor.explorers.lesson08_full_transformer.few_sentences import few_sentences
from tutor.explorers.lesson08_full_transformer.follow_the_chain import follow_the_chain
from tutor.explorers.lesson08_full_transformer.hidden_vocabulary import hidden_vocabulary
from tutor.explorers.lesson08_full_transformer.letter_losses import letter_losses
from tutor.explorers.lesson08_full_transformer.loss_curve import loss_curve
from tutor.explorers.lesson08_full_transformer.mask_taken_out import mask_taken_out
from tutor.explorers.lesson08_full_transformer.model_on_one_page import model_on_one_page
from tutor.explorers.lesson08_full_transformer.rate_and_loss import rate_and_loss
from tutor.explorers.lesson08_full_transformer.scaling_law import scaling_law
from tutor.explorers.lesson08_full_transformer.sentence_film import sentence_film
from tutor.explorers.lesson08_full_transformer.sentences_learned import sentences_learned
from tutor.explorers.lesson08_full_transformer.stacks import stacks
from tutor.explorers.lesson08_full_transformer.step_time import step_time
from tutor.explorers.lesson08_full_transformer.switches_on_letters import switches_on_letters
from tutor.explorers.lesson08_full_transformer.switches_on_phrases import switches_on_phrases
from tutor.explorers.lesson08_full_transformer.then_and_now import then_and_now
from tutor.explorers.lesson08_full_transformer.three_attentions import three_attentions
from tutor.explorers.lesson08_full_transformer.three_breaks import three_breaks
from tutor.explorers.lesson08_full_transformer.walk_through import walk_through
from tutor.explorers.lesson08_full_transformer.x_to_z_to_y import x_to_z_to_y

__all__ = [
    "EXPLORERS",
    "accuracy_by_length",
    "adams_means",
    "alignment",
    "bleu_and_cost",
    "chains_tried",
    "change_the_memory",
    "cross_attention",
    "cut_the_wire",
    "eight_names",
    "few_sentences",
    "follow_the_chain",
    "hidden_vocabulary",
    "letter_losses",
    "loss_curve",
    "mask_taken_out",
    "model_on_one_page",
    "rate_and_loss",
    "scaling_law",
    "sentence_film",
    "sentences_learned",
    "stacks",
    "step_time",
    "switches_on_letters",
    "switches_on_phrases",
    "then_and_now",
    "three_attentions",
    "three_breaks",
    "walk_through",
    "x_to_z_to_y",
]

EXPLORERS: tuple[Callable[[], Explorer], ...] = (
    then_and_now,
    model_on_one_page,
    sentence_film,
    cut_the_wire,
    change_the_memory,
    switches_on_letters,
    switches_on_phrases,
    rate_and_loss,
    alignment,
    walk_through,
    hidden_vocabulary,
    eight_names,
    follow_the_chain,
)
