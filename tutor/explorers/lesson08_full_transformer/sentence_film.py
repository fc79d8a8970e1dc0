"""Lesson 8's film: *I love her* is read and written, with every tensor on the way."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from matplotlib.figure import Figure
from torch import Tensor

from tutor.display.controls import as_data
from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.matrix import Matrix
from tutor.display.palette import SERIES
from tutor.display.style import SMALL, TITLE
from tutor.explorers.lesson08_full_transformer.traced_sentence import (
    TracedSentence,
    glossed,
    read_and_written,
    trace_sentence,
)
from tutor.explorers.lesson08_full_transformer.translator_maps import (
    BACK,
    LOOKS,
    OVER,
    AllMaps,
    Heads,
    fill,
)
from tutor.say import data, later, say

SENTENCES = ["I love her", "they know him", "her love I"]
_RUNS = 4  # of the decoder: three words and <eos>
_TOP, _ROW = 5.0, 0.72  # where the first row of every tensor stands; from one row to the next
_LEFT, _RIGHT = 2.4, 8.9  # where tensors begin, of the encoder and of the decoder
_BARS = 5


class FilmStep(NamedTuple):
    """A stop of the film: which box of the model is lit, and what came out of it.

    Attributes:
        box: its number in the strip of boxes.
        path: of the tensor in the trace; "" for words.
        axes: of what came out.
        says: what happened there.
    """

    box: int
    path: str
    axes: str
    says: str


_WORDS, _SELF, _FEED = later("words"), later("self-att."), later("feed-forward")
_ENCODER_BOXES = (_WORDS, later("+ positions"), _SELF, _FEED, later("memory"))
_DECODER_BOXES = (_WORDS, _SELF, later("cross-att."), _FEED, later("logits"))
_LAYER, _ROWS = "encoder.layers.0", "(B, S, D)"
ENCODER = (
    FilmStep(0, "", "(B, S)", later("each word is a number in the vocabulary")),
    FilmStep(0, "source_embedding", _ROWS, later("each number is a row of the table, times √32")),
    FilmStep(
        1, "source_input", _ROWS, later("plus sines and cosines: the place is in the row now")
    ),
    FilmStep(2, LOOKS, "(B, h, S, S)", later("who looks at whom, in two heads")),
    FilmStep(2, f"{_LAYER}.norm_self", _ROWS, later("what was found is added, then the norm")),
    FilmStep(
        3,
        f"{_LAYER}.feed_forward.activation",
        "(B, S, d_ff)",
        later("each row alone, 64 wide, nothing below 0"),
    ),
    FilmStep(4, "encoder", _ROWS, later("back to 32, added, norm: the memory, made once")),
)
DECODER = (
    FilmStep(
        0, "target_input", "(B, T, D)", later("one row more: table times √32, plus positions")
    ),
    FilmStep(1, BACK, "(B, h, T, T)", later("one row more: it looks back")),
    FilmStep(2, OVER, "(B, h, T, S)", later("one row more: it looks at the memory")),
    FilmStep(3, "decoder", "(B, T, D)", later("feed-forward, added, norm")),
    FilmStep(4, "", "(B, T, V)", later("a score for each word, then softmax; the best is written")),
)
STEPS = len(ENCODER) + _RUNS * len(DECODER) + 1


def sentence_film() -> Explorer:
    """Follow a sentence through the trained translator, tensor by tensor.

    Example:
        >>> film = sentence_film()
        >>> film.frame(step=7).caption
        'encoder, memory: (1, 4, 32), back to 32, added, norm: the memory, made once'
        >>> film.frame(step=STEPS).caption
        'runs: encoder 1, decoder 4; written 나는 (I) 그녀를 (her) 사랑한다 (love)'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        strips = [
            _Strip(d, later("encoder: run {runs}"), _ENCODER_BOXES, 7.7),
            _Strip(d, later("decoder: run {runs}"), _DECODER_BOXES, 6.85),
        ]
        shape = d.words("(1, 4, 32)", (14.4, 7.6), size=TITLE)
        axes = d.words("(B, S, D)", (14.4, 6.9), size=TITLE)
        source = [d.box("", (1.1, _y(row)), width=1.5, height=0.5) for row in range(4)]
        numbers = [d.words("", (2.3, _y(row)), size=TITLE, align="left") for row in range(4)]
        encoder, decoder, maps = _EncoderSide(d), _DecoderSide(d), AllMaps(d)

        def update(sentence: str, step: int) -> str:
            found, run, place = trace_sentence(sentence), *_where(step)
            stage = (ENCODER if run == 0 else DECODER)[place]
            last = step == STEPS
            for box, word in zip(source, found.source, strict=True):
                box.write(data(word))
                box.show(not last)
            for text, number in zip(numbers, found.ids, strict=True):
                text.write(say("number {number}", number=number))
                text.show(step == 1)
            strips[0].show(stage.box if run == 0 else None, min(step, 1))
            strips[1].show(stage.box if run and not last else None, run)
            encoder.show(found, None if run else stage, waits=run > 0 and not last)
            decoder.show(found, run, stage if run and not last else None)
            maps.show(found, last)
            size = _size(found, stage, run)
            for part, words in ((shape, size), (axes, stage.axes)):
                part.write(words)
                part.show(not last)
            return _caption(found, run, stage, size, last)

        return update

    return live(
        draw,
        alt=say(
            "Above, the boxes of encoder and decoder; the one that works is lit. Left, the words "
            "read. First the tensors of the encoder appear, down to the memory, which stays. Then "
            "the decoder runs four times: each run adds a row to its tensors and a word to what "
            "is written. At the end all maps of attention stand together."
        ),
        size=(8.0, 4.1),
        play="step",
        pace=1.2,
        kept={"sentence": SENTENCES[:2]},
        step=(1, STEPS, 1, 14),
        sentence=as_data(SENTENCES),
    )


def _where(step: int) -> tuple[int, int]:
    """Return which run of the decoder a step is in, 0 for the encoder, and its place there."""
    if step <= len(ENCODER):
        return 0, step - 1
    run, place = divmod(min(step, STEPS - 1) - len(ENCODER) - 1, len(DECODER))
    return run + 1, place


def _size(found: TracedSentence, stage: FilmStep, run: int) -> str:
    """Write the shape of what a stage made; in a run there are as many rows as words read."""
    if not stage.path:
        words = len(found.source)
        return f"(1, {run}, {found.chances.size(1)})" if run else f"(1, {words})"
    *first, rows, last = found.tensors[stage.path].shape
    if run:
        rows, last = run, run if stage.path == BACK else last
    return str((*first, rows, last))


def _caption(found: TracedSentence, run: int, stage: FilmStep, size: str, last: bool) -> str:
    if last:
        return say(
            "runs: encoder 1, decoder {runs}; written {words}",
            runs=run,
            words=glossed(found.written),
        )
    if run == 0:
        box = say(_ENCODER_BOXES[stage.box])
        return say("encoder, {box}: {size}, {says}", box=box, size=size, says=say(stage.says))
    return say(
        "decoder, run {run}, {box}: {size}, {says}",
        run=run,
        box=say(_DECODER_BOXES[stage.box]),
        size=size,
        says=say(stage.says),
    )


def _y(row: int) -> float:
    return _TOP - _ROW * row


class _Strip:
    """The boxes of one stack in a row; one is lit. At their left, how often the stack has run.

    Only the decoder ever waits, for the memory.
    """

    def __init__(self, d: Diagram, counted: str, boxes: Sequence[str], y: float) -> None:
        self._counted = counted
        self._words = d.words(say(counted, runs=_RUNS), (1.35, y))
        self._boxes = [
            d.box(say(words), (3.7 + 1.95 * place, y), width=1.8, height=0.6, size=SMALL)
            for place, words in enumerate(boxes)
        ]
        d.chain(self._boxes)

    def show(self, lit: int | None, runs: int) -> None:
        self._words.write(say(self._counted, runs=runs) if runs else say("decoder: waits"))
        for place, box in enumerate(self._boxes):
            box.light(place == lit)


class _EncoderSide:
    """The encoder's tensors, one at a time; while the decoder runs, the memory in small."""

    def __init__(self, d: Diagram) -> None:
        self._rows = _features(d, 32, 0.15, _LEFT)
        self._wide = _features(d, 64, 0.15, _LEFT)
        self._heads = Heads(d, _LEFT + 0.4, _y(0), _ROW)
        self._memory = _features(d, 32, 0.085, _LEFT - 0.3)
        self._framed = [
            d.frame([self._memory], say("memory"), pad=0.15),
            d.frame([self._rows], say("memory"), pad=0.15),
        ]

    def show(self, found: TracedSentence, stage: FilmStep | None, *, waits: bool) -> None:
        """Show what a stage made; without a stage the memory in small, if it waits."""
        fill(self._memory, found.tensors["encoder"][0] if waits else None)
        tensor = found.tensors[stage.path][0] if stage and stage.path else None
        self._heads.show(tensor if tensor is not None and tensor.dim() == 3 else None, found.source)
        for part in (self._rows, self._wide):
            fill(part, tensor if tensor is not None and tensor.shape == part.shape else None)
        self._framed[0].show(waits)
        self._framed[1].show(stage == ENCODER[-1])


class _DecoderSide:
    """The decoder's tensors: a row for each word read; below, what is written."""

    def __init__(self, d: Diagram) -> None:
        self._labels = [
            d.words(data("그녀를 → 사랑한다"), (_RIGHT - 0.2, _y(row)), align="right")
            for row in range(_RUNS)
        ]
        self._features = _features(d, 32, 0.2, _RIGHT)
        self._heads = Heads(d, _RIGHT + 0.1, _y(0), _ROW)
        corners = [(3.46, 6.25), (_RIGHT + 1.4, 6.25)]
        self._asked = d.link((3.46, 5.8), (_RIGHT + 1.4, 5.95), via=corners)
        self._bars = [
            d.bar((9.6 + 1.4 * place, 2.9), limit=1.0, full=2.2, kind=SERIES[1])
            for place in range(_BARS)
        ]
        self._names = [
            d.words(data("사랑한다"), (9.6 + 1.4 * place, 2.55)) for place in range(_BARS)
        ]
        self._written = d.words("", (_RIGHT + 1.0, 0.45), size=TITLE)

    def show(self, found: TracedSentence, run: int, stage: FilmStep | None) -> None:
        """Show what a run made at a stage; without a stage, nothing."""
        path = stage.path if stage else ""
        scored = stage is not None and not path
        done = run if scored else run - 1
        rows = read_and_written(found.read, found.written)
        for number, (label, words) in enumerate(zip(self._labels, rows, strict=True)):
            label.write(data(words if number < done else f"{found.read[number]} → ?"))
            label.show(stage is not None and number < run)
        tensor = found.tensors[path][0] if path else None
        fill(self._features, None if tensor is None or tensor.dim() == 3 else _first(tensor, run))
        unread = [""] * (_RUNS - run)
        looked_at = found.source if path == OVER else [*found.read[:run], *unread]
        is_map = tensor is not None and tensor.dim() == 3
        weights = _asked(tensor, run, path) if tensor is not None and is_map else None
        self._heads.show(weights, looked_at, asks=run - 1)
        self._asked.show(path == OVER)
        self._show_scores(found.likeliest(max(run, 1) - 1, _BARS), scored)
        self._written.write(say("written: {words}", words=glossed(found.written[:done])))
        self._written.show(stage is not None and done > 0)

    def _show_scores(self, best: list[tuple[str, float]], visible: bool) -> None:
        """Show the likeliest words with their chances."""
        for bar, name, (word, chance) in zip(self._bars, self._names, best, strict=True):
            bar.set(chance, f"{chance:.2f}")
            name.write(data(word))
            for part in (bar, name):
                part.show(visible)


def _features(d: Diagram, width: int, cell: float, left: float) -> Matrix:
    """Make room for four rows of features."""
    at = (left + width * cell / 2, _y(0) - 1.5 * _ROW)
    return d.matrix(np.linspace(-1, 1, 4 * width).reshape(4, width), at, cell=(cell, _ROW), limit=2)


def _first(tensor: Tensor, run: int) -> Tensor:
    """Leave the rows of words that are not read yet empty."""
    seen = torch.full_like(tensor, float("nan"))
    seen[..., :run, :] = tensor[..., :run, :]
    return seen


def _asked(weights: Tensor, run: int, path: str) -> Tensor:
    """Leave also empty what the decoder's mask hides."""
    hidden = torch.ones(4, 4).triu(1).bool() & (path == BACK)
    return _first(weights, run).masked_fill(hidden, float("nan"))
