"""Who looks at whom in one of MiniLM's 72 heads."""

from typing import Any

from matplotlib.figure import Figure

from tutor.display.explorer import Explorer, Update, live
from tutor.explorers.lesson05_multi_head_attention.head_maps import (
    HEADS,
    LAYERS,
    HeadPicture,
    cut,
)
from tutor.models.minilm import INSTALL, attention_map, is_installed, stored_attention
from tutor.say import data, say

_NOT_STORED = "Not a stored sentence. For your own: {install}, restart the kernel"


def real_heads() -> Explorer:
    """Show who looks at whom in one of MiniLM's 72 heads, for a stored or a typed sentence.

    Example:
        >>> real_heads().frame(layer=2, head=9).caption
        'Head 2.9: largest weight between words: cat → cat .77. On [CLS]: .64 of its weight'
    """
    sentences = list(stored_attention())
    menu = [(data(_short(sentence)), sentence) for sentence in sentences]

    def draw(fig: Figure, **_start: Any) -> Update:
        picture = HeadPicture(fig)

        def update(sentence: str, typed: str, layer: int, head: int) -> str:
            wanted = typed.strip() or sentence
            if wanted not in sentences and not is_installed():
                picture.show_nothing(layer, head)
                return say(_NOT_STORED, install=INSTALL)
            return picture.show(cut(attention_map(wanted)), layer, head)

        return update

    return live(
        draw,
        alt=say(
            "At the left a map with a row for each word that asks and a column for each word "
            "looked at: the darker, the more weight. At the right the maps of all 72 heads, small, "
            "a row for each layer; a frame marks the head that is shown."
        ),
        columns=4,
        size=(8.0, 3.2),
        labels={"typed": say("or type one")},
        kept={"sentence": sentences[:2]},
        sentence=menu,
        typed="",
        layer=(0, LAYERS - 1, 1, 0),
        head=(0, HEADS - 1, 1, 2),
    )


def _short(sentence: str) -> str:
    return sentence if len(sentence) <= 44 else f"{sentence[:18]}… {sentence[-22:]}"
