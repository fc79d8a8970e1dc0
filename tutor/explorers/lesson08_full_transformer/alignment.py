"""A typed phrase, its translation, and where each written word looked in the source."""

from typing import Any

from matplotlib.figure import Figure

from tutor.data.phrasebook import tokenise
from tutor.display.controls import as_said
from tutor.display.explorer import Explorer, Update, live
from tutor.embedding import EOS
from tutor.explorers.lesson08_full_transformer.traced_phrase import (
    MOST_WORDS,
    LabelledTable,
    TracedPhrase,
    trace_phrase,
    trained,
)
from tutor.explorers.lesson08_full_transformer.traced_sentence import read_and_written
from tutor.say import later, say

_CAPTION = 120

_HEADS = (
    later("mean of all"),
    *(later("head 0"), later("head 1"), later("head 2"), later("head 3")),
)


def alignment() -> Explorer:
    """Type a phrase; see its translation, and where each written word looked in the source.

    Example:
        >>> alignment().frame(phrase="3 days ago").caption
        '3일 전; 4 tokens read, 4 written'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        table = LabelledTable(fig.add_axes((0.32, 0.3, 0.62, 0.6)))

        def update(phrase: str, layer: int, heads: str) -> str:
            found = trace_phrase(phrase)
            weights = found.tensors[f"decoder.layers.{layer}.cross_attention.weights"][0]
            shown = weights.mean(0) if heads == "mean of all" else weights[int(heads[-1])]
            rows = read_and_written(found.decoder_input, found.written)
            title = say("Word read → word written: where it looked")
            table.show(shown, rows, found.source, title)
            return _alignment_caption(phrase, found)

        return update

    return live(
        draw,
        alt=say(
            "A table with a row for each word the model read and the one it wrote then, and a "
            "column for each word of the phrase. The darker a cell, the more it looked there."
        ),
        kept={"phrase": ["Peru, Chad, and Togo", "3 days ago", "May zebra, 2024"]},
        phrase="May 3, 2024",
        layer=([0, 1], 1),
        heads=as_said(_HEADS),
    )


def _alignment_caption(phrase: str, found: TracedPhrase) -> str:
    """Say what was written, from how many tokens to how many, and what the model could not read."""
    _, task = trained()
    written = task.join([word for word in found.written if word != EOS]) or "(nothing)"
    sizes = say(
        "{source} tokens read, {written} written",
        source=len(found.source),
        written=len(found.written),
    )
    words = tokenise(phrase)
    unknown = [word for word in dict.fromkeys(words) if word not in task.source_words]
    notes = [say("unknown: {unknown}", unknown=", ".join(unknown))] if unknown else []
    if len(words) > MOST_WORDS:
        notes.append(say("only the first {most_words} words are read", most_words=MOST_WORDS))
    caption = "; ".join([written, sizes, *notes])
    return caption if len(caption) <= _CAPTION else f"{caption[: _CAPTION - 1]}…"
