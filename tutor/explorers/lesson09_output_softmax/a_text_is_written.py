"""A film of a text being written: every number between the text and its next token (lesson 9)."""

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, INK, PAPER, SERIES, colour_map, mixed
from tutor.display.style import LABEL
from tutor.explorers.lesson09_output_softmax.pieces_on_a_page import Lines, as_label
from tutor.models.raw_tokens import readable_pieces
from tutor.models.smollm_dice import BEST, Draw, Moment, film, text
from tutor.say import data, say

_STAGES = 7  # state, logits, temperature, softmax, cut, die, and the token is appended
_STATE, _LOGITS, _HEAT, _SOFTMAX, _CUT, _DIE, _APPEND = range(_STAGES)
_ROWS, _COLUMNS = 24, 24  # as which a state's 576 numbers are shown


def a_text_is_written() -> Explorer:
    """Show stage by stage how SmolLM2 writes six tokens, with its own numbers.

    Example:
        >>> a_text_is_written().frame(step=1).caption
        'Token 1: all that was read has become one row of 576 numbers'
    """
    shown = film()
    draws = text(shown.prompt, shown.thrown)[: len(shown.moments)]
    pieces = readable_pieces([each.chosen for each in draws])

    def draw(fig: Figure, **_start: Any) -> Update:
        page = Lines(fig, (0.01, 0.87, 0.98, 0.12), lines=1, pieces=len(pieces))
        state = fig.add_axes((0.015, 0.17, 0.21, 0.5))
        image = state.imshow([[0.0] * _COLUMNS] * _ROWS, cmap=colour_map("signed"), vmin=-1, vmax=1)
        state.set(xticks=[], yticks=[], title=say("state"))
        sheet = _Sheet(fig.add_axes((0.24, 0.0, 0.755, 0.84)), shown.thrown[1], shown.thrown[2])

        def update(step: int) -> str:
            number, stage = divmod(step - 1, _STAGES)
            moment, drawn = shown.moments[number], draws[number]
            appended = number + (stage == _APPEND)
            page.write(shown.prompt, pieces[:appended], appended - 1)
            scaled = moment.state / (4 * moment.state.std())  # a few numbers are far larger
            image.set_data(scaled.view(_ROWS, _COLUMNS).numpy())
            sheet.show(moment, drawn, shown.thrown[1], stage)
            return _told(stage, number + 1, moment, drawn, shown.thrown[1])

        return update

    return live(
        draw,
        alt=say(
            "At the top the text so far. Below, from left to right, the stages to its next token: "
            "a square of 576 coloured cells; eight tokens with their logits, the logits divided by "
            "the temperature, their probabilities, those left by a cut, and a line with a die."
        ),
        size=(8.0, 3.8),
        play="step",
        pace=1.5,
        step=(1, _STAGES * len(shown.moments), 1, _DIE + 1),
    )


class _Sheet:
    """The table of eight tokens, whose columns are the stages."""

    def __init__(self, ax: Axes, T: float, cut: str) -> None:
        ax.set(xlim=(0, 100), ylim=(BEST + 0.6, -1.6))
        ax.axis("off")
        heads = {
            _LOGITS: (25, say("logits")),
            _HEAT: (38, say("÷ T = {T}", T=T)),
            _SOFTMAX: (53, say("softmax")),
            _CUT: (73, say("cut: {cut}", cut=cut)),
            _DIE: (93, say("die")),
        }
        self.heads = {
            stage: ax.text(x, -1.1, words, ha="center", va="center")
            for stage, (x, words) in heads.items()
        }
        self.names = _column(ax, 17, "right")
        self.logits, self.heated = _column(ax, 28, "right"), _column(ax, 42, "right")
        self.soft = _Bars(ax, 48, SERIES[0])
        self.left = _Bars(ax, 67, SERIES[0])
        self.line = [
            ax.add_patch(Rectangle((90, 0), 6, 0, edgecolor=PAPER, facecolor=PAPER))
            for _ in range(BEST)
        ]
        (self.die,) = ax.plot([88], [0], ">", color=HIGHLIGHT, markersize=9)

    def show(self, moment: Moment, drawn: Draw, T: float, stage: int) -> None:
        for of, head in self.heads.items():
            head.set(visible=stage >= of, fontweight="bold" if stage == of else "normal")
        _write(self.names, [data(as_label(each)) for each in moment.tokens], stage >= _LOGITS)
        _write(self.logits, [f"{each:.1f}" for each in moment.logits], stage >= _LOGITS)
        _write(self.heated, [f"{each / T:.1f}" for each in moment.logits], stage >= _HEAT)
        for n, name in enumerate(self.names):
            name.set_color(HIGHLIGHT if stage >= _DIE and n == drawn.place else INK)
        shares = (moment.logits / T - moment.total).exp().tolist()
        self.soft.show(shares, stage >= _SOFTMAX, chosen=None)
        kept = drawn.shares.tolist()
        self.left.show(kept, stage >= _CUT, chosen=drawn.place if stage >= _DIE else None)
        top = 0.0
        for n, share in enumerate(kept):
            chosen = n == drawn.place
            ground = HIGHLIGHT if chosen else mixed(SERIES[0], 0.55 if n % 2 else 0.3)
            place = {"y": (BEST - 0.5) * top - 0.3, "height": (BEST - 0.5) * share}
            self.line[n].set(**place, facecolor=ground, visible=stage >= _DIE)
            top += share
        self.die.set_data([88], [(BEST - 0.5) * drawn.die - 0.3])
        self.die.set_visible(stage >= _DIE)


class _Bars:
    """A bar and its number for each of the eight tokens."""

    def __init__(self, ax: Axes, left: float, colour: str) -> None:
        self.colour, self.left = colour, left
        self.bars = [
            ax.add_patch(Rectangle((left, n - 0.32), 0, 0.64, facecolor=colour))
            for n in range(BEST)
        ]
        self.numbers = _column(ax, left, "left")

    def show(self, shares: Sequence[float], visible: bool, chosen: int | None) -> None:
        for n, (bar, number, share) in enumerate(zip(self.bars, self.numbers, shares, strict=True)):
            bar.set(width=12 * share, visible=visible)
            bar.set_facecolor(HIGHLIGHT if n == chosen else self.colour)
            shown = f"{share:.2f}".removeprefix("0") if share else "–"
            number.set(text=shown, x=self.left + 12 * share + 0.8, visible=visible)


def _column(ax: Axes, x: float, side: str) -> list[Text]:
    look: dict[str, Any] = {"ha": side, "va": "center", "fontsize": LABEL, "parse_math": False}
    return [ax.text(x, n, "", **look) for n in range(BEST)]


def _write(column: Sequence[Text], words: Sequence[str], visible: bool) -> None:
    for part, word in zip(column, words, strict=True):
        part.set(text=word.replace("-", "−"), visible=visible)


def _told(stage: int, token: int, moment: Moment, drawn: Draw, T: float) -> str:
    """Say what happens at a stage."""
    best, second = (as_label(each) for each in moment.tokens[:2])
    chosen = as_label(drawn.chosen.decode())
    ratio = (moment.logits[0] - moment.logits[1]).item()
    values = {"token": token, "best": best, "second": second}
    match stage:
        case 0:
            return say(
                "Token {token}: all that was read has become one row of 576 numbers", token=token
            )
        case 1:
            return say(
                "Token {token}: a score for each of 49,152 tokens; “{best}” leads “{second}” by "
                "{lead:.2f}",
                lead=ratio,
                **values,
            )
        case 2:
            return say(
                "Token {token}: divided by {T}, so “{best}” leads “{second}” by only {lead:.2f}",
                T=T,
                lead=ratio / T,
                **values,
            )
        case 3:
            share = (moment.logits / T - moment.total).exp()
            return say(
                "Token {token}: probabilities; the eight best hold {held:.2f}",
                token=token,
                held=share.sum().item(),
            )
        case 4:
            return say(
                "Token {token}: unlikely ones are cut off, the others share the whole; “{best}” "
                "has {share:.2f}",
                token=token,
                best=best,
                share=drawn.shares[0].item(),
            )
        case 5:
            return say(
                "Token {token}: the die says {die}, which falls on “{chosen}”",
                token=token,
                die=f"{drawn.die:.3f}",
                chosen=chosen,
            )
    return say(
        "Token {token}: “{chosen}” is appended, and the whole text is read",
        token=token,
        chosen=chosen,
    )
