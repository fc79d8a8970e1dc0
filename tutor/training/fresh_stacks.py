"""Deep stacks at their first weights: what becomes of sizes, gradients and tokens (lesson 6)."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from tutor.layers import FeedForward
from tutor.multi_head import MultiHeadAttention
from tutor.training.initialisation import initialise

FirstWeights = Literal["default", "xavier", "kept", "he"]
FIRST_WEIGHTS: tuple[FirstWeights, ...] = ("default", "xavier", "kept", "he")
Norm = Literal["none", "before", "after"]
NORMS: tuple[Norm, ...] = ("none", "before", "after")
Inside = Literal["feed-forward", "attention", "both"]
INSIDES: tuple[Inside, ...] = ("feed-forward", "attention", "both")

_TOKENS = 16

Layer = Callable[[Tensor], Tensor]


@dataclass(frozen=True)
class FreshStack:
    """What was measured in a stack that was never trained; entry 0 lies below all layers.

    Attributes:
        sizes: of the stream, the root of its mean square, 1 at the bottom.
        gradients: of the stream, 1 at the top.
        alike: the mean cosine of two different tokens.
        factor: by how much one layer alone multiplies the size of what it is given.
        stream: the tokens (layers + 1, T, D).
    """

    sizes: list[float]
    gradients: list[float]
    alike: list[float]
    factor: float
    stream: Tensor


def fresh_stack(
    residual: bool,
    norm: Norm,
    layers: int,
    first: FirstWeights,
    *,
    d_model: int = 32,
    inside: Inside = "feed-forward",
    seed: int = 6,
) -> FreshStack:
    """Run 16 random tokens up through a stack of fresh layers, and a gradient down.

    Args:
        residual: whether what a layer found is added to what it was given.
        norm: a layer norm "before" each layer, "after" it (after the sum, with a residual), or
            "none".
        layers: how many.
        first: how the first weights are drawn: torch's own ("default"), "xavier", "he", or "kept",
            so that a feed-forward layer keeps the size of a token.
        d_model: width of a token; a feed-forward layer is twice as wide inside.
        inside: what the layers are; "both" takes attention and feed-forward in turn.
        seed: of the tokens and the weights.

    Example:
        >>> stack = fresh_stack(residual=True, norm="before", layers=32, first="kept")
        >>> len(stack.sizes), stack.sizes[0], round(stack.factor, 1)
        (33, 1.0, 1.0)
    """
    with torch.inference_mode(False), torch.enable_grad(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        stack = [_layer(inside, number, d_model, first) for number in range(layers)]
        x = torch.randn(1, _TOKENS, d_model).double()
        stream = [(x / _size(x)).requires_grad_()]
        step = _step(residual, norm)
        for layer in stack:
            stream.append(step(stream[-1], layer))  # (1, T, D)
        top = torch.randn_like(stream[-1])
        gradients = torch.autograd.grad(stream[-1], stream, top / top.norm())
        with torch.no_grad():
            factors = torch.stack([_size(layer(stream[0])) for layer in stack])
            return FreshStack(
                sizes=[_size(x).item() for x in stream],
                gradients=[gradient.norm().item() for gradient in gradients],
                alike=[_alike(x[0]) for x in stream],
                factor=factors.log().mean().exp().item(),
                stream=torch.cat(stream).detach(),
            )


def _layer(inside: Inside, number: int, d_model: int, first: FirstWeights) -> Layer:
    if inside == "attention" or (inside == "both" and number % 2 == 0):
        attention = MultiHeadAttention(d_model, heads=4)
        _draw(attention, first)
        attention.double()
        return lambda x: attention(x)[0]
    feed_forward = FeedForward(d_model, 2 * d_model)
    _draw(feed_forward, first)
    return feed_forward.double()


def _draw(layer: nn.Module, first: FirstWeights) -> None:
    """Draw first weights. He's keep sizes where ReLU follows: elsewhere they are √2 too large."""
    if first != "kept":
        initialise(layer, first)
        return
    initialise(layer, "he")
    for name, part in layer.named_modules():
        if isinstance(part, nn.Linear) and name != "W_1":
            part.weight.data /= math.sqrt(2)


def _step(residual: bool, norm: Norm) -> Callable[[Tensor, Layer], Tensor]:
    def step(x: Tensor, layer: Layer) -> Tensor:
        found = layer(_normed(x) if norm == "before" else x)
        after = x + found if residual else found
        return _normed(after) if norm == "after" else after

    return step


def _normed(x: Tensor) -> Tensor:
    return F.layer_norm(x, x.shape[-1:])  # what a fresh layer norm does: gamma 1, beta 0


def _size(x: Tensor) -> Tensor:
    return x.square().mean().sqrt()


def _alike(x: Tensor) -> float:
    directions = F.normalize(x, dim=-1)  # (T, D)
    cosines = directions @ directions.T  # (T, T)
    return ((cosines.sum() - len(x)) / (len(x) * (len(x) - 1))).item()
