"""Letters become sounds while some of the three attentions are cut."""

import re
from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure

from tutor.display.explorer import Explorer, Update, live
from tutor.explorers.lesson08_full_transformer.three_switches import (
    Board,
    labels,
    names_of,
    told,
    written,
)
from tutor.models.cut_attention import CROSS, ENCODER, LOOK_BACK
from tutor.say import say

_TASK = "cmudict"
_MOST_LETTERS = 12
_MOST_SAID = 8  # sounds, in the caption
_COUNTED = {
    "sh": "sh → SH",
    "th": "th → TH",
    "ph": "ph → F",
    "ch": "ch → CH",
    "a…e": "a…e → EY",
    "b": "b → B",
}


def switches_on_letters() -> Explorer:
    """Cut attentions of the model that says English words, and see what it says.

    Example:
        >>> switches_on_letters().caption
        'shut: S UW T; nothing cut: SH AH T; SH for sh in 2 of 59 new words.'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        words = {
            ENCODER: say("letters look\nat letters"),
            CROSS: say("sounds look\nat letters"),
            LOOK_BACK: say("sounds look\nback"),
        }
        board = Board(fig, words, _COUNTED, say("new words\nwith this sound"), (12, 0.66))

        def update(word: str, encoder: bool, look_back: bool, cross: bool) -> str:
            letters = re.sub("[^a-z]", "", word.lower())[:_MOST_LETTERS]
            if not letters:
                board.show([], [], [], ())
                return say("Type a word of the letters a to z.")
            cuts = names_of(encoder, look_back, cross)
            whole, now = written(_TASK, letters, ()), written(_TASK, letters, cuts)
            board.show([*letters], whole, now, cuts)
            return say(
                "{word}: {now}; nothing cut: {whole}; SH for sh in {count} new words.",
                word=letters,
                now=_short(now),
                whole=_short(whole),
                count=told("sh", cuts),
            )

        return update

    return live(
        draw,
        alt=say(
            "Tiles: the letters read, the sounds written with nothing cut, and those written now, "
            "coloured where they differ. Below, the three attentions, a cut one dashed and empty. "
            "Right, bars: in how many new words with a sound it is still written."
        ),
        size=(8.0, 3.6),
        columns=2,
        labels=labels(),
        kept={"word": ["shut", "push", "arthur", "roof", "committee"]},
        word="shut",
        encoder=True,
        look_back=False,
        cross=False,
    )


def _short(sounds: Sequence[str]) -> str:
    """Write sounds, of many the first."""
    more = ["…"] if len(sounds) > _MOST_SAID else []
    return " ".join([*sounds[:_MOST_SAID], *more])
