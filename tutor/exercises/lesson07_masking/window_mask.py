"""window_mask: a triangle that forgets, as long inputs have it."""

from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.mask import causal_keep
from tutor.say import say


def _window(length: int, width: int) -> Tensor:
    return causal_keep(length) & ~causal_keep(length).tril(-width)  # (T, T)


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    return {
        "a few words": {"length": rng.number(6, 8), "width": rng.number(3, 4)},
        "itself alone": {"length": 4, "width": 1},
        "wider than the sentence": {"length": 3, "width": rng.number(5, 7)},
        "as wide as the sentence": {"length": 5, "width": 5},
        "one word": {"length": 1, "width": 1},
        "one word, a wide window": {"length": 1, "width": 3},
        "a long sentence": {"length": rng.number(65, 90), "width": rng.number(7, 9)},
        EXAMPLE: {"length": 3, "width": 2},
    }


def _never_more_than_its_width(call: Call) -> str | None:
    seen = int(call(6, 3).sum(-1).max())
    if seen <= 3:
        return None
    return say("With a window of {width}, a query sees {seen} keys.", width=3, seen=seen)


def _nobody_sees_ahead(call: Call) -> str | None:
    ahead = call(6, 3).triu(1).nonzero()
    if not len(ahead):
        return None
    query, key = ahead[0].tolist()
    return say("Query {query} may look at key {key}, which comes later.", query=query, key=key)


window_mask = Exercise(
    "window_mask",
    points=1,
    reference=_window,
    cases=_cases,
    returns=("keep",),
    shapes={"length": "T", "width": "w", "keep": "T T"},
    promises={
        "wider than the sentence": lambda length, width: width > length,
        "as wide as the sentence": lambda length, width: width == length > 1,
        "narrower than the sentence": lambda length, width: 1 < width < length,
    },
    properties=[
        Property("No query sees more keys than its window holds.", _never_more_than_its_width),
        Property("No query sees ahead.", _nobody_sees_ahead),
    ],
    mistakes=[
        Mistake(
            "window-one-too-wide",
            lambda length, width: _window(length, width + 1),
            "Your queries see one key too many. Does the window count the query itself?",
        ),
        Mistake(
            "window-one-too-narrow",
            lambda length, width: _window(length, width - 1),
            "Your queries see one key too few. Does the window count the query itself?",
        ),
        Mistake(
            "window-both-sides",
            lambda length, width: _window(length, width) | _window(length, width).T,
            "Your window reaches as far ahead as back. Which half of it is the future?",
        ),
        Mistake(
            "window-ahead",
            lambda length, width: _window(length, width).T,
            "Your window lies ahead of the query. Which way does a sentence grow?",
        ),
        Mistake(
            "window-forgets-nothing",
            lambda length, width: causal_keep(length),
            "Your queries see all of their past. What does the width do?",
        ),
        Mistake(
            "window-without-future",
            lambda length, width: ~causal_keep(length).tril(-width),
            "What lies too far back is hidden in your table, but the future is not. Which of the "
            "two edges is missing?",
        ),
        Mistake(
            "window-first-keys",
            lambda length, width: causal_keep(length) & (torch.arange(length) < width),
            "All your queries see the first words of the sentence. Does a window stand still?",
        ),
        Mistake(
            "window-far-past",
            lambda length, width: causal_keep(length).tril(-width),
            "Your queries see what lies outside the window. Which side of the edge stays?",
        ),
        Mistake(
            "window-inverted",
            lambda length, width: ~_window(length, width),
            'Everything is the other way round. Which value means "may look"?',
        ),
        Mistake(
            "window-as-numbers",
            lambda length, width: _window(length, width).float(),
            "Zeros and ones stand in the right places. What kind of values does a keep mask hold?",
            variants=[lambda length, width: _window(length, width).long()],
        ),
    ],
    hints=[
        "Write the table for five words and a window of two by hand. How far is the left edge of "
        "a row from the diagonal?",
        "Two triangles: one ends at the diagonal, the other `width` places to its left. Which of "
        "the two may be seen, and which may not?",
    ],
)
