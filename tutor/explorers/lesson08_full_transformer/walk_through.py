"""A walk through the trained model, one tensor after the other (lesson 8)."""

from typing import Any, NamedTuple

import torch
from matplotlib.figure import Figure
from torch import Tensor

from tutor.display.controls import as_data, as_said
from tutor.display.explorer import Explorer, Update, live
from tutor.explorers.lesson08_full_transformer.traced_phrase import (
    LabelledTable,
    trace_phrase,
    trained,
)
from tutor.explorers.lesson08_full_transformer.traced_sentence import read_and_written
from tutor.say import later, say

SENTENCES = ["May 3, 2024", "3 days ago", "Peru, Chad, and Togo"]


class Stage(NamedTuple):
    """A place of the walk: its name, its path in the trace, and whose words its rows are.

    Attributes:
        rows, columns: "source", "target", "written", or "crossing", word read → word written;
            columns is empty for rows of features.
    """

    name: str
    path: str
    rows: str
    columns: str = ""


STAGES = (
    Stage(later("1 source: words × √d_model"), "source_embedding", "source"),
    Stage(later("2 source: + positions"), "source_input", "source"),
    Stage(
        later("3 encoder 0: who looks at whom"),
        "encoder.layers.0.self_attention",
        "source",
        "source",
    ),
    Stage(later("4 encoder 0: after add & norm"), "encoder.layers.0.norm_self", "source"),
    Stage(later("5 encoder 0: after feed-forward"), "encoder.layers.0", "source"),
    Stage(
        later("6 encoder 1: who looks at whom"),
        "encoder.layers.1.self_attention",
        "source",
        "source",
    ),
    Stage(later("7 encoder 1: the memory"), "encoder", "source"),
    Stage(later("8 target: words + positions"), "target_input", "target"),
    Stage(later("9 decoder 0: looks back"), "decoder.layers.0.self_attention", "target", "target"),
    Stage(
        later("10 decoder 0: looks at source"),
        "decoder.layers.0.cross_attention",
        "crossing",
        "source",
    ),
    Stage(later("11 decoder 0: after feed-forward"), "decoder.layers.0", "target"),
    Stage(later("12 decoder 1: looks back"), "decoder.layers.1.self_attention", "target", "target"),
    Stage(
        later("13 decoder 1: looks at source"),
        "decoder.layers.1.cross_attention",
        "crossing",
        "source",
    ),
    Stage(later("14 decoder 1: after feed-forward"), "decoder", "target"),
    Stage(later("15 softmax of the logits"), "model", "target", "written"),
)


def walk_through() -> Explorer:
    """Walk through the trained model and see the tensor at each stage.

    Example:
        >>> walk_through().frame(stage=STAGES[0].name).caption
        'source_embedding: shape (1, 5, 128), numbers from -3.09 to 3.64.'
    """
    stages = {stage.name: stage for stage in STAGES}

    def draw(fig: Figure, **_start: Any) -> Update:
        wide = LabelledTable(fig.add_axes((0.15, 0.16, 0.82, 0.72)))
        narrow = [
            LabelledTable(fig.add_axes((0.28 + 0.18 * head, 0.28, 0.16, 0.56))) for head in range(4)
        ]

        def update(sentence: str, stage: str) -> str:
            found, place = trace_phrase(sentence), stages[stage]
            words = {
                "source": found.source,
                "target": found.decoder_input,
                "written": found.written,
                "crossing": read_and_written(found.decoder_input, found.written),
                "": (),
            }
            rows, columns = words[place.rows], words[place.columns]
            heads = place.path.endswith("attention")
            wide.ax.set_visible(not heads)
            for head, one in enumerate(narrow):
                one.ax.set_visible(heads)
                if heads:
                    weights = found.tensors[f"{place.path}.weights"][0, head]  # (T, S)
                    one.show(
                        weights, rows if head == 0 else (), columns, say("head {head}", head=head)
                    )
            if heads:
                return _weights_caption(place.path, found.tensors[f"{place.path}.weights"])
            x = found.tensors[place.path]
            if place.path == "model":
                ids = torch.tensor(trained()[1].target_words.encode(found.written))
                chance = torch.softmax(x[0], dim=-1)[:, ids]  # (T, T): columns of words written
                wide.show(chance, rows, columns, say("Chance of the words that were written"))
                return say(
                    "model: shape {x_shape}; the word written has at least {min:.2f} at every "
                    "place.",
                    x_shape=tuple(x.shape),
                    min=chance.diagonal().min(),
                )
            wide.show(
                x[0],
                rows,
                (),
                say("{x_shape}: one row of 128 numbers for each word", x_shape=tuple(x.shape)),
            )
            return say(
                "{path}: shape {x_shape}, numbers from {min:.2f} to {max:.2f}.",
                path=place.path,
                x_shape=tuple(x.shape),
                min=x.min(),
                max=x.max(),
            )

        return update

    return live(
        draw,
        alt=say(
            "The tensor at the chosen stage for the chosen phrase. Rows are words. Features are "
            "coloured from blue (negative) to red (positive); weights of attention, four heads "
            "side by side, from white (0) to full colour (1)."
        ),
        play="stage",
        sentence=as_data(SENTENCES),
        stage=(as_said(stages), STAGES[12].name),
    )


def _weights_caption(path: str, weights: Tensor) -> str:
    largest = weights.amax(-1).mean()
    return say(
        "{path}.weights: shape {weights_shape}; a row's largest is {largest:.2f} on average.",
        path=path,
        weights_shape=tuple(weights.shape),
        largest=largest,
    )
