"""The loss: how much probability the right word got, and its softer, smoothed form (lesson 9)."""

import math
from typing import Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from tutor.output import log_softmax
from tutor.say import say
from tutor.shapes import fitting, pad_within

SmoothingForm = Literal["torch", "paper"]


@fitting
def sequence_cross_entropy(
    logits: Float[Tensor, "*batch vocabulary"], labels: Int[Tensor, "*batch"], pad_id: int
) -> Float[Tensor, ""]:
    """Mean surprise, in nats, at the right words of a batch; padding is not asked.

    One mean over all real tokens: a long sentence counts for more than a short one.

    Example:
        >>> logits = torch.zeros(1, 3, 4)  # four words, all equally likely: log 4 = 1.386
        >>> sequence_cross_entropy(logits, torch.tensor([[2, 1, 0]]), pad_id=0)
        tensor(1.3863)

    Raises:
        ValueError: if the shapes do not fit, every label is padding, or pad_id is no word's id.

    Source: "Attention Is All You Need", section 5.4, without the smoothing.
    """
    real = real_labels(logits, labels, pad_id)
    right = log_softmax(logits).gather(-1, labels.unsqueeze(-1)).squeeze(-1)  # (*batch)
    return -right[real].mean()


def perplexity(cross_entropy: Float[Tensor, "*any"]) -> Float[Tensor, "*any"]:
    """Among how many equally likely words the model would have to guess, to be as surprised.

    Args:
        cross_entropy: a mean cross-entropy in nats.

    Example:
        >>> perplexity(torch.tensor(1.3863))
        tensor(4.0000)
    """
    return cross_entropy.exp()


@fitting
def smooth_labels(
    labels: Int[Tensor, " tokens"], vocabulary: int, epsilon: float, pad_id: int
) -> Float[Tensor, "tokens vocabulary"]:
    """Spread a little of the certainty of each label over the other words, padding excepted.

    The label keeps 1 − ε; the V − 2 words that are neither label nor padding share ε. A row whose
    label is padding is all zeros, so it adds nothing to a loss.

    Example:
        >>> smooth_labels(torch.tensor([1, 0]), vocabulary=4, epsilon=0.1, pad_id=0)
        tensor([[0.0000, 0.9000, 0.0500, 0.0500],
                [0.0000, 0.0000, 0.0000, 0.0000]])

    Source: "Attention Is All You Need", section 5.4, in the form of its best-known reimplementation
    ("The Annotated Transformer"); Szegedy et al. 2016 gave ε/V to every word instead.

    Raises:
        ValueError: ε is out of range, or pad_id is no word's id.
    """
    check_smoothing(vocabulary, epsilon)
    pad_within(pad_id, vocabulary)
    targets = torch.full(
        (len(labels), vocabulary), epsilon / (vocabulary - 2), device=labels.device
    )
    targets = targets.scatter(-1, labels.unsqueeze(-1), 1 - epsilon)
    targets[:, pad_id] = 0.0
    return targets.masked_fill((labels == pad_id).unsqueeze(-1), 0.0)


@fitting
def smoothed_cross_entropy(
    logits: Float[Tensor, "*batch vocabulary"],
    labels: Int[Tensor, "*batch"],
    pad_id: int,
    epsilon: float,
    form: SmoothingForm = "torch",
) -> Float[Tensor, ""]:
    """Mean cross-entropy with smoothed labels, which punishes certainty as well as error.

    Args:
        logits: one score for each word, for each token.
        labels: the right words; padding is left out of the mean.
        pad_id: the id of padding.
        epsilon: how much of the certainty is spread, from 0 to below 1.
        form: "torch" spreads ε over all V words, the label among them, as
            ``F.cross_entropy(label_smoothing=ε)`` does; "paper" as `smooth_labels` does.

    Example:
        >>> logits, label = torch.tensor([[5.0, 0, 0, 0, 0]]), torch.tensor([0])
        >>> smoothed_cross_entropy(logits, label, pad_id=4, epsilon=0.1)
        tensor(0.4266)
        >>> smoothed_cross_entropy(logits, label, pad_id=4, epsilon=0.1, form="paper")
        tensor(0.5266)

    Raises:
        ValueError: if the shapes do not fit, every label is padding, pad_id is no word's id, or ε
            is out of range.
    """
    vocabulary = logits.size(-1)
    check_smoothing(vocabulary, epsilon, form)
    real = real_labels(logits, labels, pad_id)
    log_probs = log_softmax(logits)[real]  # (N, V) for the N real tokens
    right = log_probs.gather(-1, labels[real].unsqueeze(-1)).squeeze(-1)  # (N,)
    everything = log_probs.sum(-1)  # (N,)
    if form == "torch":
        spread = epsilon / vocabulary * everything
    else:
        others = everything - right - log_probs[:, pad_id]
        spread = epsilon / (vocabulary - 2) * others
    return -((1 - epsilon) * right + spread).mean()


def smoothing_floor(vocabulary: int, epsilon: float, form: SmoothingForm = "torch") -> float:
    """The smallest loss smoothed labels allow: even a perfect model cannot go below it, in nats.

    It is the entropy of the smoothed label itself.

    Example:
        >>> round(smoothing_floor(5, 0.1), 3), round(smoothing_floor(5, 0.1, "paper"), 3)
        (0.39, 0.435)
    """
    check_smoothing(vocabulary, epsilon, form)
    if epsilon == 0:
        return 0.0
    if form == "torch":
        label, other, others = (
            1 - epsilon + epsilon / vocabulary,
            epsilon / vocabulary,
            vocabulary - 1,
        )
    else:
        label, other, others = 1 - epsilon, epsilon / (vocabulary - 2), vocabulary - 2
    return -(label * math.log(label) + others * other * math.log(other))


@fitting
def real_labels(
    logits: Float[Tensor, "*batch vocabulary"], labels: Int[Tensor, "*batch"], pad_id: int
) -> Bool[Tensor, "*batch"]:
    """Where a label is a real word and not padding.

    Example:
        >>> real_labels(torch.zeros(2, 3), torch.tensor([1, 0]), pad_id=0)
        tensor([ True, False])

    Raises:
        ValueError: if logits and labels do not fit together, every label is padding, or pad_id is
            no word's id.
    """
    pad_within(pad_id, logits.size(-1))
    real = labels != pad_id
    if not real.any():
        raise ValueError(
            say(
                "every label is padding (pad_id {pad_id}): there is no token to average over",
                pad_id=pad_id,
            )
        )
    return real


def check_smoothing(vocabulary: int, epsilon: float, form: SmoothingForm = "torch") -> None:
    """Refuse an ε that leaves the label nothing, a vocabulary with no other words, other forms.

    Example:
        >>> check_smoothing(5, 0.1)

    Raises:
        ValueError: naming the value that is out of range.
    """
    if not 0 <= epsilon < 1:
        raise ValueError(say("epsilon must be from 0 to below 1, got {epsilon}", epsilon=epsilon))
    if form not in ("torch", "paper"):
        raise ValueError(say("form={form!r}; expected 'torch' or 'paper'", form=form))
    if vocabulary < 3:
        raise ValueError(
            say(
                "smoothing needs a word that is neither label nor padding: vocabulary {vocabulary}",
                vocabulary=vocabulary,
            )
        )
