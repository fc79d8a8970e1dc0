"""last_real_state: the state after the last word, not after the padding."""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.rnn import last_real_state as take
from tutor.say import say


def _last_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(T: int, H: int, lengths: list[int]) -> Arguments:
        return {"outputs": rng.normal(len(lengths), T, H), "lengths": torch.tensor(lengths)}

    return {
        "unequal sizes": case(6, 3, [3, 6, 1, 4]),
        "none reaches the end": case(7, 4, [2, 4, 3]),
        "lengths of any order": case(9, 2, [rng.number(1, 9) for _ in range(5)]),
        "square": case(4, 4, [2, 3, 1, 2]),
        "wide states": case(3, 5, [2, 3]),
        "one sentence": case(5, 3, [3]),
        "one word": case(1, 2, [1, 1, 1]),
        "one number a state": case(4, 1, [2, 4, 3]),
        "all reach the end": case(3, 2, [3, 3, 3, 3]),
        EXAMPLE: {
            "outputs": torch.tensor([[[1.0], [2.0], [9.0]], [[3.0], [4.0], [5.0]]]),
            "lengths": torch.tensor([2, 3]),
        },
    }


def _each(pick: Callable[[Tensor, int], Tensor]) -> Callable[[Tensor, Tensor], Tensor]:
    """Build an answer from what it takes of one sentence's outputs, given its length."""

    def mistaken(outputs: Tensor, lengths: Tensor) -> Tensor:
        pairs = zip(outputs, lengths.tolist())
        return torch.stack([pick(sentence, length) for sentence, length in pairs])

    return mistaken


def _by_length(outputs: Tensor, lengths: Tensor) -> Tensor:
    order = lengths.argsort(descending=True)
    return take(outputs[order], lengths[order])


def _padding_does_not_matter(call: Call) -> str | None:
    outputs, lengths = Rng(1).normal(2, 4, 3), torch.tensor([2, 4])
    changed = outputs.clone()
    changed[0, 2:] = 9.0
    if torch.allclose(call(outputs, lengths), call(changed, lengths)):
        return None
    return say(
        "A sentence of 2 words is padded to 4. Other numbers at its padding change your result."
    )


last_real_state = Exercise(
    "last_real_state",
    points=1,
    reference=take,
    cases=_last_cases,
    returns=("last states",),
    shapes={"outputs": "B T H", "lengths": "B", "last states": "B H"},
    promises={
        "a sentence of one word": lambda outputs, lengths: bool((lengths == 1).any()),
        "a sentence as long as the batch": lambda outputs, lengths: bool(
            (lengths == outputs.size(1)).any()
        ),
        "no sentence as long as the batch": lambda outputs, lengths: bool(
            (lengths < outputs.size(1)).all()
        ),
    },
    properties=[Property("What stands at the padding does not matter.", _padding_does_not_matter)],
    mistakes=[
        Mistake(
            "last-reads-padding",
            lambda outputs, lengths: outputs[:, -1],
            "Your states are right only for sentences that fill the batch's length. At which step "
            "does a shorter one end?",
        ),
        Mistake(
            "last-one-too-far",
            lambda outputs, lengths: outputs[torch.arange(len(outputs)), lengths],
            "Each of your states is from one step after the sentence's end, if there is one. From "
            "which number does Python count?",
        ),
        Mistake(
            "last-one-too-early",
            lambda outputs, lengths: outputs[torch.arange(len(outputs)), lengths - 2],
            "Each of your states lacks the last word. What is the index of the last of n steps?",
        ),
        Mistake(
            "last-first",
            lambda outputs, lengths: outputs[:, 0],
            "Each of your states knows its first word only. At which end is the last one?",
        ),
        Mistake(
            "last-counted-from-the-end",
            lambda outputs, lengths: outputs[torch.arange(len(outputs)), -lengths],
            "The shorter a sentence, the further back you look. Are its words at the beginning "
            "or at the end of its row?",
        ),
        Mistake(
            "last-all-pairs",
            lambda outputs, lengths: outputs[:, lengths - 1],
            "You have a state of every sentence for every length. How do you take one step from "
            "each row?",
        ),
        Mistake(
            "last-longest-for-all",
            lambda outputs, lengths: outputs[:, lengths.max() - 1],
            "All your states are from the step where the longest sentence ends. When does each "
            "end?",
        ),
        Mistake(
            "last-shortest-for-all",
            lambda outputs, lengths: outputs[:, lengths.min() - 1],
            "All your states are from the step where the shortest sentence ends. When does each "
            "end?",
        ),
        Mistake(
            "last-first-length-for-all",
            lambda outputs, lengths: outputs[:, lengths[0] - 1],
            "All your states are from the step where the first sentence ends. When does each end?",
        ),
        Mistake(
            "last-axes-exchanged",
            lambda outputs, lengths: outputs[lengths - 1, torch.arange(len(outputs))],
            "You use the step as the row and the row as the step. Which axis of outputs (B, T, H) "
            "is time?",
        ),
        Mistake(
            "last-from-one-sentence",
            lambda outputs, lengths: outputs[0, lengths - 1],
            "All your states are from the first sentence. How do you take one step from each row?",
        ),
        Mistake(
            "last-mean",
            _each(lambda sentence, length: sentence[:length].mean(0)),
            "You average over a sentence's words. Which one state has read them all?",
        ),
        Mistake(
            "last-mean-with-padding",
            _each(lambda sentence, length: sentence.mean(0)),
            "You average over all steps, padding included. Which one state has read the whole "
            "sentence and nothing else?",
        ),
        Mistake(
            "last-sum",
            _each(lambda sentence, length: sentence[:length].sum(0)),
            "You add up a sentence's states. Which one state has read all words?",
        ),
        Mistake(
            "last-max",
            _each(lambda sentence, length: sentence[:length].amax(0)),
            "You take the largest value of each feature, from different steps. Which one state "
            "has read all words?",
        ),
        Mistake(
            "last-sorted-by-length",
            _by_length,
            "Your states are right, but in the order of the sentences' lengths. Whose state is "
            "the first row's?",
        ),
        Mistake(
            "last-one-feature",
            lambda outputs, lengths: outputs.gather(1, (lengths - 1)[:, None, None])[:, 0],
            "You took one number from each sentence. How many features does a state have?",
        ),
        Mistake(
            "last-time-axis-kept",
            lambda outputs, lengths: take(outputs, lengths).unsqueeze(1),
            "The numbers are right. There is one axis too many; which one has length 1?",
        ),
        Mistake(
            "last-padding-zeroed",
            _each(
                lambda sentence, length: sentence[-1] * (1.0 if length == len(sentence) else 0.0)
            ),
            "Shorter sentences get zeros. Where is the state after their last word?",
        ),
        Mistake(
            "last-squeezed",
            lambda outputs, lengths: take(outputs, lengths).squeeze(),
            "You are right, but with a batch of one sentence an axis is lost. Which axes does "
            "squeeze take away?",
        ),
    ],
    hints=[
        "A sentence of length n has its states at the steps 0 … n − 1.",
        "outputs[rows, steps] with two tensors of equal length takes one step from each row. "
        "Which rows, which steps?",
    ],
)
