"""The café's cards: four memories answer for every guest, and one of them shows where it looks."""

from typing import Any

import torch
from matplotlib.figure import Figure

from tutor.data.cards import DRINK_NAMES, GUEST_NAMES, commonest, deal
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import STATUS, colour_map
from tutor.explorers.lesson01_rnn_limits.right_by_cards import HANDS
from tutor.say import say
from tutor.training.card_readers import CardReader, LookBack, load_card_readers

_NAMED = 8  # guests whose names fit beside the map
_SHOWN = {
    "GRU": say("GRU"),
    "LSTM": say("LSTM"),
    "matrix": say("matrix state"),
    "attention": say("attention"),
}


@torch.inference_mode()
def _looks(reader: CardReader, steps: torch.Tensor) -> torch.Tensor:
    """Give how the questions of one hand divide their attention among the cards."""
    x = reader.guests(steps[..., 0]) + reader.drinks(steps[..., 1])
    assert isinstance(reader.memory, LookBack)
    weights = reader.memory.weights(x)[0]  # (2N, 2N)
    cards = steps.size(1) // 2
    return weights[cards:, :cards]


def cards_dealt() -> Explorer:
    """Deal a hand, let four trained networks answer every question, and show where one looks.

    Example:
        >>> cards_dealt().frame(cards=2, hand=1).caption
        'Right of 2: GRU 0, LSTM 2, matrix state 2, attention 2; the commonest drink: 1.'
    """
    readers = load_card_readers()

    def draw(fig: Figure, **_start: Any) -> Update:
        left, right = fig.subplots(1, 2, width_ratios=[1.0, 1.25])
        image = left.imshow([[0.0]], cmap=colour_map("attention"), vmin=0, vmax=1, aspect="auto")
        left.set(
            xlabel="card: who has what", ylabel="who is asked for", title="where attention looks"
        )
        marks = {memory: right.scatter([], [], s=40, marker="s") for memory in readers}
        right.set(
            xlim=(0, 1), ylim=(-0.6, len(readers) - 0.4), xticks=[], xlabel="question by question"
        )
        right.set_yticks(range(len(readers)), [_SHOWN[memory] for memory in readers])
        right.set_title("filled: right; hollow: wrong")
        right.invert_yaxis()

        def update(cards: int, hand: int) -> str:
            steps, answers = deal(1, cards, torch.Generator().manual_seed(100 * cards + hand))
            with torch.inference_mode():
                right_ones = {m: (r(steps).argmax(-1) == answers)[0] for m, r in readers.items()}
            for row, (memory, hits) in enumerate(right_ones.items()):
                where = [((number + 0.5) / cards, row) for number in range(cards)]
                colours = [STATUS["right"] if hit else STATUS["wrong"] for hit in hits.tolist()]
                fills = [c if hit else "none" for c, hit in zip(colours, hits.tolist())]
                marks[memory].set(
                    sizes=[1400 / max(8, cards)],
                    offsets=where,
                    edgecolors=colours,
                    facecolors=fills,
                )
            image.set_data(_looks(readers["attention"], steps).numpy())
            image.set_extent((-0.5, cards - 0.5, cards - 0.5, -0.5))
            _name(left, steps[0].tolist(), cards)
            return say(
                "Right of {cards}: {counts}; the commonest drink: {commonest}.",
                cards=cards,
                counts=", ".join(
                    f"{_SHOWN[memory]} {int(hits.sum())}" for memory, hits in right_ones.items()
                ),
                commonest=round(cards * commonest(answers)),
            )

        return update

    return live(
        draw,
        alt=(
            "Left, a table of questions by cards: attention has one dark cell in every row, the "
            "card of the guest who is asked for. Right, a square for every question and memory, "
            "filled where the answer is right: attention's and the matrix state's are, most of "
            "the GRU's and the LSTM's are not."
        ),
        size=(8.0, 3.6),
        cards=(HANDS, 8),
        hand=(1, 20, 1, 1),
    )


def _name(ax: Any, steps: list[list[int]], cards: int) -> None:
    """Write guests and drinks beside the map, where they fit."""
    few = cards <= _NAMED
    told, asked = steps[:cards], steps[cards:]
    columns = [f"{GUEST_NAMES[g]}\n{DRINK_NAMES[d]}" for g, d in told]
    ax.set_xticks(range(cards) if few else [], columns if few else [], fontsize=6.5)
    ax.set_yticks(
        range(cards) if few else [], [GUEST_NAMES[g] for g, _ in asked] if few else [], fontsize=8
    )
