"""window_pairs: each word with its context, as skip-gram wants it."""

from collections.abc import Callable, Mapping, Sequence

import torch

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.embedding import window_pairs as pairs_of
from tutor.say import say

Pairs = list[list[int]]


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(words: int, window: int) -> Arguments:
        return {"ids": rng.integers(0, 30, words).tolist(), "window": window}

    ids = rng.permutation(20)[:6].tolist()
    return {
        "a sentence": case(7, window=2),
        "wider than the sentence": case(3, window=5),
        "neighbours only": case(5, window=1),
        "one word": case(1, window=2),
        "two words": case(2, window=3),
        "no word": {"ids": [], "window": 1},
        "a word stands there twice": {"ids": [*ids, ids[0], ids[2]], "window": 2},
        "a word whose id is 0": {"ids": [0, *ids[:2], 0, ids[2]], "window": 2},
        "a word follows itself": {"ids": [4, ids[0], ids[0], 9], "window": 1},
        "a long sentence": case(rng.number(9, 14), window=rng.number(3, 4)),
        EXAMPLE: {"ids": [7, 8, 9], "window": 1},
    }


def _pairs(ids: Sequence[int], window: int) -> Pairs:
    return [list(pair) for pair in pairs_of(ids, window)]


def _where(in_context: Callable[[int, int, int], bool]) -> Callable[[Sequence[int], int], Pairs]:
    """Build an answer from which other places (centre, other, window) are context."""

    def pairs(ids: Sequence[int], window: int) -> Pairs:
        places = range(len(ids))
        return [[ids[c], ids[o]] for c in places for o in places if in_context(c, o, window)]

    return pairs


def _changed(change: Callable[[Pairs], Pairs]) -> Callable[[Sequence[int], int], Pairs]:
    return lambda ids, window: change(_pairs(ids, window))


def _by_value(ids: Sequence[int], window: int) -> Pairs:
    return [pair for pair in _where(lambda c, o, w: abs(c - o) <= w)(ids, window) if _differ(pair)]


def _differ(pair: list[int]) -> bool:
    return pair[0] != pair[1]


def _only_whole_windows(ids: Sequence[int], window: int) -> Pairs:
    inside = range(window, len(ids) - window)
    return _where(lambda c, o, w: c in inside and 0 < abs(c - o) <= w)(ids, window)


def _wraps_round(ids: Sequence[int], window: int) -> Pairs:
    offsets = [o for o in range(-window, window + 1) if o]
    return [[ids[c], ids[(c + o) % len(ids)]] for c in range(len(ids)) for o in offsets]


def _ends_have_context_too(call: Call) -> str | None:
    pairs = [pair.tolist() for pair in call([5, 6, 7], 1)]
    missing = [pair for pair in ([5, 6], [7, 6]) if pair not in pairs]
    if not missing:
        return None
    return say("In [5, 6, 7] with window 1 your pairs lack {pair}.", pair=missing[0])


def _context_is_mutual(call: Call) -> str | None:
    pairs = [pair.tolist() for pair in call([5, 6, 7, 8], 2)]
    lonely = next((pair for pair in pairs if pair[::-1] not in pairs), None)
    if lonely is None:
        return None
    return say(
        "In [5, 6, 7, 8] with window 2 you give {pair}, but not {other}.",
        pair=lonely,
        other=lonely[::-1],
    )


window_pairs = Exercise(
    "window_pairs",
    points=2,
    reference=_pairs,
    cases=_cases,
    returns=("pairs",),
    promises={
        "one word": lambda ids, window: len(ids) == 1,
        "no word": lambda ids, window: not ids,
        "the window is 1": lambda ids, window: window == 1,
        "the window is wider than the sentence": lambda ids, window: window > len(ids) > 1,
        "a word comes twice in a window": lambda ids, window: any(
            a == b for a, b in pairs_of(ids, window)
        ),
    },
    properties=[
        Property("Words at both ends have context.", _ends_have_context_too),
        Property("Context is mutual.", _context_is_mutual),
    ],
    mistakes=[
        Mistake(
            "window-with-itself",
            _where(lambda c, o, w: abs(c - o) <= w),
            "Each word is its own context in yours. How many pairs does a sentence of one word "
            "have?",
        ),
        Mistake(
            "window-only-right",
            _where(lambda c, o, w: 0 < o - c <= w),
            "Your words know what follows them, but not what came before. On how many sides does "
            "the window lie?",
        ),
        Mistake(
            "window-only-left",
            _where(lambda c, o, w: 0 < c - o <= w),
            "Your words know what came before them, but not what follows. On how many sides does "
            "the window lie?",
        ),
        Mistake(
            "window-one-short-right",
            _where(lambda c, o, w: c - w <= o < c + w and o != c),
            "Your windows are wider on the left than on the right. Does a range include its end?",
        ),
        Mistake(
            "window-too-narrow",
            _where(lambda c, o, w: 0 < abs(c - o) < w),
            "The outermost words of your windows are missing. How far away is the farthest?",
        ),
        Mistake(
            "window-too-wide",
            _where(lambda c, o, w: 0 < abs(c - o) <= w + 1),
            "Your windows reach one word too far. How far away is the farthest?",
        ),
        Mistake(
            "window-as-whole-width",
            _where(lambda c, o, w: 0 < abs(c - o) <= w // 2),
            "You halved the window. Does `window` count the words of one side, or of both?",
        ),
        Mistake(
            "window-whole-only",
            _only_whole_windows,
            "Words near the ends are never in the middle in yours. What is the window of the first "
            "word?",
        ),
        Mistake(
            "window-everything",
            _where(lambda c, o, w: c != o),
            "Every word is context to every other. What does `window` say?",
        ),
        Mistake(
            "window-wraps-round",
            _wraps_round,
            "The last word is context to the first in yours. What does an index below 0 mean in "
            "Python?",
        ),
        Mistake(
            "window-equal-words-left-out",
            _by_value,
            "Where a word stands twice in a window, pairs are missing. Is it the word that must "
            "differ, or its place?",
        ),
        Mistake(
            "window-centre-second",
            _changed(lambda pairs: [pair[::-1] for pair in pairs]),
            "Your pairs name the context first. Which of the two comes first?",
        ),
        Mistake(
            "window-each-pair-once",
            _changed(lambda pairs: [list(p) for p in dict.fromkeys(map(tuple, pairs))]),
            "A pair that occurs twice is listed once in yours. What would a count lose?",
        ),
        Mistake(
            "window-sorted",
            _changed(sorted),
            "Your pairs are right, but sorted by id. In which order are they asked for?",
        ),
        Mistake(
            "window-nearest-first",
            lambda ids, window: [
                [ids[c], ids[o]]
                for c in range(len(ids))
                for o in sorted(range(len(ids)), key=lambda o: abs(c - o))
                if 0 < abs(c - o) <= window
            ],
            "Your pairs are right, but near context comes before far. Which order is asked for?",
        ),
        Mistake(
            "window-places",
            lambda ids, window: [[c, o] for c, o in _pairs(range(len(ids)), window)],
            "Your pairs hold places. What stands at a place?",
            reason="Indices of the two loops are handed on in place of the ids they lead to.",
        ),
        Mistake(
            "window-first-of-equal-words",
            lambda ids, window: [
                [word, ids[o]]
                for word in ids
                for o in range(len(ids))
                if 0 < abs(ids.index(word) - o) <= window
            ],
            "Where a word stands twice, it gets the company of its first place both times. What "
            "does `ids.index` give for the second one?",
            reason="Who loops over words looks their places up by ids.index: seen in a review.",
        ),
        Mistake(
            "window-start-below-0",
            lambda ids, window: [
                [ids[c], other]
                for c in range(len(ids))
                for other in [*ids[c - window : c], *ids[c + 1 : c + window + 1]]
            ],
            "The first words of your sentences lack company on their left. What does a number "
            "below 0 mean where a slice begins?",
            reason="A slice from i - window is the shortest way to write a window.",
        ),
        Mistake(
            "window-company-together",
            lambda ids, window: [
                [ids[c], [ids[o] for o in range(len(ids)) if 0 < abs(c - o) <= window]]
                for c in range(len(ids))
            ],
            "You list all company of a word at once. How many words has one pair?",
            reason="The company of a word is a list before it becomes pairs.",
        ),
        Mistake(
            "window-one-tensor",
            lambda ids, window: torch.tensor(_pairs(ids, window)).view(-1, 2),
            "The pairs are there, in one tensor. What is asked for: a tensor, or a list?",
        ),
    ],
    hints=[
        "For the word at place c: which is the first place of its window, and which the last? What "
        "becomes of them at the ends of the sentence?",
        "`range(max(0, …), min(len(ids), …))` stays inside. Which place in it must be left out?",
    ],
)
