"""English phrases become Korean ones while some of the three attentions are cut."""

from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure

from tutor.display.controls import as_data
from tutor.display.explorer import Explorer, Update, live
from tutor.explorers.lesson08_full_transformer.three_switches import (
    Board,
    labels,
    names_of,
    told,
    written,
)
from tutor.models.cut_attention import CROSS, ENCODER, LOOK_BACK
from tutor.say import data, say

_TASK, _SLOTS = "phrasebook-ko", 7
_PHRASES = ["Germany, France, and Japan", "May 5, 2024", "3 days ago", "in 3 days", "17 euros"]


def switches_on_phrases() -> Explorer:
    """Cut attentions of the model that writes Korean phrases, and see what it writes.

    Example:
        >>> switches_on_phrases().caption
        '독일, 및 및 (Germany, and and); lists of 2 right: 0 of 28.'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        board = Board(fig, _attentions(), _kinds(), say("new phrases right"), (_SLOTS, 1.16))

        def update(phrase: str, encoder: bool, look_back: bool, cross: bool) -> str:
            cuts = names_of(encoder, look_back, cross)
            whole, now = (words_of(written(_TASK, phrase, some)) for some in ((), cuts))
            board.show([data(word) for word in phrase.split()], tiles(whole), tiles(now), cuts)
            return say(
                "{now} ({meant}); lists of 2 right: {count}.",
                now=" ".join(now[:_SLOTS]),
                meant=" ".join(_meaning(word) for word in now[:_SLOTS]),
                count=told("list2", cuts),
            )

        return update

    return live(
        draw,
        alt=say(
            "Tiles: the English words read, the Korean ones written with nothing cut, and those "
            "written now, coloured where they differ, each with its meaning. Below, the three "
            "attentions, a cut one dashed and empty. Right, bars: how many new phrases of a kind "
            "come out right."
        ),
        size=(8.0, 3.6),
        columns=2,
        labels=labels(),
        phrase=as_data(_PHRASES),
        encoder=False,
        look_back=True,
        cross=False,
    )


def _attentions() -> dict[str, str]:
    """Say of each attention who looks at whom."""
    return {
        ENCODER: say("English looks\nat English"),
        CROSS: say("Korean looks\nat English"),
        LOOK_BACK: say("Korean looks\nback"),
    }


def _kinds() -> dict[str, str]:
    """Name the kinds of phrases that were counted."""
    return {
        "list2": say("lists of 2"),
        "list4": say("lists of 4"),
        "list6": say("lists of 6"),
        "date": say("dates"),
        "relative": say("3 days ago"),
        "money": say("money"),
    }


def words_of(tokens: Sequence[str]) -> list[str]:
    """Join tokens to what is written without a space: endings, and commas.

    Example:
        >>> words_of(["5", "##월", "및", "독일", ","])
        ['5월', '및', '독일,']
    """
    words: list[str] = []
    for token in tokens:
        if words and (token == "," or token.startswith("##")):
            words[-1] += token.removeprefix("##")
        else:
            words.append(token.removeprefix("##"))
    return words


def tiles(words: Sequence[str]) -> list[str]:
    r"""Give each word with its meaning below.

    Example:
        >>> tiles(["독일,", "2024년"])
        ['독일,\nGermany', '2024년\n2024 year']
    """
    return [f"{data(word)}\n{_meaning(word).rstrip(',')}" for word in words]


def _meanings() -> dict[str, str]:
    """Give the meaning of each Korean word that these phrases can become."""
    return {
        "독일": say("Germany"),
        "프랑스": say("France"),
        "일본": say("Japan"),
        "및": say("and"),
        "전": say("ago"),
        "후": say("from now"),
        "유로": say("euros"),
        "솔로몬": say("Solomon"),
        "제도": say("Islands"),
        "북부": say("Northern"),
        "사미어": say("Sami"),
        "코사어": say("Xhosa"),
        "마르티니크": say("Martinique"),
        "중앙": say("Central"),
        "아프리카": say("Africa"),
        "년": say("year"),
        "월": say("month"),
        "일": say("day"),
    }


def _meaning(word: str) -> str:
    """Give a word's meaning, its comma kept; a number means itself, before its endings."""
    bare, comma = word.rstrip(","), "," * word.count(",")
    meanings = _meanings()
    if bare in meanings:
        return meanings[bare] + comma
    number, endings = bare.rstrip("년월일"), bare.lstrip("0123456789")
    known = [meanings[one] for one in endings if one in meanings]
    return " ".join([number, *known]).strip() + comma
