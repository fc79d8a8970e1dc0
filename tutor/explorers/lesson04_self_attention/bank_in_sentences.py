"""Where *bank* looks in sentences, stored or typed."""

from typing import Any

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.lettering import short
from tutor.explorers.bank_sentences import LESSON_2
from tutor.explorers.lesson04_self_attention.looks_of_bank import BankArcs, weights_from
from tutor.models.minilm import (
    INSTALL,
    is_installed,
    stored_bank,
    word_in_context,
)
from tutor.say import say

_MOST_TOKENS = 12


def bank_in_sentences() -> Explorer:
    """See where *bank* looks in lesson 2's sentences, or in one of the reader's own.

    Example:
        >>> bank_in_sentences().frame(sentence="He ran to the bank for the money").caption
        'In head 0.4 bank looks most at “[CLS]”: 0.24. Of the words it looks most at “the”: 0.15'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        looks = BankArcs(Diagram(fig), _MOST_TOKENS, y=1.6)

        def update(sentence: str, typed: str) -> str:
            wanted = typed.strip() or sentence
            if wanted not in stored_bank() and not is_installed():
                looks.clear()
                return say("For a sentence of your own: {how}", how=INSTALL)
            try:
                found = stored_bank().get(wanted) or word_in_context("bank", wanted)
            except ValueError:  # the explorer goes on with the next sentence
                looks.clear()
                return say("The word bank is not in this sentence.")
            looks.show(found)
            weights = weights_from(found)
            most = max(range(1, len(weights) - 1), key=lambda place: weights[place])
            return say(
                "In head 0.4 bank looks most at “{first}”: {share}. Of the words it looks most at "
                "“{word}”: {weight}",
                first=found.tokens[weights.index(max(weights))],
                share=short(max(weights)),
                word=found.tokens[most],
                weight=short(weights[most]),
            )

        return update

    return live(
        draw,
        alt=(
            "The words of a sentence as tiles; from bank arcs go to all of them, each as wide as "
            "its share of bank's attention in one head."
        ),
        size=(8.0, 2.6),
        columns=1,
        labels={"typed": "your own, with the word bank"},
        sentence=list(LESSON_2),
        typed="",
    )
