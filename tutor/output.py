"""The end of the model: from a vector to the probabilities of the next word (lesson 9).

A projection gives one score (a *logit*) for every word of the vocabulary, softmax turns the scores
into probabilities, and temperature, top-k, top-p and min-p change what may be drawn.
"""

import math

import torch
from jaxtyping import Float
from torch import Tensor

from tutor.say import say
from tutor.shapes import fitting


@fitting
def tied_logits(
    h: Float[Tensor, "*batch d_model"], table: Float[Tensor, "vocabulary d_model"]
) -> Float[Tensor, "*batch vocabulary"]:
    """Score every word by how well its input vector matches the state.

    The table is the one that embedded the words, so the output layer has no parameters of its own.
    The factor √d_model belongs to the embedding alone; the scores take the table as it is.

    Example:
        >>> table = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
        >>> tied_logits(torch.tensor([2.0, 3.0]), table)
        tensor([2., 3., 5.])

    Raises:
        ValueError: if the state and the table disagree on d_model.

    Source: "Attention Is All You Need", section 3.4; Press and Wolf 2017.
    """
    return h @ table.T  # (*batch, d_model) @ (d_model, V) -> (*batch, V)


def log_softmax(logits: Float[Tensor, "*batch vocabulary"]) -> Float[Tensor, "*batch vocabulary"]:
    """Logarithms of the probabilities, without ever forming e to a large power.

    Softmax sees only differences of scores, so the largest may be taken off first: then no
    exponential is above 1 and nothing overflows.

    Example:
        >>> log_softmax(torch.tensor([1000.0, 1000.0])).exp()
        tensor([0.5000, 0.5000])
    """
    shifted = logits - logits.amax(-1, keepdim=True)
    return shifted - shifted.exp().sum(-1, keepdim=True).log()


def temperature_softmax(
    logits: Float[Tensor, "*batch vocabulary"], temperature: float
) -> Float[Tensor, "*batch vocabulary"]:
    """Probabilities made sharper (temperature below 1) or flatter (above 1).

    Example:
        >>> temperature_softmax(torch.tensor([2.0, 0.0]), 2.0)  # softmax of [1, 0]
        tensor([0.7311, 0.2689])

    Raises:
        ValueError: if the temperature is not above 0, or infinite; for the best word take argmax.
    """
    if not 0 < temperature < math.inf:  # NaN is neither
        raise ValueError(
            say("temperature must be a number above 0, got {temperature}", temperature=temperature)
        )
    return log_softmax(logits / temperature).exp()


def top_k_probabilities(
    logits: Float[Tensor, "*batch vocabulary"], k: int
) -> Float[Tensor, "*batch vocabulary"]:
    """Probabilities of the k best words; all others get none, and the rest sums to 1 again.

    Example:
        >>> top_k_probabilities(torch.tensor([2.0, 5.0, 3.0]), 2).round(decimals=3)
        tensor([0.0000, 0.8810, 0.1190])

    Raises:
        ValueError: if k is not between 1 and the size of the vocabulary.

    Source: Fan, Lewis and Dauphin 2018.
    """
    if not 1 <= k <= logits.size(-1):
        raise ValueError(
            say(
                "k must be from 1 to the vocabulary's {words} words, got {k}",
                words=logits.size(-1),
                k=k,
            )
        )
    best = logits.topk(k, dim=-1).indices  # (*batch, k)
    dropped = torch.ones_like(logits, dtype=torch.bool).scatter(-1, best, False)
    return log_softmax(logits.masked_fill(dropped, -math.inf)).exp()


def top_p_probabilities(
    probabilities: Float[Tensor, "*batch vocabulary"], threshold: float
) -> Float[Tensor, "*batch vocabulary"]:
    """As few of the most likely words as together reach the threshold, made to sum to 1 again.

    The word that carries the sum over the threshold is still in; so at least one word always is.

    Example:
        >>> top_p_probabilities(torch.tensor([0.1, 0.5, 0.3, 0.1]), 0.7)
        tensor([0.0000, 0.6250, 0.3750, 0.0000])

    Raises:
        ValueError: if the threshold is not above 0 and at most 1.

    Source: Holtzman et al. 2020 ("nucleus sampling").
    """
    if not 0 < threshold <= 1:
        raise ValueError(
            say("threshold must be above 0 and at most 1, got {threshold}", threshold=threshold)
        )
    ranked, words = probabilities.sort(dim=-1, descending=True)
    mass_before = ranked.cumsum(-1) - ranked  # what the more likely words hold already
    kept = torch.where(mass_before < threshold, ranked, 0.0)
    back_in_place = torch.zeros_like(probabilities).scatter(-1, words, kept)
    return back_in_place / back_in_place.sum(-1, keepdim=True)


def min_p_probabilities(
    probabilities: Float[Tensor, "*batch vocabulary"], ratio: float
) -> Float[Tensor, "*batch vocabulary"]:
    """The words at least as likely as a share of the most likely one, made to sum to 1 again.

    Where the model is sure, few words come near its best; where it is not, many do.

    Example:
        >>> min_p_probabilities(torch.tensor([0.1, 0.5, 0.3, 0.1]), 0.5)
        tensor([0.0000, 0.6250, 0.3750, 0.0000])

    Raises:
        ValueError: if the ratio is not above 0 and at most 1.

    Source: Nguyen et al. 2025.
    """
    if not 0 < ratio <= 1:
        raise ValueError(say("ratio must be above 0 and at most 1, got {ratio}", ratio=ratio))
    least = ratio * probabilities.amax(-1, keepdim=True)  # (*batch, 1)
    kept = torch.where(probabilities >= least, probabilities, 0.0)
    return kept / kept.sum(-1, keepdim=True)
