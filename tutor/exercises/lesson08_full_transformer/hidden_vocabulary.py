"""hidden_vocabulary: which vocabularies a printed, rounded parameter count leaves open."""

from collections.abc import Callable, Mapping
from math import ceil, floor
from typing import Any

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.say import say

Range = tuple[Any, Any]
_HALF = 500_000
_MILLION = 2 * _HALF


def _range(rest: int, printed: int, d_model: int) -> tuple[int, int]:
    """Give the fewest and the most words; ceil and floor by whole numbers, so without rounding."""
    tables = (printed * _MILLION - _HALF - rest, printed * _MILLION + _HALF - rest)
    return -(-tables[0] // d_model), tables[1] // d_model


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(vocabulary: int, d_model: int, millions: int) -> Arguments:
        """Give a model with about so many millions beside its table, and no tie at either end."""
        rest = millions * _MILLION + rng.number(0, _MILLION - 1)
        printed = round((rest + vocabulary * d_model) / _MILLION)
        while any((printed * _MILLION + half - rest) % d_model == 0 for half in (-_HALF, _HALF)):
            rest += 1
        return {"rest": rest, "printed": printed, "d_model": d_model}

    return {
        "a wide model": case(rng.number(30_000, 50_000), 1024, rng.number(100, 140)),
        "a narrow model": case(rng.number(30_000, 50_000), 256, rng.number(10, 20)),
        "an odd width": case(rng.number(9_000, 20_000), rng.number(100, 160) * 2 + 1, 7),
        "two numbers a word": case(rng.number(5, 9) * _MILLION, 2, rng.number(3, 8)),
        "few words": case(rng.number(3_000, 5_000), 512, 44),
        EXAMPLE: {"rest": 44_138_496, "printed": 65, "d_model": 512},
    }


def _both_ends_print_the_number(call: Call) -> str | None:
    ends = call(44_138_496, 65, 512)
    for words in ends:
        millions = round((44_138_496 + int(words) * 512) / _MILLION)
        if millions != 65:
            return say(
                "{words} words of 512 numbers and 44138496 others make {millions} million, not 65.",
                words=int(words),
                millions=millions,
            )
    return None


def _one_word_less_or_more_does_not(call: Call) -> str | None:
    fewest, most = (int(words) for words in call(44_138_496, 65, 512))
    for words in (fewest - 1, most + 1):
        if round((44_138_496 + words * 512) / _MILLION) == 65:
            return say("{words} words would be printed as 65 million, too.", words=words)
    return None


def _built(
    half: float = _HALF, low: Callable[..., Any] = ceil, high: Callable[..., Any] = floor
) -> Callable[..., Range]:
    """Build an answer from how far rounding reaches and how the two ends become whole."""

    def answer(rest: int, printed: int, d_model: int) -> Range:
        low_end, high_end = ((printed * _MILLION + h - rest) / d_model for h in (-half, half))
        return low(low_end), high(high_end)

    return answer


hidden_vocabulary = Exercise(
    "hidden_vocabulary",
    points=2,
    reference=_range,
    cases=_cases,
    returns=("fewest", "most"),
    shapes={"d_model": "D"},
    smallest={"D": 2},
    promises={
        "an odd width": lambda rest, printed, d_model: d_model % 2 == 1,
        "more in the table than beside it": lambda rest, printed, d_model: (
            2 * rest < printed * _MILLION
        ),
    },
    properties=[
        Property("Both ends are printed as that number.", _both_ends_print_the_number),
        Property("One word fewer or more is not.", _one_word_less_or_more_does_not),
    ],
    mistakes=[
        Mistake(
            "hidden-outside-low",
            _built(low=floor),
            "Your smallest count is one word too small. If the limit lies between two whole "
            "numbers, is the one below it printed as that number?",
        ),
        Mistake(
            "hidden-outside-high",
            _built(high=ceil),
            "Your largest count is one word too large. If the limit lies between two whole "
            "numbers, is the one above it printed as that number?",
        ),
        Mistake(
            "hidden-outside-both",
            _built(low=floor, high=ceil),
            "Both ends are one word too far out. Which whole numbers lie inside the limits?",
        ),
        Mistake(
            "hidden-inside-out",
            _built(low=lambda end: ceil(end) + 1, high=lambda end: floor(end) - 1),
            "Both ends are one word too far in. Would one word further out still be printed as "
            "the same number?",
        ),
        Mistake(
            "hidden-whole-million",
            _built(half=_MILLION),
            "Your range is twice as wide as it should be. How far can a number lie from the one "
            "it is rounded to?",
        ),
        Mistake(
            "hidden-cut-off",
            lambda rest, printed, d_model: (
                ceil((printed * _MILLION - rest) / d_model),
                floor(((printed + 1) * _MILLION - 1 - rest) / d_model),
            ),
            "Your range begins at the printed number itself. Is a count cut off or rounded?",
        ),
        Mistake(
            "hidden-cut-up",
            lambda rest, printed, d_model: (
                ceil(((printed - 1) * _MILLION + 1 - rest) / d_model),
                floor((printed * _MILLION - rest) / d_model),
            ),
            "Your range ends at the printed number itself. Is a count always rounded up?",
            reason="The reverse of cutting off, seen in a review.",
        ),
        Mistake(
            "hidden-rest-after-words",
            lambda rest, printed, d_model: (
                ceil((printed * _MILLION - _HALF) / d_model) - rest,
                floor((printed * _MILLION + _HALF) / d_model) - rest,
            ),
            "You take the rest away from words. What does the rest count?",
            reason="The brackets are left out where the division is written.",
        ),
        Mistake(
            "hidden-one-end",
            lambda rest, printed, d_model: _range(rest, printed, d_model)[0],
            "Your smallest count is there. What else is asked for?",
            variants=[lambda rest, printed, d_model: _range(rest, printed, d_model)[1]],
            reason="One number is what a question about a vocabulary seems to ask for.",
        ),
        Mistake(
            "hidden-no-range",
            _built(half=0),
            "Your two ends lie together. Which other counts are printed as the same number?",
            variants=[_built(half=0, low=round, high=round), _built(half=0, low=floor)],
        ),
        Mistake(
            "hidden-rest-forgotten",
            lambda rest, printed, d_model: _range(0, printed, d_model),
            "You make words of all parameters. Which of them are not words?",
        ),
        Mistake(
            "hidden-rest-added",
            lambda rest, printed, d_model: _range(-rest, printed, d_model),
            "You have far too many words. Is the rest part of the printed number, or beside it?",
        ),
        Mistake(
            "hidden-no-width",
            lambda rest, printed, d_model: _range(rest, printed, 1),
            "That is how many numbers the table may have. How many of them does one word take?",
        ),
        Mistake(
            "hidden-two-tables",
            lambda rest, printed, d_model: _range(rest, printed, 2 * d_model),
            "You have half the words. How many tables do source, target and output share?",
        ),
        Mistake(
            "hidden-three-tables",
            lambda rest, printed, d_model: _range(rest, printed, 3 * d_model),
            "You have a third of the words. How many tables do source, target and output share?",
        ),
        Mistake(
            "hidden-not-millions",
            lambda rest, printed, d_model: (
                -((rest - printed) // d_model),
                -((rest - printed) // d_model),
            ),
            "Your numbers are below zero. In what unit is the printed number?",
        ),
        Mistake(
            "hidden-ends-exchanged",
            lambda rest, printed, d_model: _range(rest, printed, d_model)[::-1],
            "Both numbers are right. Which of them is asked for first?",
        ),
        Mistake(
            "hidden-not-whole",
            _built(low=float, high=float),
            "Your limits are right, but they are not whole numbers. Can there be a part of a word?",
        ),
        Mistake(
            "hidden-rounded",
            _built(low=round, high=round),
            "Sometimes one end is a word outside the limits. Which way must each end be rounded?",
        ),
    ],
    hints=[
        "Between which two counts does everything lie that is printed as 65 million?",
        "Take away what is not the table, then ask how many words the remaining numbers make.",
        "The limits seldom fall on whole words. At the lower one, which neighbour is inside?",
    ],
)
