"""The ways in which smoothed labels go wrong."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from tutor.checking.exercise import Mistake
from tutor.loss import smooth_labels as smooth

Spread = Callable[[Tensor, int, float, int], Tensor]


def _table(label: Callable[[int, float], float], other: Callable[[int, float], float]) -> Spread:
    """Build an answer from what the label and each other word get; padding gets nothing."""

    def mistaken(labels: Tensor, V: int, epsilon: float, pad_id: int) -> Tensor:
        table = torch.full((len(labels), V), other(V, epsilon))
        table[torch.arange(len(labels)), labels] = label(V, epsilon)
        table[:, pad_id] = 0
        table[labels == pad_id] = 0
        return table

    return mistaken


def _padding_gets(other: Callable[[int, float], float]) -> Spread:
    """Build an answer in which padding gets the same share as every other word."""

    def mistaken(labels: Tensor, V: int, epsilon: float, pad_id: int) -> Tensor:
        table = torch.full((len(labels), V), other(V, epsilon))
        table[torch.arange(len(labels)), labels] = 1 - epsilon
        table[labels == pad_id] = 0
        return table

    return mistaken


def _torchs_form(labels: Tensor, V: int, epsilon: float, pad_id: int) -> Tensor:
    table = F.one_hot(labels, V) * (1 - epsilon) + epsilon / V
    return table.masked_fill((labels == pad_id).unsqueeze(-1), 0)


def _torchs_form_padding_zeroed(labels: Tensor, V: int, epsilon: float, pad_id: int) -> Tensor:
    table = _torchs_form(labels, V, epsilon, pad_id)
    table[:, pad_id] = 0
    return table


def _renormalised(labels: Tensor, V: int, epsilon: float, pad_id: int) -> Tensor:
    table = _torchs_form_padding_zeroed(labels, V, epsilon, pad_id)
    return table / table.sum(-1, keepdim=True).clamp(min=1e-9)


def _padding_rows_kept(labels: Tensor, V: int, epsilon: float, pad_id: int) -> Tensor:
    table = torch.full((len(labels), V), epsilon / (V - 2))
    table[torch.arange(len(labels)), labels] = 1 - epsilon
    table[:, pad_id] = 0
    return table


def _padding_rows_certain(labels: Tensor, V: int, epsilon: float, pad_id: int) -> Tensor:
    table = smooth(labels, V, epsilon, pad_id)
    table[labels == pad_id, pad_id] = 1
    return table


def _padding_rows_smoothed(labels: Tensor, V: int, epsilon: float, pad_id: int) -> Tensor:
    table = _padding_rows_kept(labels, V, epsilon, pad_id)
    table[labels == pad_id, pad_id] = 1 - epsilon
    return table


def _padding_column_kept(labels: Tensor, V: int, epsilon: float, pad_id: int) -> Tensor:
    table = torch.full((len(labels), V), epsilon / (V - 2))
    table[torch.arange(len(labels)), labels] = 1 - epsilon
    table[labels == pad_id] = 0
    return table


_ASK_SHARES = (
    "Your rows of real labels do not sum to 1. Among how many words is ε shared, when neither the "
    "label nor padding gets any of it?"
)


MISTAKES = [
    Mistake(
        "smooth-pad-gets-mass",
        _padding_column_kept,
        "The column of padding is not empty. Can padding be the right word?",
        variants=[_padding_gets(lambda V, epsilon: epsilon / (V - 1))],
    ),
    Mistake(
        "smooth-v",
        _table(lambda V, epsilon: 1 - epsilon, lambda V, epsilon: epsilon / V),
        _ASK_SHARES,
        label="shared among V",
    ),
    Mistake(
        "smooth-v-minus-one",
        _table(lambda V, epsilon: 1 - epsilon, lambda V, epsilon: epsilon / (V - 1)),
        "Your rows of real labels sum to a little less than 1. Who else, besides the label, "
        "gets nothing of ε?",
        label="shared among V − 1",
    ),
    Mistake(
        "smooth-v-minus-three",
        _table(lambda V, epsilon: 1 - epsilon, lambda V, epsilon: epsilon / (V - 3)),
        "Your rows of real labels sum to more than 1. How many words are neither label nor "
        "padding?",
        label="shared among V − 3",
    ),
    Mistake(
        "smooth-target-still-1",
        _table(lambda V, epsilon: 1.0, lambda V, epsilon: epsilon / (V - 2)),
        "Your rows sum to more than 1: the label keeps all it had. Where does ε come from?",
    ),
    Mistake(
        "smooth-target-gets-share-too",
        _table(
            lambda V, epsilon: 1 - epsilon + epsilon / (V - 2),
            lambda V, epsilon: epsilon / (V - 2),
        ),
        "Your rows sum to more than 1: the label gives ε and gets a share back. Among whom is "
        "ε shared here?",
    ),
    Mistake(
        "smooth-torchs-form",
        _torchs_form,
        "You spread ε over all words, label and padding among them, as torch does. Who gets "
        "none of it in this exercise?",
        label="torch's form",
    ),
    Mistake(
        "smooth-torchs-form-padding-zeroed",
        _torchs_form_padding_zeroed,
        "You spread ε over all words and then took padding's share away, so that rows sum to "
        "less than 1. Among whom is it shared here?",
        label="torch's form, padding zeroed",
    ),
    Mistake(
        "smooth-renormalised",
        _renormalised,
        "Your rows sum to 1, but the label does not have 1 − ε. Which number of the row is fixed?",
    ),
    Mistake(
        "smooth-epsilon-each",
        _table(lambda V, epsilon: 1 - epsilon, lambda V, epsilon: epsilon),
        "Each of your other words gets all of ε. How many share it?",
    ),
    Mistake(
        "smooth-exchanged",
        _table(lambda V, epsilon: epsilon, lambda V, epsilon: (1 - epsilon) / (V - 2)),
        "Your label has the small number and the others share the large one. Which is ε?",
    ),
    Mistake(
        "smooth-one-hot",
        _table(lambda V, epsilon: 1.0, lambda V, epsilon: 0.0),
        "Change ε and your result stays the same. Who gives, and who gets?",
    ),
    Mistake(
        "smooth-nothing-spread",
        _table(lambda V, epsilon: 1 - epsilon, lambda V, epsilon: 0.0),
        "Your label gives ε away and nobody gets it. Who should?",
    ),
    Mistake(
        "smooth-even",
        _table(lambda V, epsilon: 1 / (V - 1), lambda V, epsilon: 1 / (V - 1)),
        "All your words are equally right. What does the label keep?",
    ),
    Mistake(
        "smooth-half",
        _table(lambda V, epsilon: 1 - epsilon / 2, lambda V, epsilon: epsilon / 2 / (V - 2)),
        "Your label keeps too much, by half of ε. How much does it give away?",
    ),
    Mistake(
        "smooth-squared",
        _table(lambda V, epsilon: (1 - epsilon) ** 2, lambda V, epsilon: epsilon / (V - 2)),
        "Your label gives away more than the others get. How often is it multiplied by 1 − ε?",
    ),
    Mistake(
        "smooth-padding-rows-kept",
        _padding_rows_kept,
        "Where padding is the label, your row is not empty. What is there to learn at padding?",
    ),
    Mistake(
        "smooth-padding-rows-certain",
        _padding_rows_certain,
        "Where padding is the label, yours says so with certainty. What is there to learn at "
        "padding?",
    ),
    Mistake(
        "smooth-padding-rows-smoothed",
        _padding_rows_smoothed,
        "Where padding is the label, your row looks like any other. What is there to learn at "
        "padding?",
    ),
    Mistake(
        "smooth-zero-is-padding",
        lambda labels, V, epsilon, pad_id: smooth(labels, V, epsilon, 0),
        "You treat word 0 as padding. Which id does padding have here?",
    ),
    Mistake(
        "smooth-last-is-padding",
        lambda labels, V, epsilon, pad_id: smooth(labels, V, epsilon, V - 1),
        "You treat the last word as padding. Which id does padding have here?",
    ),
    Mistake(
        "smooth-padding-rows-dropped",
        lambda labels, V, epsilon, pad_id: smooth(labels[labels != pad_id], V, epsilon, pad_id),
        "You return fewer rows than there are labels. What stands in the row of padding?",
    ),
    Mistake(
        "smooth-padding-column-dropped",
        lambda labels, V, epsilon, pad_id: torch.cat(
            [
                smooth(labels, V, epsilon, pad_id)[:, :pad_id],
                smooth(labels, V, epsilon, pad_id)[:, pad_id + 1 :],
            ],
            dim=1,
        ),
        "You return fewer columns than there are words. What stands in the column of padding?",
    ),
    Mistake(
        "smooth-turned",
        lambda labels, V, epsilon, pad_id: smooth(labels, V, epsilon, pad_id).T,
        "You have a row for each word. What should a row belong to?",
    ),
    Mistake(
        "smooth-logarithm",
        lambda labels, V, epsilon, pad_id: smooth(labels, V, epsilon, pad_id).log(),
        "None of your numbers is above 0: they are logarithms. What is asked for?",
    ),
    Mistake(
        "smooth-nan-at-padding",
        lambda labels, V, epsilon, pad_id: (
            smooth(labels, V, epsilon, pad_id)
            / smooth(labels, V, epsilon, pad_id).sum(-1, keepdim=True)
        ),
        "Your rows of padding are NaN. What do you divide by there?",
    ),
]
