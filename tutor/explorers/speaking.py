"""Pictures of what a real language model says, from stored values (lesson 9)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, INK, NEUTRAL, SERIES, mixed
from tutor.display.plots import Picture
from tutor.say import say
from tutor.training.smollm_excerpt import Written, beams, next_words, read, written

UNSURE, ONCE = "I don't know what to", "Once upon a time, there was a"
SENTENCE, OTHER = "Mr Dursley met Mrs Potter.", "The museum opens at nine except on Mondays."
_LOOP = 8  # pieces a turn of the loop has
_MOST = 12.0  # nats: what is as surprising as this has the full colour


def likely_next(*prompts: str) -> Picture:
    """Show the eight likeliest next words of each prompt as bars.

    Example:
        >>> likely_next("The capital of France is").caption
        'The capital of France is …: Paris 0.77, the 0.06'
    """
    found = [next_words(prompt) for prompt in prompts]

    def draw(fig: Figure) -> str:
        axes = np.atleast_1d(fig.subplots(1, len(prompts)))
        said = []
        for ax, prompt, each in zip(axes, prompts, found, strict=True):
            shares = each.log_probs[:8].exp().tolist()
            ax.barh(range(8), shares, color=SERIES[0])
            ax.set(xlim=(0, 1), ylim=(7.6, -0.6), title=f"{_broken(prompt)} …")
            ax.set_yticks(range(8), [word.strip() for word in each.words[:8]])
            for place, share in enumerate(shares):
                ax.text(share + 0.02, place, f"{share:.2f}", va="center")
            best = zip(each.words, shares[:2], strict=False)
            said.append(f"{prompt} …: {', '.join(f'{w.strip()} {p:.2f}' for w, p in best)}")
        return "; ".join(said)

    return Picture(
        draw,
        alt="Bars: the eight likeliest next words of each beginning, the likeliest at the top.",
        size=(8.0, 2.8),
    )


def the_loop() -> Explorer:
    """Show greedy search's turns one below the other, each word with its probability.

    Example:
        >>> the_loop().frame(turn=1).caption
        "Turn 1: the model gives ' to' a probability of 0.41"
    """
    text = written(UNSURE, "greedy")
    start = text.pieces.index(" I")
    turns = (len(text.pieces) - start) // _LOOP
    shares = text.log_probs[start : start + turns * _LOOP].exp().view(turns, _LOOP).numpy()
    pieces = text.pieces[start : start + _LOOP]

    def draw(fig: Figure, **_start: Any) -> Update:
        left, right = fig.subplots(1, 2, width_ratios=[3, 1.3])
        left.set(xlim=(-0.5, _LOOP - 0.5), ylim=(turns - 0.5, -0.5), ylabel="turn")
        left.set_xticks(range(_LOOP), [piece.strip() for piece in pieces])
        left.xaxis.tick_top()
        left.set_yticks(range(turns), [str(turn + 1) for turn in range(turns)])
        left.tick_params(length=0)
        left.spines[:].set_visible(False)
        rows = [_shaded_row(left, turn, row) for turn, row in enumerate(shares)]
        of_to = shares[:, pieces.index(" to")]
        (line,) = right.plot([], [], marker="o", color=HIGHLIGHT)
        right.set(xlim=(0.5, turns + 0.5), ylim=(0, 1.03), xlabel="turn", title="probability of to")
        right.set_xticks(range(1, turns + 1, 3))

        def update(turn: int) -> str:
            for number, row in enumerate(rows, 1):
                for part in row:
                    part.set_visible(number <= turn)
            line.set_data(range(1, turn + 1), of_to[:turn])
            return say(
                "Turn {turn}: the model gives ' to' a probability of {share:.2f}",
                turn=turn,
                share=float(of_to[turn - 1]),
            )

        return update

    return live(
        draw,
        alt=(
            "The same sentence again and again, one line a turn, each word on a ground the darker "
            "the likelier it was; at the right the probability of one of its words, turn by turn."
        ),
        size=(8.0, 3.4),
        play="turn",
        turn=(1, turns, 1, 1),
    )


def _shaded_row(ax: Axes, turn: int, shares: Sequence[float]) -> list[Any]:
    """Draw one turn: a tile for each piece, its probability on it."""
    parts: list[Any] = []
    for column, share in enumerate(shares):
        tile = Rectangle(
            (column - 0.48, turn - 0.44), 0.96, 0.88, facecolor=mixed(SERIES[0], 0.75 * share)
        )
        parts.append(ax.add_patch(tile))
        parts.append(ax.text(column, turn, _short(share), ha="center", va="center", fontsize=9))
    return parts


def ribbons() -> Picture:
    """Show three texts, each piece on a ground the darker the less likely the model found it.

    Example:
        >>> ribbons().caption[:40]
        'Mean surprise of a word, in nats: T 1.5:'
    """
    texts = [written(ONCE, how) for how in ("T 1.5", "T 1.5, min-p .1", "T 1, top-p .9")]

    def draw(fig: Figure) -> str:
        ax = _page(fig, lines=11)
        line = 0
        for text in texts:
            ax.text(0, line + 0.5, f"{text.how}:", va="center", fontweight="bold")
            line = _flow(ax, text, line + 1) + 1
        means = ", ".join(f"{text.how}: {-text.log_probs.mean().item():.1f}" for text in texts)
        return say("Mean surprise of a word, in nats: {means}", means=means)

    return Picture(
        draw,
        alt=(
            "Three continuations of one beginning, drawn in three ways; unlikely words stand on a "
            "dark ground. Heat without a cut has many, heat with a cut few."
        ),
        size=(8.0, 2.86),
    )


def surprises() -> Picture:
    """Show how surprising each piece of a sentence is, after another sentence and after itself.

    Example:
        >>> surprises().caption.split(":")[0]
        'Mean surprise in nats'
    """
    texts = [read(OTHER), read(SENTENCE)]

    def draw(fig: Figure) -> str:
        axes = fig.subplots(2, 1, sharex=True)
        titles = ("read after another sentence", "read after itself")
        for ax, text, title in zip(axes, texts, titles, strict=True):
            nats = (-text.log_probs).tolist()
            ax.bar(range(len(nats)), nats, color=SERIES[0])
            for place, value in enumerate(nats):
                ax.text(place, value + 0.4, f"{value:.1f}", ha="center", fontsize=9)
            ax.set(ylim=(0, 18), ylabel="nats", title=title)
        axes[1].set_xticks(range(len(texts[1].pieces)), [p.strip() for p in texts[1].pieces])
        after, again = (-text.log_probs.mean().item() for text in texts)
        return say(
            "Mean surprise in nats: after another sentence {after:.1f}, after itself {again:.1f}",
            after=after,
            again=again,
        )

    return Picture(
        draw,
        alt=(
            "Two rows of bars over the same words: tall where the sentence is new, short where the "
            "model has just read it."
        ),
        size=(8.0, 3.4),
    )


def four_beams() -> Picture:
    """Show a beam's four sentences, what they share in grey, and their log-probabilities.

    Example:
        >>> four_beams().caption.startswith("Sum of log-probabilities: beam 4:")
        True
    """
    texts = beams(ONCE)

    def draw(fig: Figure) -> str:
        of_beam = [text.pieces for text in texts if text.how.startswith("beam")]
        alike = _common_start(of_beam)
        ax = _page(fig, lines=12)
        line = 0
        for text in texts:
            total = text.log_probs.sum().item()
            ax.text(
                0,
                line + 0.5,
                f"{text.how} {total:.1f}".replace("-", "−"),
                va="center",
                fontweight="bold",
            )
            shared = alike if text.pieces in of_beam else 0
            line = _flow(ax, text, line, indent=15, grey=shared, shaded=False)
        totals = ", ".join(f"{t.how}: {t.log_probs.sum().item():.1f}" for t in texts)
        return say("Sum of log-probabilities: {totals}", totals=totals)

    return Picture(
        draw,
        alt=(
            "Four sentences of a beam that begin alike and differ in a few last words, then what "
            "greedy search and chance wrote, each with the logarithm of its probability."
        ),
        size=(8.0, 2.9),
    )


_COLUMNS = 96  # letters a line of a page holds


def _page(fig: Figure, lines: int) -> Axes:
    """Give a sheet on which a letter is one unit wide and a line one unit high."""
    ax = fig.add_axes((0.01, 0.01, 0.98, 0.98))
    ax.set(xlim=(0, _COLUMNS), ylim=(lines, 0))
    ax.axis("off")
    return ax


def _flow(
    ax: Axes, text: Written, line: int, indent: int = 0, grey: int = 0, shaded: bool = True
) -> int:
    """Write a text's pieces in lines, from a line on; give the line after the last."""
    column = indent
    for number, (piece, log_prob) in enumerate(
        zip(text.pieces, text.log_probs.tolist(), strict=True)
    ):
        shown = piece.replace("\n", "¶")
        if column + len(shown) > _COLUMNS:
            line, column = line + 1, indent
        if shaded:
            ground = mixed(HIGHLIGHT, 0.7 * min(1.0, -log_prob / _MOST))
            ax.add_patch(Rectangle((column, line + 0.05), len(shown), 0.9, facecolor=ground))
        colour = NEUTRAL if number < grey else INK
        ax.text(
            column, line + 0.5, shown, va="center", family="monospace", fontsize=9.6, color=colour
        )
        column += len(shown)
    return line + 1


def _common_start(texts: Sequence[Sequence[str]]) -> int:
    """Count the pieces with which all texts begin."""
    count = 0
    for column in zip(*texts):
        if len(set(column)) > 1:
            break
        count += 1
    return count


def _broken(prompt: str) -> str:
    """Break a long prompt in two lines."""
    words = prompt.split()
    if len(prompt) < 36:
        return prompt
    half = len(words) // 2 + 1
    return f"{' '.join(words[:half])}\n{' '.join(words[half:])}"


def _short(share: float) -> str:
    return f"{share:.2f}".removeprefix("0")
