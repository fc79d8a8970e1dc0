"""A small model of letters that learns to go on with a repeated pattern (lesson 5).

A stretch of letters that all differ comes again and again. From its second round on each letter can
be known: it is the one that followed last time.
"""

import math
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from string import ascii_lowercase

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from safetensors.torch import load_file
from torch import Tensor, nn

from tutor.config import Positions
from tutor.data.files import CHECKPOINTS
from tutor.mask import causal_keep
from tutor.models.tracing import trace
from tutor.multi_head import MultiHeadAttention, merge_heads, split_heads
from tutor.say import say
from tutor.transformer import Transformer, TransformerConfig

SHIPPED = CHECKPOINTS / "letters.safetensors"
LAYERS, HEADS, D_MODEL = 2, 4, 64
STRETCHES = range(6, 21)  # how many letters a stretch has in training
LENGTH, BATCH, STEPS, RATE = 48, 32, 600, 4e-3

Head = tuple[int, int]  # layer and head, both from 0
Scores = Callable[[Tensor], Tensor]  # ids (B, T) -> scores of every next letter (B, T, V)


def build_letters(layers: int = LAYERS, positions: Positions = "rotary") -> Transformer:
    """Give an untrained model of letters; one layer gets a feed-forward as large as two have.

    Example:
        >>> [sum(p.numel() for p in build_letters(layers).parameters()) for layers in (1, 2)]
        [103104, 103552]
    """
    return Transformer(
        TransformerConfig(
            vocabulary=1 + len(ascii_lowercase),  # 0 is padding and never used
            layers=layers,
            d_model=D_MODEL,
            d_ff=4 * D_MODEL if layers > 1 else 10 * D_MODEL,
            heads=HEADS,
            dropout=0.0,
            norm="pre",
            positions=positions,
            stacks="decoder",
            tie=False,
            max_length=128,
        )
    )


def repeated(count: int, stretch: int, length: int, rng: torch.Generator) -> Int[Tensor, "b t"]:
    """Draw texts that repeat a stretch of different letters, as ids: a is 1.

    Example:
        >>> text_of(repeated(1, 3, 8, torch.Generator().manual_seed(0))[0])
        'mcdmcdmc'
    """
    letters = torch.rand(count, len(ascii_lowercase), generator=rng).argsort(dim=-1)[:, :stretch]
    return letters.repeat(1, -(-length // stretch))[:, :length] + 1


def ids_of(text: str) -> Int[Tensor, "1 t"]:
    """Give the ids of a text's letters.

    Raises:
        ValueError: there is something else than the letters a to z in it.
    """
    if not set(text) <= set(ascii_lowercase):
        raise ValueError(say("{text!r} has other characters than the letters a to z", text=text))
    return torch.tensor([[1 + ascii_lowercase.index(letter) for letter in text]])


def text_of(ids: Int[Tensor, " t"]) -> str:
    """Give the letters of ids."""
    return "".join(ascii_lowercase[number - 1] for number in ids.tolist())


def scores_of(model: Transformer, ids: Int[Tensor, "b t"]) -> Float[Tensor, "b t v"]:
    """Score every letter as the next one, after each letter of the texts."""
    return model.logits(model.decode(ids, keep=causal_keep(ids.size(1))))


def train_letters(
    model: nn.Module,
    scores: Scores,
    rng: torch.Generator,
    steps: int = STEPS,
    rate: float = RATE,
) -> None:
    """Train a model on repeated stretches of letters.

    Args:
        model: what is trained.
        scores: gives the scores of every next letter, for ids (B, T).
        rng: draws the stretches.
        steps: of AdamW.
        rate: the highest learning rate; it warms up to it and goes down from there.
    """
    optimiser = torch.optim.AdamW(model.parameters(), betas=(0.9, 0.98), weight_decay=0.0)
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = rate * _share_of_rate(step / steps)
        stretch = STRETCHES[int(torch.randint(len(STRETCHES), (), generator=rng))]
        ids = repeated(BATCH, stretch, LENGTH + 1, rng)
        loss = F.cross_entropy(scores(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()


def _share_of_rate(done: float, warm: float = 0.06) -> float:
    """Warm up, then go down along a cosine."""
    cosine = math.cos(math.pi * max(0.0, done - warm) / (1 - warm))
    return min(1.0, (done + 1e-3) / warm) * (1 + cosine) / 2


def unseen_texts(stretch: int, count: int = 128) -> Int[Tensor, "b t"]:
    """Draw the texts that a model is tested with, one letter longer than what it reads."""
    return repeated(count, stretch, LENGTH + 1, torch.Generator().manual_seed(12345))


def share_right(scores: Scores, stretch: int, count: int = 128) -> float:
    """Give the share of letters predicted, from a stretch's second round on, over new texts."""
    ids = unseen_texts(stretch, count)
    with torch.inference_mode():
        found = scores(ids[:, :-1]).argmax(dim=-1)
    return (found == ids[:, 1:])[:, stretch:].double().mean().item()


@dataclass(frozen=True)
class Looks:
    """What each head looks at while a text is read, means over many texts.

    Attributes:
        back: (layers, heads), the weight on the letter before.
        behind: (layers, heads), the weight just behind earlier appearances of the same letter,
            from the stretch's second round on.
    """

    back: Float[Tensor, "layers heads"]
    behind: Float[Tensor, "layers heads"]


def looks_of(model: Transformer, stretch: int = 12) -> Looks:
    """Measure where the heads of a model look in texts that repeat a stretch.

    Source: Olsson et al. 2022 (induction heads).
    """
    ids = repeated(64, stretch, LENGTH, torch.Generator().manual_seed(5))
    weights = weights_of(model, ids).mean(dim=1)  # (layers, heads, T, T)
    back = weights.diagonal(offset=-1, dim1=-2, dim2=-1).mean(dim=-1)
    asking = torch.arange(LENGTH)[:, None]
    looked_at = torch.arange(LENGTH)
    behind = ((asking - looked_at + 1) % stretch == 0) & (looked_at <= asking) & (looked_at > 0)
    return Looks(back, (weights * behind).sum(dim=-1)[..., stretch:].mean(dim=-1))


def weights_of(model: Transformer, ids: Int[Tensor, "b t"]) -> Float[Tensor, "l b h t t"]:
    """Give the weights of all heads: (layers, B, heads, T, T)."""
    some_texts = []  # a few at a time, as a trace holds all that is made of them
    for texts in ids.split(16):
        with torch.inference_mode(), trace(model) as t:
            scores_of(model, texts)
        some_texts.append(torch.stack([t[f"{path}.weights"] for path in _attentions(model)]))
    return torch.cat(some_texts, dim=1)


def mean_outputs(model: Transformer) -> dict[str, Float[Tensor, " joined"]]:
    """Give what the joined heads of each layer put out on average, over 128 texts."""
    means: dict[str, Tensor] = {}
    handles = [
        attention.W_o.register_forward_pre_hook(
            lambda _, given, path=path: means.update({path: given[0].mean(dim=(0, 1))})
        )
        for path, attention in _attentions(model).items()
    ]
    with torch.inference_mode():
        scores_of(model, repeated(128, 12, LENGTH, torch.Generator().manual_seed(7)))
    for handle in handles:
        handle.remove()
    return means


@contextmanager
def switched_off(
    model: Transformer, heads: Collection[Head], means: dict[str, Tensor]
) -> Iterator[None]:
    """Let some heads say the same whatever they see: what they put out on average.

    Args:
        model: a model of letters.
        heads: which heads, each its layer and its number.
        means: of `mean_outputs`.
    """
    handles = []
    for layer, (path, attention) in enumerate(_attentions(model).items()):
        off = torch.tensor([(layer, head) in heads for head in range(attention.heads)])
        hide = off.repeat_interleave(attention.W_o.in_features // attention.heads)  # (h·d_v,)
        handles.append(
            attention.W_o.register_forward_pre_hook(
                lambda _, given, hide=hide, path=path: (torch.where(hide, means[path], given[0]),)
            )
        )
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


@contextmanager
def handed_map(
    model: Transformer, layer: int, weights: Float[Tensor, "b heads t t"]
) -> Iterator[None]:
    """Let the heads of a layer average by given weights: what they find themselves is not used.

    Their values are still made of what comes into the layer.

    Args:
        model: a model of letters.
        layer: whose heads.
        weights: one table for each head of each text.
    """
    attention = [*_attentions(model).values()][layer]
    values: list[Tensor] = []
    handles = [
        attention.W_v.register_forward_hook(lambda _, __, made: values.append(made)),
        attention.W_o.register_forward_pre_hook(
            lambda *_: (merge_heads(weights @ split_heads(values.pop(), attention.heads)),)
        ),
    ]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def _attentions(model: Transformer) -> dict[str, MultiHeadAttention]:
    parts = model.named_modules()
    return {path: part for path, part in parts if isinstance(part, MultiHeadAttention)}


@cache
@torch.inference_mode(False)  # else what an explorer loads could never be changed again
def load_letters() -> Transformer:
    """Load the trained model that the course carries."""
    model = build_letters()
    model.load_state_dict({name: part.float() for name, part in load_file(SHIPPED).items()})
    return model.eval()
