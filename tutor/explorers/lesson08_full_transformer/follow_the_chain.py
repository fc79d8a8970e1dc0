"""Chains of cards: two look-ups that lead on, and a layer that may be switched off (lesson 8)."""

from functools import cache
from typing import Any, NamedTuple

import torch
from matplotlib.figure import Figure

from tutor.data.chains import LETTERS, NAMES, deal
from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.say import say
from tutor.training.chain_readers import load_chain_reader, looks_of

CHAINS = 4
CARDS = 2 * CHAINS
_LAYERS = 2
_DEALS = (4, 7)  # seeds of hands in which no letter leads back to itself


class Asked(NamedTuple):
    """One question, put to the trained network.

    Attributes:
        letter: that is asked for.
        cards: "B:n" and so on, as they lie.
        looks: (2, cards), how each layer divides its attention.
        best: the card each layer looks at most; -1 where it is switched off.
        answer, right: the letter that is said, and the one that should be.
    """

    letter: str
    cards: tuple[str, ...]
    looks: list[list[float]]
    best: list[int]
    answer: str
    right: str


@cache
def ask(hand: int, question: int, steps: int, off: int) -> Asked:
    """Put a question to the trained network, with all look-ups or one switched off.

    Args:
        hand: which deal, from 1.
        question: which of the hand's questions of this kind, from 1.
        steps: 1 or 2.
        off: the layer that is switched off, 0 for none.
    """
    seed = torch.Generator().manual_seed(_DEALS[hand - 1])
    reader, dealt = load_chain_reader(), deal(1, CHAINS, seed)
    two, from_first = dealt.two_steps[0], dealt.steps[0, CARDS:, 0] < LETTERS
    fitting = (two if steps == 2 else ~two & from_first).nonzero().flatten().tolist()
    place = sorted(fitting, key=lambda one: dealt.steps[0, CARDS + one, 0].item())[question - 1]
    with torch.inference_mode():
        said = reader(dealt.steps, off)[0, place].argmax().item()
    looks = [layer[0, place].tolist() for layer in looks_of(reader, dealt.steps, off)]
    return Asked(
        NAMES[dealt.steps[0, CARDS + place, 0]],
        tuple(f"{NAMES[a]}:{NAMES[b]}" for a, b in dealt.steps[0, :CARDS].tolist()),
        looks,
        [layer.index(max(layer)) if any(layer) else -1 for layer in looks],
        NAMES[said],
        NAMES[dealt.answers[0, place]],
    )


def follow_the_chain() -> Explorer:
    """Ask a trained network where a letter leads, and watch which card each layer looks at.

    Example:
        >>> follow_the_chain().frame(step=0).caption
        'Step 0: where does C lead in two steps?'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        cards = [d.box("", (1.2 + 1.94 * n, 5.0), width=1.5) for n in range(CARDS)]
        asked = d.box("", (1.9, 1.0), width=2.8, kind="query", name="question")
        layers = [d.box("", (x, 1.0), width=3.4, height=1.1) for x in (6.2, 10.6)]
        answer = d.box("", (14.4, 1.0), width=2.2, kind="value", name="answer")
        d.chain([asked, *layers, answer])
        links = [
            [d.link(card, layer, weight=0.0, kind="attention") for card in cards]
            for layer in layers
        ]

        def update(step: int, hand: int, question: int, steps: int, off: int) -> str:
            found = ask(hand, question, steps, off)
            asked.write(_question(found.letter, steps))
            for card, words in zip(cards, found.cards, strict=True):
                card.write(words)
                card.light(False)
            for number, (layer, row) in enumerate(zip(layers, links, strict=True), 1):
                best, weights = found.best[number - 1], found.looks[number - 1]
                is_off = off == number
                shown = step >= number and not is_off
                layer.light(step == number and not is_off)
                seen = f"{found.cards[best]} {weights[best]:.2f}" if shown else ""
                layer.write("\n".join(filter(None, [_layer_words(number, is_off), seen])))
                for link, weight in zip(row, weights, strict=True):
                    link.set(weight)
                    link.show(shown and weight > 0.05)
                if shown and step == number:
                    cards[best].light()
            answer.write(say("says {answer}", answer=found.answer) if step == 3 else "?")
            return _caption(step, steps, off, found)

        return update

    return live(
        draw,
        alt=say(
            "Eight cards in a row, a letter on each side of the colon; below, the question goes "
            "through two layers to the answer. Arrows as wide as their weights lead from the cards "
            "to the layer that looks at them."
        ),
        size=(8.0, 3.0),
        play="step",
        step=(0, 3, 1, 3),
        hand=(1, 2, 1, 1),
        question=(1, 3, 1, 1),
        steps=(1, 2, 1, 2),
        off=(0, _LAYERS, 1, 0),
    )


def _question(letter: str, steps: int) -> str:
    if steps == 1:
        return say("{letter}, one step", letter=letter)
    return say("{letter}, two steps", letter=letter)


def _layer_words(number: int, is_off: bool) -> str:
    if is_off:
        return say("layer {number}\noff", number=number)
    return say("layer {number}", number=number)


def _caption(step: int, steps: int, off: int, found: Asked) -> str:
    if step == 0:
        if steps == 1:
            return say("Step 0: where does {letter} lead in one step?", letter=found.letter)
        return say("Step 0: where does {letter} lead in two steps?", letter=found.letter)
    if step == 3:
        if found.answer == found.right:
            return say("It says {answer}: right.", answer=found.answer)
        return say("It says {answer}; right is {right}.", answer=found.answer, right=found.right)
    if off == step:
        return say("Layer {number} looks nowhere: it is switched off.", number=step)
    best = found.best[step - 1]
    return say(
        "Layer {number} looks at {card} with weight {weight}.",
        number=step,
        card=found.cards[best],
        weight=f"{found.looks[step - 1][best]:.2f}",
    )
