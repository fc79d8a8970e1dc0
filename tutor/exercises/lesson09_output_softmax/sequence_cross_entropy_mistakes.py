"""The ways in which the masked cross-entropy goes wrong."""

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from tutor.checking.exercise import Mistake
from tutor.loss import sequence_cross_entropy as surprise

Loss = Callable[[Tensor, Tensor, int], Tensor]


def _each(logits: Tensor, labels: Tensor) -> Tensor:
    """Give the surprise at every label, padding included."""
    return -torch.log_softmax(logits, dim=-1).gather(-1, labels.unsqueeze(-1)).squeeze(-1)


def _mean(cost: Callable[[Tensor, Tensor], Tensor]) -> Loss:
    """Build a loss from what a token costs, averaged over the real ones."""
    return lambda logits, labels, pad_id: cost(logits, labels)[labels != pad_id].mean()


def _of_log_probs(log_probs: Callable[[Tensor], Tensor]) -> Loss:
    """Build a loss from another way to log-probabilities."""

    def cost(logits: Tensor, labels: Tensor) -> Tensor:
        return -log_probs(logits).gather(-1, labels.unsqueeze(-1)).squeeze(-1)

    return _mean(cost)


def _of_sentences(logits: Tensor, labels: Tensor, pad_id: int) -> Tensor:
    real = labels != pad_id
    return ((_each(logits, labels) * real).sum(-1) / real.sum(-1)).mean()


def _viewed(logits: Tensor, labels: Tensor, pad_id: int) -> Tensor:
    turned = logits.reshape(len(logits), logits.size(-1), -1)  # (B, V, T) by counting through
    return F.cross_entropy(turned, labels, ignore_index=pad_id)


def _labels_turned(logits: Tensor, labels: Tensor, pad_id: int) -> Tensor:
    return F.cross_entropy(logits.flatten(0, 1), labels.T.reshape(-1), ignore_index=pad_id)


def _shifted(logits: Tensor, labels: Tensor, pad_id: int) -> Tensor:
    return surprise(logits[:, :-1], labels[:, 1:], pad_id)


def _squared(logits: Tensor, labels: Tensor) -> Tensor:
    wanted = F.one_hot(labels, logits.size(-1))
    return (torch.softmax(logits, dim=-1) - wanted).square().sum(-1)


def _binary(logits: Tensor, labels: Tensor) -> Tensor:
    wanted = F.one_hot(labels, logits.size(-1)).to(logits.dtype)
    return F.binary_cross_entropy_with_logits(logits, wanted, reduction="none").sum(-1)


def _no_padding_word(logits: Tensor, labels: Tensor, pad_id: int) -> Tensor:
    without = logits.index_fill(-1, torch.tensor([pad_id]), -math.inf)
    return F.cross_entropy(without[labels != pad_id], labels[labels != pad_id])


def _smoothed(logits: Tensor, labels: Tensor, pad_id: int) -> Tensor:
    return F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=pad_id, label_smoothing=0.1)


def _until_first_padding(logits: Tensor, labels: Tensor, pad_id: int) -> Tensor:
    begun = (labels != pad_id).long().cumprod(-1).bool()
    return _each(logits, labels)[begun].mean()


def _first_padding_too(logits: Tensor, labels: Tensor, pad_id: int) -> Tensor:
    real = labels != pad_id
    before = torch.cat([torch.ones_like(real[:, :1]), real[:, :-1]], dim=1)
    return _each(logits, labels)[real | before].mean()


MISTAKES = [
    Mistake(
        "ce-log-of-softmax",
        _of_log_probs(lambda logits: logits.softmax(-1).log()),
        "A hopeless word costs you an infinite amount, or always the same: softmax has rounded "
        "its probability to 0. Which function takes the logarithm before anything is rounded?",
        variants=[_of_log_probs(lambda logits: (logits.softmax(-1) + 1e-12).log())],
    ),
    Mistake(
        "ce-includes-padding",
        lambda logits, labels, pad_id: _each(logits, labels).mean(),
        "Your loss changes when the model changes its mind about padding. Is padding a word to "
        "be guessed?",
    ),
    Mistake(
        "ce-divided-by-all",
        lambda logits, labels, pad_id: (_each(logits, labels) * (labels != pad_id)).mean(),
        "The more padding, the smaller your loss. Over how many tokens is the mean taken?",
    ),
    Mistake(
        "ce-summed",
        lambda logits, labels, pad_id: _each(logits, labels)[labels != pad_id].sum(),
        "Your loss grows with the number of words. Is a sum or a mean asked for?",
    ),
    Mistake(
        "ce-raw-scores",
        _mean(lambda logits, labels: -logits.gather(-1, labels.unsqueeze(-1)).squeeze(-1)),
        "Add 100 to all scores of a token and your loss moves by 100. What do the scores of the "
        "other words have to do with it?",
    ),
    Mistake(
        "ce-softmax-over-batch",
        _of_log_probs(lambda logits: torch.log_softmax(logits, dim=0)),
        "Your probabilities sum to 1 across the batch. Along which axis do words compete?",
        variants=[
            _of_log_probs(
                lambda logits: torch.log_softmax(logits.flatten(0, 1), dim=0).view_as(logits)
            )
        ],
    ),
    Mistake(
        "ce-softmax-over-time",
        _of_log_probs(lambda logits: torch.log_softmax(logits, dim=1)),
        "Your probabilities sum to 1 across the positions. Along which axis do words compete?",
    ),
    Mistake(
        "ce-softmax-over-all",
        _of_log_probs(lambda logits: torch.log_softmax(logits.flatten(), dim=0).view_as(logits)),
        "All your probabilities together sum to 1. How many choices are made in a batch?",
    ),
    Mistake(
        "ce-sign",
        lambda logits, labels, pad_id: -surprise(logits, labels, pad_id),
        "Your loss is negative, and training would make the model worse. What is the sign of a "
        "surprise?",
    ),
    Mistake(
        "ce-bits",
        lambda logits, labels, pad_id: surprise(logits, labels, pad_id) / math.log(2),
        "An even guess among 8 words costs you 3: you count in bits. Which logarithm is usual?",
    ),
    Mistake(
        "ce-decimal-logarithm",
        lambda logits, labels, pad_id: surprise(logits, labels, pad_id) / math.log(10),
        "An even guess among 10 words costs you 1. Which logarithm is usual?",
    ),
    Mistake(
        "ce-mean-of-sentences",
        _of_sentences,
        "A word of a short sentence counts for more in yours than one of a long sentence. "
        "Of what is the mean taken?",
        variants=[
            lambda logits, labels, pad_id: torch.stack(
                [
                    surprise(some, right, pad_id)
                    for some, right in zip(logits, labels)
                    if (right != pad_id).any()
                ]
            ).mean()
        ],
    ),
    Mistake(
        "ce-sum-per-sentence",
        lambda logits, labels, pad_id: (_each(logits, labels) * (labels != pad_id)).sum(-1).mean(),
        "Your loss grows with the sentences' length. By what do you divide, sentences or words?",
    ),
    Mistake(
        "ce-sum-per-position",
        lambda logits, labels, pad_id: (_each(logits, labels) * (labels != pad_id)).sum(0).mean(),
        "Your loss grows with the number of sentences. By what do you divide, positions or words?",
    ),
    Mistake(
        "ce-zero-is-padding",
        lambda logits, labels, pad_id: surprise(logits, labels, 0),
        "You leave out the word with id 0. Which id does padding have here?",
    ),
    Mistake(
        "ce-real-words-ignored",
        lambda logits, labels, pad_id: _each(logits, labels)[labels == pad_id].mean(),
        "You average over the padding alone. Which way does your mask point?",
    ),
    Mistake(
        "ce-until-first-padding",
        _until_first_padding,
        "Where padding has a hole, you miss the words after it. Which labels are real?",
    ),
    Mistake(
        "ce-first-padding-too",
        _first_padding_too,
        "You also count the first padding after a word. Which labels are real?",
    ),
    Mistake(
        "ce-no-logarithm",
        _mean(
            lambda logits, labels: (
                -torch.softmax(logits, dim=-1).gather(-1, labels.unsqueeze(-1)).squeeze(-1)
            )
        ),
        "Your loss lies between −1 and 0. A probability is not yet a surprise: what turns it into "
        "one?",
    ),
    Mistake(
        "ce-one-minus-probability",
        _mean(
            lambda logits, labels: (
                1 - torch.softmax(logits, dim=-1).gather(-1, labels.unsqueeze(-1)).squeeze(-1)
            )
        ),
        "A hopelessly wrong guess costs you no more than 1. How does surprise grow as the "
        "probability goes to 0?",
    ),
    Mistake(
        "ce-logarithm-of-mean",
        lambda logits, labels, pad_id: (
            -(-_each(logits, labels)[labels != pad_id]).exp().mean().log()
        ),
        "You average probabilities and then take the logarithm. In which order are the two asked "
        "for?",
    ),
    Mistake(
        "ce-softmax-twice",
        _of_log_probs(lambda logits: torch.log_softmax(torch.softmax(logits, dim=-1), dim=-1)),
        "However sure the model is, your loss hardly falls. What does a cross-entropy with "
        "softmax inside want, scores or probabilities?",
    ),
    Mistake(
        "ce-no-normalisation",
        _mean(
            lambda logits, labels: (
                -(logits.gather(-1, labels.unsqueeze(-1)).squeeze(-1) - logits.mean(-1))
            )
        ),
        "You compare the right word's score with the mean score. What does softmax compare it "
        "with?",
    ),
    Mistake(
        "ce-best-score-for-normaliser",
        _mean(
            lambda logits, labels: (
                logits.amax(-1) - logits.gather(-1, labels.unsqueeze(-1)).squeeze(-1)
            )
        ),
        "A right guess costs you nothing, however unsure. How much of softmax's sum do you count?",
    ),
    Mistake(
        "ce-of-best-guess",
        lambda logits, labels, pad_id: (
            -torch.log_softmax(logits, dim=-1).amax(-1)[labels != pad_id]
        ).mean(),
        "Your loss does not depend on which words are right. Whose probability is asked for?",
    ),
    Mistake(
        "ce-all-words",
        _mean(lambda logits, labels: -torch.log_softmax(logits, dim=-1).mean(-1)),
        "Your loss does not depend on which words are right. Whose probability is asked for?",
    ),
    Mistake(
        "ce-entropy",
        _mean(
            lambda logits, labels: (
                -(torch.softmax(logits, dim=-1) * torch.log_softmax(logits, dim=-1)).sum(-1)
            )
        ),
        "You measure how unsure the model is, right or wrong. With whose probabilities is the "
        "logarithm weighted?",
    ),
    Mistake(
        "ce-squared-error",
        _mean(_squared),
        "A hopelessly wrong guess costs you no more than 2. Which measure has no upper limit?",
        variants=[_mean(lambda logits, labels: _squared(logits, labels) / logits.size(-1))],
    ),
    Mistake(
        "ce-binary",
        _mean(_binary),
        "You judge every word by itself, as if several could be right. Which function makes them "
        "compete?",
        variants=[_mean(lambda logits, labels: _binary(logits, labels) / logits.size(-1))],
    ),
    Mistake(
        "ce-shifted-again",
        _shifted,
        "You compare each prediction with the word after its label. Who has done the shifting "
        "already?",
    ),
    Mistake(
        "ce-viewed-not-transposed",
        _viewed,
        "Scores of different positions have got mixed. F.cross_entropy wants (B, V, T): does "
        "counting through the numbers turn axes round?",
    ),
    Mistake(
        "ce-labels-turned",
        _labels_turned,
        "Scores and labels of different tokens have met. In which order does flattening go "
        "through each?",
    ),
    Mistake(
        "ce-padding-not-a-word",
        _no_padding_word,
        "Your probabilities leave padding out of the vocabulary. Does the model's softmax?",
    ),
    Mistake(
        "ce-smoothed",
        _smoothed,
        "Your loss is larger than it should be when the model is sure and right. Does this "
        "exercise smooth its labels?",
    ),
    Mistake(
        "ce-perplexity",
        lambda logits, labels, pad_id: surprise(logits, labels, pad_id).exp(),
        "An even guess among 8 words costs you 8. How is perplexity related to a loss?",
    ),
    Mistake(
        "ce-last-word-only",
        lambda logits, labels, pad_id: (
            surprise(logits[:, -1:], labels[:, -1:], pad_id)
            if (labels[:, -1] != pad_id).any()
            else torch.tensor(0.0)
        ),
        "Only the last position counts in your loss. How many predictions does one pass train?",
    ),
    Mistake(
        "ce-first-word-only",
        lambda logits, labels, pad_id: surprise(logits[:, :1], labels[:, :1], pad_id),
        "Only the first position counts in your loss. How many predictions does one pass train?",
    ),
    Mistake(
        "ce-first-sentence-only",
        lambda logits, labels, pad_id: surprise(logits[:1], labels[:1], pad_id),
        "Only the first sentence counts in your loss. Over what is the mean taken?",
    ),
    Mistake(
        "ce-not-averaged",
        lambda logits, labels, pad_id: _each(logits, labels) * (labels != pad_id),
        "You give a number for each token. How many are asked for?",
    ),
    Mistake(
        "ce-accuracy",
        lambda logits, labels, pad_id: (
            (logits.argmax(-1) == labels)[labels != pad_id].to(logits.dtype).mean()
        ),
        "You count right guesses. Does a sure right guess cost the same as an unsure one?",
    ),
]
