"""Lesson 7's pictures: who may look at whom, and what leaks where it should not."""

from tutor.explorers.lesson07_masking.a_fortune_teller import a_fortune_teller
from tutor.explorers.lesson07_masking.a_real_head_masked import a_real_head_masked
from tutor.explorers.lesson07_masking.hidden_before_softmax import hidden_before_softmax
from tutor.explorers.lesson07_masking.losses_of_decoders import losses_of_decoders
from tutor.explorers.lesson07_masking.masks_meet import masks_meet
from tutor.explorers.lesson07_masking.moved_diagonal import moved_diagonal
from tutor.explorers.lesson07_masking.padded_batch import padded_batch
from tutor.explorers.lesson07_masking.read_and_say import read_and_say
from tutor.explorers.lesson07_masking.the_culprit import the_culprit

__all__ = [
    "EXPLORERS",
    "a_fortune_teller",
    "a_real_head_masked",
    "hidden_before_softmax",
    "losses_of_decoders",
    "masks_meet",
    "moved_diagonal",
    "padded_batch",
    "read_and_say",
    "the_culprit",
]

EXPLORERS = (
    hidden_before_softmax,
    masks_meet,
    a_real_head_masked,
    moved_diagonal,
    read_and_say,
    the_culprit,
    padded_batch,
)
