"""greedy_decode: the most likely word, again and again, until the end."""

from collections.abc import Callable, Mapping
from itertools import pairwise

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.decode import greedy_decode as decode
from tutor.exercises.lesson09_output_softmax.toys import BOS, EOS, toy
from tutor.say import say

LookUp = Callable[[Tensor, int, int], Tensor]
Ids = list[int]


def _greedy_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(
        vocabulary: int,
        eos: float,
        max_length: int,
        fits: Callable[[Ids], bool],
        first_eos: float = -4.0,
    ) -> Arguments:
        while True:
            log_probs = toy(rng, vocabulary, eos, first_eos)
            if fits(decode(log_probs, max_length)):
                return {"log_probs": log_probs, "max_length": max_length}

    return {
        "ends in time": case(6, 0.5, 9, lambda ids: ids[-1] == EOS and 4 <= len(ids) <= 7),
        "is cut off": case(5, -3.0, 4, lambda ids: EOS not in ids and len(set(ids)) > 2),
        "ends at the last moment": case(7, 0.5, 4, lambda ids: ids[-1] == EOS and len(ids) == 4),
        "a single word": case(5, -3.0, 1, lambda ids: ids != [EOS]),
        "a word comes twice": case(5, -3.0, 5, lambda ids: any(a == b for a, b in pairwise(ids))),
        "ends at once": case(6, 9.0, 5, lambda ids: ids == [EOS], first_eos=0.0),
        "a tiny vocabulary": case(3, -2.0, 6, lambda ids: len(ids) == 6),
        "a large vocabulary": case(20, -9.0, 25, lambda ids: len(set(ids)) > 4),
        EXAMPLE: {"log_probs": _example(), "max_length": 5},
    }


def _example() -> Tensor:
    table = torch.full((3, 3, 3), 0.1)
    table[0, 0, 2] = table[0, 2, 2] = table[2, 2, 1] = 0.8
    return table.log()


def _following(look_up: LookUp) -> Callable[[Tensor, int], Ids]:
    """Build a greedy search from how it finds the scores of the next word."""

    def mistaken(log_probs: Tensor, max_length: int) -> Ids:
        before, last, ids = BOS, BOS, []
        for _ in range(max_length):
            before, last = last, int(look_up(log_probs, before, last))
            ids.append(last)
            if last == EOS:
                break
        return ids

    return mistaken


def _then(change: Callable[[Ids, int], object]) -> Callable[[Tensor, int], object]:
    """Build an answer that decodes well and returns something else."""
    return lambda log_probs, max_length: change(decode(log_probs, max_length), max_length)


def _unending(log_probs: Tensor, max_length: int) -> Ids:
    before, last, ids = BOS, BOS, []
    for _ in range(max_length):
        before, last = last, int(log_probs[before, last].argmax())
        ids.append(last)
    return ids


def _until(end: int) -> Callable[[Tensor, int], Ids]:
    def mistaken(log_probs: Tensor, max_length: int) -> Ids:
        ids = _unending(log_probs, max_length)
        return ids[: ids.index(end) + 1] if end in ids else ids

    return mistaken


def _likeliest_start(log_probs: Tensor, max_length: int) -> Ids:
    before = last = EOS
    ids: Ids = []
    while len(ids) < max_length and (not ids or last != EOS):
        before, last = last, int(log_probs[before, last].argmax())
        ids.append(last)
    return ids


def _by_marginal(log_probs: Tensor, before: int, last: int) -> Tensor:
    return log_probs.mean(dim=0)[last].argmax()


def _ends_at_first_eos(call: Call) -> str | None:
    table = torch.full((3, 3, 3), -9.0)
    table[0, 0, 2] = table[0, 2, 1] = table[2, 1, 2] = -0.1
    ids = call(table, 5).tolist()
    if ids == [2, 1]:
        return None
    return say(
        "A toy says 2, then eos (1). It should give [2, 1], and yours gives {ids}.",
        ids=ids,
    )


def _never_too_long(call: Call) -> str | None:
    table = torch.full((3, 3, 3), -9.0)
    table[:, :, 2] = -0.1
    length = len(call(table, 3))
    if length == 3:
        return None
    return say(
        "A toy never says eos. With max_length 3 yours gives {length} words.",
        length=length,
    )


greedy_decode = Exercise(
    "greedy_decode",
    points=2,
    reference=decode,
    cases=_greedy_cases,
    returns=("ids",),
    shapes={"log_probs": "V V V"},
    smallest={"V": 3},
    promises={
        "max_length is 1": lambda log_probs, most: most == 1,
        "ends before max_length": lambda log_probs, most: len(decode(log_probs, most)) < most,
        "ends at max_length": lambda log_probs, most: (
            decode(log_probs, most)[-1] == EOS and len(decode(log_probs, most)) == most > 1
        ),
        "is cut off": lambda log_probs, most: EOS not in decode(log_probs, most),
        "ends at once": lambda log_probs, most: decode(log_probs, most) == [EOS],
    },
    properties=[
        Property("The sentence ends with its first eos.", _ends_at_first_eos),
        Property("Without eos there are max_length words.", _never_too_long),
    ],
    mistakes=[
        Mistake(
            "greedy-eos-removed",
            _then(lambda ids, _: [word for word in ids if word != EOS]),
            "Your sentences are right except for their end. How does a reader know that a "
            "sentence is finished and not cut off?",
        ),
        Mistake(
            "greedy-context-lost",
            _following(lambda table, before, last: table[BOS, last].argmax()),
            "Your first words are right. From the third on, how much of what was said before do "
            "you tell the model?",
        ),
        Mistake(
            "greedy-last-word-twice",
            _following(lambda table, before, last: table[last, last].argmax()),
            "You tell the model the last word twice. Which two words does it want?",
        ),
        Mistake(
            "greedy-context-turned",
            _following(lambda table, before, last: table[last, before].argmax()),
            "You tell the model the last two words in the wrong order. Which comes first in "
            "log_probs[before, last]?",
        ),
        Mistake(
            "greedy-context-averaged",
            _following(_by_marginal),
            "You average over the word before the last. Do you not know which one it was?",
        ),
        Mistake(
            "greedy-always-from-bos",
            _following(lambda table, before, last: table[BOS, BOS].argmax()),
            "You say the same word again and again. What does the model hear each time?",
        ),
        Mistake(
            "greedy-starts-with-eos",
            _likeliest_start,
            "Your first word is already wrong. Which word stands before the first, and before "
            "that one?",
        ),
        Mistake(
            "greedy-argmin",
            _following(lambda table, before, last: table[before, last].argmin()),
            "You take the least likely word. Which log-probability is better, −0.1 or −5?",
        ),
        Mistake(
            "greedy-second-best",
            _following(lambda table, before, last: table[before, last].topk(2).indices[1]),
            "You always take the second-best word. From which number does Python count?",
        ),
        Mistake(
            "greedy-bos-skipped-in-count",
            _following(lambda table, before, last: table[before, last][1:].argmax()),
            "Each of your words is one below the right one. If bos is cut off before argmax, what "
            "does its answer count from?",
        ),
        Mistake(
            "greedy-bos-included",
            _then(lambda ids, _: [BOS, *ids]),
            "Your sentence begins with bos. Who said that, the model or you?",
            variants=[
                lambda log_probs, max_length: [BOS, *decode(log_probs, max_length)][:max_length]
            ],
        ),
        Mistake(
            "greedy-bos-counted",
            lambda log_probs, max_length: (
                decode(log_probs, max_length - 1) if max_length > 1 else []
            ),
            "Your longest sentences are a word too short. Does max_length count bos?",
        ),
        Mistake(
            "greedy-one-too-many",
            lambda log_probs, max_length: decode(log_probs, max_length + 1),
            "Your longest sentences are a word too long. How many words may there be?",
        ),
        Mistake(
            "greedy-never-ends",
            _unending,
            "You go on after eos. What does eos say, and what is its id?",
        ),
        Mistake(
            "greedy-ends-with-two",
            _until(2),
            "You stop at the word 2 and not at eos. What is the id of eos?",
        ),
        Mistake(
            "greedy-one-word",
            _then(lambda ids, _: ids[:1]),
            "You say a single word. When is a sentence finished?",
        ),
        Mistake(
            "greedy-last-word-lost",
            _then(lambda ids, _: ids[:-1]),
            "Your last word is missing, eos or not. Is it stored before the loop ends?",
        ),
        Mistake(
            "greedy-eos-added",
            _then(lambda ids, _: ids if ids[-1] == EOS else [*ids, EOS]),
            "You end a sentence with eos that the model did not end. What should a cut-off "
            "sentence look like?",
            variants=[_then(lambda ids, _: ids if ids[-1] == EOS else [*ids[:-1], EOS])],
        ),
        Mistake(
            "greedy-eos-twice",
            _then(lambda ids, _: [*ids, EOS] if ids[-1] == EOS else ids),
            "You end finished sentences twice. Where is eos added?",
        ),
        Mistake(
            "greedy-filled-up",
            _then(lambda ids, most: ids + [BOS] * (most - len(ids))),
            "You fill short sentences up. How long is a sentence that ended early?",
            variants=[_then(lambda ids, most: ids + [EOS] * (most - len(ids)))],
        ),
        Mistake(
            "greedy-reversed",
            _then(lambda ids, _: ids[::-1]),
            "Your words are right, but run from the last to the first. Where is a new word added?",
        ),
        Mistake(
            "greedy-cut-off-dropped",
            _then(lambda ids, _: ids if ids[-1] == EOS else []),
            "You return nothing where the model did not end in time. What should a cut-off "
            "sentence look like?",
        ),
        Mistake(
            "greedy-pairs",
            _then(lambda ids, _: [[a, b] for a, b in zip([BOS, *ids], ids)]),
            "You give pairs of words. How many ids does a word have?",
        ),
    ],
    hints=[
        "Keep two variables: the last word and the one before it. Both start as bos.",
        "In each round: look up the row of log-probabilities, find the best word, store it, and "
        "move both variables on. When does the round end early?",
    ],
)
