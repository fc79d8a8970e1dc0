"""A trained translator with a switch on each of its three attentions, as both pictures draw it."""

from collections.abc import Mapping, Sequence
from functools import cache

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tutor.claims.runs import Runs, load_sweep
from tutor.data.cmudict import cmudict_without_words
from tutor.data.pairs import Task
from tutor.display.diagram import Diagram
from tutor.display.palette import ATTENTION, HIGHLIGHT, INK, NEUTRAL, mixed
from tutor.display.shapes import Box
from tutor.display.style import SMALL
from tutor.models.cut_attention import CROSS, CUTS, ENCODER, LOOK_BACK, written_with_cuts
from tutor.say import say
from tutor.training.experiment import load_trained
from tutor.transformer import Transformer

_MOST_TOKENS = 16  # of a target; some cuts make the model go round in circles
SHIPPED = 0  # the training whose model the course brings
_LEFT, _ROWS = 2.4, {"read": 6.45, "whole": 5.2, "now": 3.95}


@cache
def trained(name: str) -> tuple[Transformer, Task]:
    """Give a task's shipped model and the task; loaded once, of CMUdict without its words."""
    return load_trained(name, task=cmudict_without_words() if name == "cmudict" else None)


@cache
def written(name: str, text: str, cuts: tuple[str, ...]) -> tuple[str, ...]:
    """Give what a shipped model writes with some attentions cut."""
    model, task = trained(name)
    return written_with_cuts(model, task, task.read(text), cuts, most=_MOST_TOKENS)[0]


def names_of(encoder: bool, look_back: bool, cross: bool) -> tuple[str, ...]:
    """Name what is cut."""
    flags = {ENCODER: encoder, LOOK_BACK: look_back, CROSS: cross}
    return tuple(one for one in CUTS if flags[one])


def labels() -> dict[str, str]:
    """Give what stands beside the three boxes to tick."""
    return {
        "encoder": say("cut: encoder's self-attention"),
        "look_back": say("cut: decoder's self-attention"),
        "cross": say("cut: cross-attention"),
    }


def names() -> dict[str, str]:
    """Name the three attentions, in the order in which the picture has them."""
    return {
        ENCODER: say("encoder's self-attention"),
        CROSS: say("cross-attention"),
        LOOK_BACK: say("decoder's self-attention"),
    }


def counted(kinds: Sequence[str], cuts: Sequence[str]) -> dict[str, Runs]:
    """Give the stored run of each kind, of the shipped model with these cuts."""
    runs = load_sweep("three_switches").runs.at(training=SHIPPED, cut=", ".join(cuts))
    return {kind: runs.at(kind=kind) for kind in kinds}


def told(kind: str, cuts: Sequence[str]) -> str:
    """Say how many of a kind are right with these cuts."""
    (runs,) = counted([kind], cuts).values()
    asked, share = (runs.numbers(name)[0] for name in ("asked", "share"))
    return say("{right} of {asked}", right=round(asked * share), asked=int(asked))


class Tiles:
    """A row of tiles for tokens; those that differ from the tile above are coloured."""

    def __init__(self, d: Diagram, name: str, y: float, count: int, width: float) -> None:
        d.words(name, (_LEFT - 0.25, y), align="right")
        places = [_LEFT + width * (place + 0.5) for place in range(count)]
        self._boxes = [d.box("", (x, y), width=width - 0.08, height=1.05) for x in places]

    def show(self, labels: Sequence[str], before: Sequence[str] | None = None) -> None:
        """Show labels; with others to compare, colour what is not at the same place there."""
        pairs = zip(labels if before is None else before, labels, strict=False)
        kept = {place for place, (then, now) in enumerate(pairs) if then == now}
        for place, box in enumerate(self._boxes):
            box.show(place < len(labels))
            if place < len(labels):
                more = place == len(self._boxes) - 1 and len(labels) > len(self._boxes)
                box.write("…" if more else labels[place])
                box.paint(NEUTRAL if place in kept else HIGHLIGHT)


class Switches:
    """The three attentions in a row, each an arrow's way that can be cut."""

    def __init__(self, d: Diagram, words: Mapping[str, str]) -> None:
        self._boxes: dict[str, Box] = {}
        for place, (one, name) in enumerate(names().items()):
            x = 1.8 + 3.4 * place
            d.words(name, (x, 2.15), size=SMALL)
            self._boxes[one] = d.box(words[one], (x, 1.1), width=2.5, height=1.3, kind=ATTENTION)
        self._memory = d.link(self._boxes[ENCODER], self._boxes[CROSS])
        d.link(self._boxes[LOOK_BACK], self._boxes[CROSS])

    def cut(self, cuts: Sequence[str]) -> None:
        """Show which attentions are cut."""
        for one, box in self._boxes.items():
            box.empty(one in cuts)
        self._memory.show(CROSS not in cuts)


class Counts:
    """Bars: how many of each kind are right now, before those that were right with nothing cut."""

    def __init__(self, ax: Axes, labels: Mapping[str, str], title: str) -> None:
        self._kinds = [*labels]
        whole = counted(self._kinds, ())
        shares = [runs.numbers("share")[0] for runs in whole.values()]
        places = range(len(self._kinds))
        ax.barh(places, shares, height=0.7, color=mixed(NEUTRAL, 0.3))
        self._bars = ax.barh(places, shares, height=0.4, color=ATTENTION)
        self._told = [ax.text(1.05, n, "", va="center", fontsize=SMALL, color=INK) for n in places]
        ax.set(xlim=(0, 1.95), ylim=(len(self._kinds) - 0.4, -0.6), xticks=[])
        ax.set_yticks(places, labels=[*labels.values()])
        ax.set_title(title, loc="left")
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)

    def show(self, cuts: Sequence[str]) -> None:
        """Show the counts with these cuts."""
        for place, (kind, runs) in enumerate(counted(self._kinds, cuts).items()):
            self._bars[place].set_width(runs.numbers("share")[0])
            self._told[place].set_text(told(kind, cuts))


class Board:
    """The whole picture: what is read and written, the switches, and the counts."""

    def __init__(
        self,
        fig: Figure,
        words: Mapping[str, str],
        labels: Mapping[str, str],
        title: str,
        tiles: tuple[int, float],
    ) -> None:
        d = Diagram(fig)
        rows = {"read": say("read"), "whole": say("nothing cut"), "now": say("now")}
        self._rows = {row: Tiles(d, rows[row], y, *tiles) for row, y in _ROWS.items()}
        self._switches = Switches(d, words)
        self._counts = Counts(fig.add_axes((0.785, 0.05, 0.21, 0.8)), labels, title)

    def show(
        self, read: Sequence[str], whole: Sequence[str], now: Sequence[str], cuts: Sequence[str]
    ) -> None:
        """Show one text with some attentions cut."""
        self._rows["read"].show(read)
        self._rows["whole"].show(whole)
        self._rows["now"].show(now, whole)
        self._switches.cut(cuts)
        self._counts.show(cuts)
