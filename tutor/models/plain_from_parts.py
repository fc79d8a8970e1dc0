"""Lesson 8's plain model, put together from functions and trained from nothing in a second.

One head, no biases in attention, one layer in each stack: what `encoder_decoder` describes.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from tqdm import tqdm

from tutor.adam import Adam
from tutor.data.pairs import Task
from tutor.data.talk import LEFT_OUT, talk_task
from tutor.decode import translate
from tutor.models.from_parts import (
    Parts,
    WordsRead,
    at_speed,
    breaking,
    difference,
    first_that_matters,
    is_close,
)
from tutor.say import PlainError, say

PARTS = (
    "sinusoidal_encoding",
    "embed_with_positions",
    "encoder_decoder",
    "tied_logits",
    "shift_targets",
    "sequence_cross_entropy",
    "noam_rate",
)
"""The exercises whose functions it runs, in the order in which a sentence meets them."""

MOST = 1e-4  # between logits, by rounding alone

_MOST_WORDS = 8


class PlainFromParts(nn.Module):
    """A small Transformer of two languages, with fresh weights.

    Args:
        parts: a function for each of `PARTS`.
        task: whose words it reads and writes.
        d_model: D; its feed-forward layers are twice as wide.
        seed: of the weights.

    Example:
        >>> from tutor.exercises import find
        >>> parts = {name: find(name).reference for name in PARTS}
        >>> sum(weight.numel() for weight in PlainFromParts(parts, talk_task()).parameters())
        18720
    """

    def __init__(self, parts: Parts, task: Task, d_model: int = 32, seed: int = 1) -> None:
        super().__init__()
        self.f, self.d_model = parts, d_model
        generator = torch.Generator().manual_seed(seed)

        def new(*shape: int) -> nn.Parameter:
            return nn.Parameter(torch.randn(*shape, generator=generator) * shape[-1] ** -0.5)

        def matrices() -> nn.ParameterList:  # W_q, W_k, W_v
            return nn.ParameterList([new(d_model, d_model) for _ in range(3)])

        def ffn() -> nn.ParameterList:  # W1, b1, W2, b2
            wide = 2 * d_model
            W1, W2 = new(wide, d_model), new(d_model, wide)
            zeros = nn.Parameter(torch.zeros(wide)), nn.Parameter(torch.zeros(d_model))
            return nn.ParameterList([W1, zeros[0], W2, zeros[1]])

        self.encoder = nn.ModuleList([matrices(), ffn()])
        self.decoder = nn.ModuleList([matrices(), matrices(), ffn()])
        self.source_table = new(len(task.source_words), d_model)
        self.target_table = new(len(task.target_words), d_model)
        self.encoding = parts["sinusoidal_encoding"](16, d_model)  # (16, D)

    def encode(
        self, source: Int[Tensor, "batch source"], keep: Bool[Tensor, "..."] | None = None
    ) -> Float[Tensor, "batch source d_model"]:
        """Embed the source; the encoder runs together with the decoder, in `encoder_decoder`."""
        return self.f["embed_with_positions"](source, self.source_table, self.encoding)

    def decode(
        self,
        target: Int[Tensor, "batch target"],
        memory: Float[Tensor, "batch source d_model"] | None = None,
        keep: Bool[Tensor, "..."] | None = None,
        memory_keep: Bool[Tensor, "..."] | None = None,
        cache: WordsRead | None = None,
    ) -> Float[Tensor, "batch target d_model"]:
        """Give a state at each target word; words that a cache remembers are read again."""
        words = target if cache is None else cache.extend(target)
        y = self.f["embed_with_positions"](words, self.target_table, self.encoding)
        encoder, decoder = [_layer(self.encoder)], [_layer(self.decoder)]
        return self.f["encoder_decoder"](memory, y, encoder, decoder)[:, -target.size(1) :]

    def logits(self, states: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch vocabulary"]:
        """Score every target word as the next one."""
        return self.f["tied_logits"](states, self.target_table)

    def new_cache(self) -> Any:
        """Give an empty cache: the words that were read."""
        return WordsRead()

    def loss(
        self, source: Int[Tensor, "batch source"], target: Int[Tensor, "batch target"], pad_id: int
    ) -> Float[Tensor, ""]:
        """Say how surprised the model is by the right translations."""
        read, labels = self.f["shift_targets"](target)
        scores = self.logits(self.decode(read, self.encode(source)))  # (B, T, V)
        return self.f["sequence_cross_entropy"](scores, labels, pad_id)


def _layer(weights: nn.ModuleList) -> tuple[tuple[Tensor, ...], ...]:
    """Give a layer's weights as the exercise has them."""
    return tuple(tuple(part.parameters()) for part in weights)


@dataclass
class Learned:
    """A model that has learned the sentences.

    Attributes:
        model: the model.
        task: its sentences.
        losses: one a step.
        right: how many of the sentences it learned it translates word for word.
        broken: the sentence that says at which part its numbers are not the course's, or "".
    """

    model: PlainFromParts
    task: Task
    losses: list[float]
    right: int
    broken: str = ""

    def translate(self, text: str) -> str:
        """Translate a text, taking the most likely word each time."""
        return self._written([text])[0]

    def __repr__(self) -> str:
        lines = [
            say(
                "Loss {first} → {last}. Of {all} sentences it has learned, {right} come out right.",
                first=f"{self.losses[0]:.2f}",
                last=f"{self.losses[-1]:.4f}",
                all=len(self.task.train),
                right=self.right,
            )
        ]
        lines += [
            say("Never seen: {text} → {written}", text=text, written=self.translate(text))
            for text in (" ".join(pair.source) for pair in self.task.test)
        ]
        return "\n".join([*lines, self.broken] if self.broken else lines)

    def _written(self, texts: list[str]) -> list[str]:
        words = self.task.target_words
        rows = translate(self.model, self.task.read(*texts), words, _MOST_WORDS)
        return [" ".join(words.decode(ids)).removesuffix(" <eos>") for ids in rows]


def learn(
    parts: Parts, steps: int = 150, d_model: int = 32, seed: int = 1, progress: bool = True
) -> Learned:
    """Train the plain model on 95 short sentences, by the parts' own loss and their own rate.

    *I love her* is left out. The batch is all sentences at once, the optimiser Adam.

    Args:
        parts: a function for each of `PARTS`.
        steps: of training; a third of them warm-up.
        d_model: D.
        seed: of the first weights.
        progress: show a bar.

    Raises:
        PlainError: a function of the parts raises; the sentence says which.
    """
    task = talk_task(left_out=[LEFT_OUT])
    with torch.inference_mode(False), torch.enable_grad():
        parts = at_speed(parts, lambda some: next(_steps(PlainFromParts(some, task), task, 3)))
        broken = _where_it_breaks(parts, task)
        model = PlainFromParts(parts, task, d_model, seed)
        bar = tqdm(
            _steps(model, task, steps),
            total=steps,
            desc=say("training"),
            disable=not progress,
            file=sys.stdout,  # on stderr JupyterLab paints it as if something had gone wrong
        )
        losses = []
        for loss in bar:
            losses.append(loss)
            bar.set_postfix({say("loss"): f"{loss:.3f}"}, refresh=False)
    learned = Learned(model.eval(), task, losses, 0, broken)
    texts = [" ".join(pair.source) for pair in task.train]
    wanted = [" ".join(pair.target) for pair in task.train]
    learned.right = sum(map(str.__eq__, learned._written(texts), wanted))
    return learned


def _where_it_breaks(parts: Parts, task: Task) -> str:
    """Say at which of somebody's own functions the numbers before training are not the course's.

    Raises:
        PlainError: it raises.
    """
    if not parts.own:
        return ""

    def numbers(some: Parts) -> Tensor:
        model = PlainFromParts(some, task)
        source, target = _batch(task)
        read, labels = some["shift_targets"](target)
        scores = model.logits(model.decode(read, model.encode(source)))
        loss = some["sequence_cross_entropy"](scores, labels, task.target_words.pad_id)
        loss.backward()  # what runs forwards may have been written over, or be cut off
        slopes = [torch.zeros(1) if w.grad is None else w.grad for w in model.parameters()]
        rates = some["noam_rate"](torch.arange(1, 151), model.d_model, 50)
        steep = torch.stack([slope.norm() for slope in slopes])
        return torch.cat([scores.flatten(), loss.reshape(1), rates, steep]).detach()

    wanted = numbers(parts.only())
    if is_close(difference(lambda: numbers(parts.only(*parts.own)), wanted), MOST):
        return ""
    broken = first_that_matters(parts, numbers, wanted, MOST)
    if broken is None:
        return ""
    sentence = breaking(parts, *broken)
    if isinstance(broken[1], str):
        raise PlainError(sentence)
    return sentence


def _batch(task: Task) -> tuple[Int[Tensor, "batch source"], Int[Tensor, "batch target"]]:
    """Give all sentences at once: those of a language are equally long."""
    examples = task.encode(task.train)
    source = torch.tensor([one.source for one in examples])  # (B, S)
    return source, torch.tensor([one.target for one in examples])  # (B, T + 1)


def _steps(model: PlainFromParts, task: Task, steps: int) -> Iterator[float]:
    """Take the steps of a training; give each one's loss."""
    source, target = _batch(task)
    adam = Adam(model.parameters(), rate=0.0, betas=(0.9, 0.98), eps=1e-9)
    rates = model.f["noam_rate"](torch.arange(1, steps + 1), model.d_model, steps // 3)
    for rate in rates.tolist():
        adam.rate = rate
        loss = model.loss(source, target, task.target_words.pad_id)
        adam.zero_grad()
        loss.backward()
        adam.step()
        yield loss.item()
