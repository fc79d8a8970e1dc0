"""Two heads in relay in the letter model: one writes a label, one finds it and copies a letter."""

from functools import cache
from typing import Any, NamedTuple

import torch
from matplotlib.figure import Figure

from tutor.display.controls import as_said
from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT
from tutor.display.style import SMALL, TITLE
from tutor.explorers.lesson05_multi_head_attention.letter_heads import (
    copying,
    looking_back,
    means,
    right_with_map,
    right_without,
)
from tutor.say import later, say
from tutor.training.letters import (
    Head,
    handed_map,
    ids_of,
    load_letters,
    scores_of,
    switched_off,
    text_of,
    weights_of,
)

TEXT = "rtbngemprtb"
_EARLIER, _ANSWER, _LAST = 2, 3, 10  # the first b, what followed it, the b that asks
_LOWER, _UPPER, _LETTERS = 3.0, 5.0, 1.6
_CUTS = (
    *(later("nothing"), later("the label")),
    *(later("the label, map given"), later("what moves")),
)


class _Run(NamedTuple):
    """What the model does with one lane cut.

    Attributes:
        label: weight of the best head of layer 0 from the answer's letter on the one before.
        finds: mean weight of the copying heads of layer 1 from the last letter on the answer.
        best: the three letters it finds most probable, with their probabilities.
        right: share right over many texts.
    """

    label: float
    finds: float
    best: list[tuple[str, float]]
    right: float


def relay() -> Explorer:
    """Follow a letter through two heads in relay, and cut either lane.

    Example:
        >>> relay().caption
        'Cut: nothing. Layer 1 puts .99 on n and predicts n; in 128 texts 1.00 are right'
    """
    runs = {cut: _run(cut) for cut in _CUTS}

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        tiles = d.tokens([*TEXT], at=(5.8, _LETTERS), step=1.02)
        answer, last = tiles[_ANSWER], tiles[_LAST]
        label = d.box(say("after b"), (answer.at[0], _LOWER), width=1.5, height=0.62, kind="key")
        asks = d.box(
            say("where is\nafter b?"), (last.at[0], _UPPER), width=1.8, height=0.95, kind="query"
        )
        writes = d.link(tiles[_EARLIER], label, kind="key", via=[(tiles[_EARLIER].top[0], _LOWER)])
        rises = d.link(last, asks, kind="query")
        finds = d.link(asks, label, kind="attention", via=[(label.top[0], _UPPER)])
        # Attention writes only into rows that exist: the letter comes into the row of the last b.
        moves = d.link(answer, last, kind="value", via=[(answer.at[0], 0.7), (last.at[0], 0.7)])
        says = d.link(last, (12.9, _LETTERS), kind="value")
        names = [
            d.words(say("layer 0 writes a label"), (1.55, 3.75), colour="key"),
            d.words(say("layer 1 finds it"), (6.6, 5.4), colour="attention"),
            d.words(say("copies the letter"), (7.6, 0.3), colour="value"),
        ]
        weights = [
            d.words("", (tiles[_EARLIER].at[0] - 0.55, _LOWER), size=SMALL),
            d.words("", ((answer.at[0] + last.at[0]) / 2, _UPPER - 0.4), size=SMALL),
        ]
        crosses = [
            d.words(say("cut"), place, size=TITLE, colour=HIGHLIGHT)
            for place in ((tiles[_EARLIER].at[0] - 0.6, 2.35), (9.6, 1.0))
        ]
        d.words(say("next letter"), (14.5, 5.4))
        bars = [d.bar((13.5 + place, 1.6), width=0.7, full=3.0) for place in range(3)]
        letters = [d.words("", (13.5 + place, 1.1), size=TITLE) for place in range(3)]

        def update(step: int, cut: str) -> str:
            run = runs[cut]
            no_label, no_move = "label" in cut, cut == "what moves"
            for parts, first in (
                ((writes, label, names[0], weights[0]), 2),
                ((rises, asks, finds, names[1], weights[1]), 3),
                ((moves, says, names[2], *bars, *letters), 4),
            ):
                for part in parts:
                    part.show(step >= first)
            for part in (writes, label):
                part.fade(no_label)
            finds.fade(run.finds < 0.5)
            for part in (moves, says):
                part.fade(run.best[0][0] != TEXT[_ANSWER])
            crosses[0].show(no_label and step >= 2)
            crosses[1].show(no_move and step >= 4)
            weights[0].write("" if no_label else _short(run.label))
            weights[1].write(
                say("given: {weight}", weight=_short(run.finds))
                if cut.endswith("given")
                else _short(run.finds)
            )
            for bar, letter, (name, chance) in zip(bars, letters, run.best, strict=True):
                bar.set(chance, _short(chance))
                letter.write(name)
            return say(
                "Cut: {cut}. Layer 1 puts {weight} on {answer} and predicts {letter}; in 128 texts "
                "{right} are right",
                cut=say(cut),
                weight=_short(run.finds),
                answer=TEXT[_ANSWER],
                letter=run.best[0][0],
                right=f"{run.right:.2f}",
            )

        return update

    return live(
        draw,
        alt=say(
            "Letters in a row; the last b asks what comes next. A lane in layer 0 writes “after b” "
            "over the letter that followed the first b. In layer 1 the last b finds that label, "
            "and a lane below copies the letter into the row of the last b. From there an arrow "
            "leads to the three most probable letters, at the right."
        ),
        size=(8.0, 3.05),
        play="step",
        labels={"cut": say("cut")},
        kept={"step": [2, 3, 4]},
        step=(1, 4, 1, 4),
        cut=as_said(_CUTS),
    )


@cache
@torch.inference_mode()
def _run(cut: str) -> _Run:
    model, ids = load_letters(), ids_of(TEXT)
    off: tuple[Head, ...] = {"nothing": (), "what moves": copying()}.get(cut, looking_back())
    whole = weights_of(model, ids)[1]  # layer 1's, with all heads on
    with switched_off(model, off, means()):
        looks = weights_of(model, ids)[:, 0]  # (layers, heads, T, T)
        if cut.endswith("given"):
            looks[1] = whole[0]
            with handed_map(model, 1, whole):
                scores = scores_of(model, ids)
        else:
            scores = scores_of(model, ids)
    best = torch.softmax(scores[0, -1], dim=-1).topk(3)
    copiers = [head for _, head in copying()]
    return _Run(
        label=looks[0, :, _ANSWER, _EARLIER].max().item(),
        finds=looks[1, copiers, _LAST, _ANSWER].mean().item(),
        best=[
            (text_of(number[None]), chance.item())
            for chance, number in zip(best.values, best.indices, strict=True)
        ],
        right=right_with_map(off) if cut.endswith("given") else right_without(off),
    )


def _short(share: float) -> str:
    return f"{share:.2f}".removeprefix("0")
