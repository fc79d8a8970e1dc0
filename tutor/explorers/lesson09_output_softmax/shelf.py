"""Keys and values on a shelf: what is computed anew at each word, and what is kept (lesson 9)."""

from typing import Any

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT
from tutor.display.shapes import Box
from tutor.models.smollm import CONFIG
from tutor.say import say

_WORDS = ("The", "river", "bank", "was", "wet", "again")
_STEP = 2.0
_BYTES = 4  # of a float32
_SHARED = CONFIG.key_value_heads or CONFIG.heads


def bytes_a_word(key_value_heads: int) -> int:
    """Count the bytes that one word's keys and values take in all layers of SmolLM2.

    Example:
        >>> bytes_a_word(CONFIG.key_value_heads), bytes_a_word(CONFIG.heads)
        (46080, 138240)
    """
    d_k = CONFIG.d_model // CONFIG.heads
    return CONFIG.layers * key_value_heads * d_k * 2 * _BYTES  # 2: a key and a value


def shelf() -> Explorer:
    """Write six words with and without a store; count what is projected and what is kept.

    Example:
        >>> shelf().frame(word=3, store=False).caption
        'Word 3; words projected in this step: 3, in all: 6; nothing is kept'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        middle = 8.6
        words = d.tokens(list(_WORDS), at=(middle, 0.9), step=_STEP)
        rows = {
            kind: [
                d.box(name, (word.at[0], height), width=1.5, height=0.7, kind=kind)
                for word in words
            ]
            for kind, name, height in (
                ("query", "query", 2.4),
                ("key", "key", 3.6),
                ("value", "value", 4.6),
            )
        }
        d.words("framed:\ncomputed in\nthis step", (1.6, 2.4), colour=HIGHLIGHT)
        d.words("the shelf", (1.6, 4.1))
        total = d.words("", (middle, 6.0))

        def update(word: int, store: bool, shared: bool) -> str:
            for place, token in enumerate(words):
                token.show(place < word)
                new = place == word - 1
                _put(rows["query"][place], place < word and (new or not store), computed=True)
                for kind in ("key", "value"):
                    _put(rows[kind][place], place < word, computed=new or not store)
            size = bytes_a_word(_SHARED if shared else CONFIG.heads)
            projected, in_all = (1, word) if store else (word, word * (word + 1) // 2)
            kept = (
                say("{size:,} bytes kept for a word, {all:,} so far", size=size, all=size * word)
                if store
                else say("nothing is kept")
            )
            total.write(kept)
            return say(
                "Word {word}; words projected in this step: {projected}, in all: {in_all}; {kept}",
                word=word,
                projected=projected,
                in_all=in_all,
                kept=kept,
            )

        return update

    return live(
        draw,
        alt=(
            "Words being written one by one; above each its query, key and value. A frame marks "
            "what is computed in this step: with a store the newest word's alone, without one "
            "everybody's again. Keys and values stay on the shelf, old queries go."
        ),
        size=(8.0, 3.4),
        play="word",
        labels={"store": "keep keys and values", "shared": "heads share keys and values"},
        word=(1, len(_WORDS), 1, 1),
        store=True,
        shared=True,
    )


def _put(part: Box, there: bool, computed: bool) -> None:
    """Show a part or not, and light it if it is computed in this step."""
    part.show(there)
    part.light(there and computed)
