"""The gradient of each row of a table, with an output of its own or a tied one."""

from typing import Any

import torch
import torch.nn.functional as F
from matplotlib.figure import Figure

from tutor.display.controls import as_said
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, NEUTRAL, SERIES
from tutor.display.style import SMALL
from tutor.embedding import Vocabulary, encode_batch
from tutor.say import data, later, say

_OUTPUTS = (later("its own table"), later("tied"))

_LINE = 0.035  # of the gradient: how high a number is that stands within an outline


def rows_that_learn() -> Explorer:
    """Show the gradient of each row of a table, with an output of its own or a tied one.

    Example:
        >>> rows_that_learn().frame(output="tied").caption[:33]
        'Rows with a gradient: 9 of 9; red'
    """
    text = [["this", "is", "my", "car"], ["my", "car", "is", "red"]]
    vocabulary = Vocabulary.from_sentences(text)
    ids = [vocabulary.encode(text[0]), vocabulary.encode(["my", "bicycle"])]
    batch = encode_batch(ids, 6, vocabulary.bos_id, vocabulary.eos_id, vocabulary.pad_id)
    sizes = {output: _gradients(batch, len(vocabulary), output == "tied") for output in _OUTPUTS}

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        bars = ax.bar(range(len(vocabulary)), [0.0] * len(vocabulary), color=SERIES[0])
        others = ax.bar(range(len(bars)), [0.0] * len(bars), fill=False, edgecolor=NEUTRAL)
        others.set_label(say("with the other output"))
        tops = [
            ax.text(n, 0, "", ha="center", va="bottom", fontsize=SMALL) for n in range(len(bars))
        ]
        ax.set_xticks(range(len(vocabulary)), labels=[data(word) for word in vocabulary.words])
        ax.set(
            ylim=(0, 1.15 * max(map(max, sizes.values()))),
            ylabel=say("gradient"),
            yticks=[0, 0.1, 0.2, 0.3],
        )
        ax.legend(handles=[others], loc="upper left")

        def update(output: str) -> str:
            other = sizes[next(name for name in _OUTPUTS if name != output)]
            for place, (bar, top, size) in enumerate(zip(bars, tops, sizes[output], strict=True)):
                bar.set_height(size)
                others[place].set_height(other[place])
                bar.set_color(HIGHLIGHT if vocabulary.words[place] == "red" else SERIES[0])
                top.set(
                    text=f"{size:.2f}",
                    y=size if other[place] - size > _LINE else max(size, other[place]),
                )
            return say(
                "Rows with a gradient: {count} of {all}; red has {red:.2f}.",
                count=sum(size > 0 for size in sizes[output]),
                all=len(vocabulary),
                red=sizes[output][vocabulary.words.index("red")],
            )

        return update

    return live(
        draw,
        alt=say(
            "A bar for each word of the vocabulary: how large a gradient its row gets from two "
            "sentences. With an output of its own, words that are not in them get none. Outlines "
            "are the bars of the other output."
        ),
        size=(8.0, 2.6),
        output=as_said(_OUTPUTS),
    )


def _gradients(batch: torch.Tensor, words: int, tied: bool) -> list[float]:
    """Look a batch up, score every next word, and go back; give the size of each row's gradient."""
    generator = torch.Generator().manual_seed(2)
    with torch.inference_mode(False), torch.enable_grad():
        drawn = torch.randn(2, words, 4, generator=generator, dtype=torch.float64) / 2
        table = torch.nn.Parameter(drawn[0])
        output = table if tied else drawn[1]
        scores = table[batch[:, :-1]] @ output.T  # (B, T - 1, D) @ (D, V) -> (B, T - 1, V)
        F.cross_entropy(scores.flatten(0, 1), batch[:, 1:].flatten().clone()).backward()
    assert table.grad is not None
    sizes: list[float] = table.grad.norm(dim=1).tolist()
    return sizes
