"""Grouped queries in a real model: which heads share keys and values, and what that saves."""

from typing import Any

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.parts import Part
from tutor.models.smollm import CONFIG
from tutor.say import say

PARAMETERS = 134_515_008  # of SmolLM2-135M
_HEADS, _WIDTH = CONFIG.heads, CONFIG.d_model // CONFIG.heads
_BYTES, _MEGABYTE = 2, 1e6  # of a number, as such models are kept
_MODEL = PARAMETERS * _BYTES / _MEGABYTE
_SETS = (9, 3, 1)
_TOKENS = (1024, 2048, 4096, 8192)
_TOP, _BOTTOM = 5.0, 1.9


def grouped_queries() -> Explorer:
    """Let heads of SmolLM2 share keys and values, and compare the cache with the model itself.

    Example:
        >>> grouped_queries().caption
        '9 sets, 8,192 tokens: 34,560 numbers per token, 566 MB in all. The model itself is 269 MB'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        places = [1.0 + 1.12 * head for head in range(_HEADS)]
        d.words(say("queries: a set for each head"), (5.5, 5.85), colour="query")
        d.words(say("keys and values"), (5.5, 0.95), colour="key")
        queries = [
            d.box(str(head), (x, _TOP), width=0.9, kind="query") for head, x in enumerate(places)
        ]
        shared = {sets: _sets_of(d, queries, sets) for sets in _SETS}
        look: dict[str, Any] = {"width": 1.2, "full": 4.2, "limit": 600.0}
        cache = d.bar((12.4, 1.1), name=say("cache"), kind="key", **look)
        model = d.bar((14.6, 1.1), name=say("model"), kind="neutral", **look)
        model.set(_MODEL, _megabytes(_MODEL))
        d.words(say("cache"), (12.4, 0.6))
        d.words(say("the model"), (14.6, 0.6))

        def update(sets: int, tokens: int) -> str:
            for number, parts in shared.items():
                for part in parts:
                    part.show(number == sets)
            per_token = 2 * CONFIG.layers * sets * _WIDTH  # keys and values
            size = per_token * tokens * _BYTES / _MEGABYTE
            cache.set(size, _megabytes(size))
            return say(
                "{sets} sets, {tokens} tokens: {numbers} numbers per token, {size} MB in all. The "
                "model itself is {model} MB",
                sets=sets,
                tokens=f"{tokens:,}",
                numbers=f"{per_token:,}",
                size=f"{size:.0f}",
                model=f"{_MODEL:.0f}",
            )

        return update

    return live(
        draw,
        alt=say(
            "Left, nine boxes of queries over the sets of keys and values that they use: a set for "
            "each head, for each three, or one for all. Right, two bars: the memory of the keys "
            "and values that are kept, and of the model itself."
        ),
        size=(8.0, 3.2),
        labels={"sets": say("sets of keys and values")},
        sets=([*_SETS], 9),
        tokens=([*_TOKENS], 8192),
    )


def _sets_of(d: Diagram, queries: list[Any], sets: int) -> list[Part]:
    """Draw so many sets, each under the middle of its heads, with an arrow from each head."""
    together = len(queries) // sets
    parts: list[Part] = []
    for number in range(sets):
        group = queries[number * together : (number + 1) * together]
        middle = sum(query.at[0] for query in group) / together
        box = d.box(str(number), (middle, _BOTTOM), width=0.9, kind="key")
        parts += [box, *(d.link(query, box, kind="attention") for query in group)]
    return parts


def _megabytes(size: float) -> str:
    return say("{size} MB", size=f"{size:.0f}")
