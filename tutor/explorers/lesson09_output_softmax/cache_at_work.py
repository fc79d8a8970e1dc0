"""A KV cache at work: what is computed anew at each token, and what is kept (lesson 9)."""

from typing import Any

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT
from tutor.display.shapes import Box
from tutor.models.smollm import CONFIG
from tutor.say import later, say

_TEXT = ("The", "river", "bank", "was", "wet", "again")
_STEP = 2.0
_BYTES = 4  # of a float32
_SHARED = CONFIG.key_value_heads or CONFIG.heads


def bytes_per_token(key_value_heads: int) -> int:
    """Count the bytes that one token's keys and values take in all layers of SmolLM2.

    Example:
        >>> bytes_per_token(CONFIG.key_value_heads), bytes_per_token(CONFIG.heads)
        (46080, 138240)
    """
    d_k = CONFIG.d_model // CONFIG.heads
    return CONFIG.layers * key_value_heads * d_k * 2 * _BYTES  # 2: a key and a value


def cache_at_work() -> Explorer:
    """Write six tokens with and without a cache; count what is projected and what is kept.

    Example:
        >>> cache_at_work().frame(token=3, cache=False).caption
        'Token 3; tokens projected in this step: 3, in all: 6; nothing is kept'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        middle = 8.6
        tokens = d.tokens(list(_TEXT), at=(middle, 0.9), step=_STEP)
        rows = {
            kind: [
                d.box(say(name), (each.at[0], height), width=1.5, height=0.7, kind=kind)
                for each in tokens
            ]
            for kind, name, height in (
                ("query", later("query"), 2.4),
                ("key", later("key"), 3.6),
                ("value", later("value"), 4.6),
            )
        }
        d.words(say("framed:\ncomputed in\nthis step"), (1.6, 2.4), colour=HIGHLIGHT)
        d.words(say("KV cache"), (1.6, 4.1))
        total = d.words("", (middle, 6.0))

        def update(token: int, cache: bool, shared: bool) -> str:
            for place, each in enumerate(tokens):
                each.show(place < token)
                new = place == token - 1
                _put(rows["query"][place], place < token and (new or not cache), computed=True)
                for kind in ("key", "value"):
                    _put(rows[kind][place], place < token, computed=new or not cache)
            size = bytes_per_token(_SHARED if shared else CONFIG.heads)
            projected, in_all = (1, token) if cache else (token, token * (token + 1) // 2)
            kept = (
                say("{size:,} bytes kept per token, {all:,} so far", size=size, all=size * token)
                if cache
                else say("nothing is kept")
            )
            total.write(kept)
            return say(
                "Token {token}; tokens projected in this step: {projected}, in all: {in_all}; "
                "{kept}",
                token=token,
                projected=projected,
                in_all=in_all,
                kept=kept,
            )

        return update

    return live(
        draw,
        alt=say(
            "Tokens being written one by one; above each its query, key and value. A frame marks "
            "what is computed in this step: with a cache the newest token's alone, without one "
            "everybody's again. Keys and values stay in the cache, old queries go."
        ),
        size=(8.0, 3.4),
        play="token",
        labels={"cache": say("keep keys and values"), "shared": say("heads share keys and values")},
        token=(1, len(_TEXT), 1, 1),
        cache=True,
        shared=True,
    )


def _put(part: Box, there: bool, computed: bool) -> None:
    """Show a part or not, and light it if it is computed in this step."""
    part.show(there)
    part.light(there and computed)
