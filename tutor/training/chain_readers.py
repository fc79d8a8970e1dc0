"""Networks that follow chains of cards by one look-up or several (lesson 8)."""

from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from safetensors.torch import load_file
from torch import Tensor, nn

from tutor.data.chains import SECONDS, SYMBOLS
from tutor.data.files import CHECKPOINTS
from tutor.layers import FeedForward, LayerNorm
from tutor.models.tracing import trace
from tutor.training.card_readers import LookBack, Recurrence

CHAIN_READER = CHECKPOINTS / "chain-reader.safetensors"


class Kind(NamedTuple):
    """What a reader is made of: a GRU below or none, and so many layers that look back."""

    recurrent: bool
    layers: int


READERS = {
    "1 layer": Kind(False, 1),
    "2 layers": Kind(False, 2),
    "3 layers": Kind(False, 3),
    "GRU + 1 layer": Kind(True, 1),
    "GRU + 2 layers": Kind(True, 2),
}


class ReadingLayer(nn.Module):
    """A pre-norm layer: each step looks back with one head, then thinks alone."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm_look, self.norm_think = LayerNorm(width), LayerNorm(width)
        self.look_back, self.feed_forward = LookBack(width), FeedForward(width, 2 * width)

    def forward(
        self, x: Float[Tensor, "batch time width"], looking: bool = True
    ) -> Float[Tensor, "batch time width"]:
        """Add what is found and what is thought; with looking=False nothing is found."""
        if looking:
            x = x + self.look_back(self.norm_look(x))
        return x + self.feed_forward(self.norm_think(x))


class ChainReader(nn.Module):
    """Reads hands of cards and says at every question where it leads.

    Args:
        kind: one of `READERS`.
        width: of its vectors.

    Example:
        >>> from tutor.data.chains import deal
        >>> hand = deal(2, 4, torch.Generator().manual_seed(0))
        >>> ChainReader("2 layers", width=32)(hand.steps).shape  # hands, questions, symbols
        torch.Size([2, 12, 16])
    """

    def __init__(self, kind: str, width: int) -> None:
        super().__init__()
        recurrent, layers = READERS[kind]
        self.firsts, self.seconds = nn.Embedding(SYMBOLS, width), nn.Embedding(SECONDS, width)
        self.states = Recurrence(nn.GRU, width) if recurrent else None
        self.layers = nn.ModuleList(ReadingLayer(width) for _ in range(layers))
        self.norm, self.answer = LayerNorm(width), nn.Linear(width, SYMBOLS)

    def forward(
        self, steps: Int[Tensor, "hands steps two"], off: int = 0
    ) -> Float[Tensor, "hands questions symbols"]:
        """Score the symbols at each question.

        Args:
            steps: cards and questions, two of five steps being cards, as `deal` gives them.
            off: the layer, from 1, whose look-up is switched off; 0 for none.
        """
        x = self.firsts(steps[..., 0]) + self.seconds(steps[..., 1])  # (B, 5n, D)
        x = x if self.states is None else self.states(x)
        for number, layer in enumerate(self.layers, 1):
            x = layer(x, looking=number != off)
        cards = 2 * steps.size(1) // 5
        return self.answer(self.norm(x[:, cards:]))


@torch.inference_mode()
def looks_of(
    reader: ChainReader, steps: Int[Tensor, "hands steps two"], off: int = 0
) -> list[Float[Tensor, "hands questions cards"]]:
    """Give how the questions divide their attention among the cards, layer by layer.

    A layer that is switched off has zeros.
    """
    cards = 2 * steps.size(1) // 5
    with trace(reader) as t:
        reader(steps, off)
    found = []
    for number in range(len(reader.layers)):
        if number + 1 == off:
            found.append(torch.zeros(steps.size(0), steps.size(1) - cards, cards))
        else:
            weights = t[f"layers.{number}.look_back.attention.weights"][:, 0]  # (B, 5n, 5n)
            found.append(weights[:, cards:, :cards])
    return found


def load_chain_reader() -> ChainReader:
    """Load the trained network of lesson 8's chains, in double precision.

    Example:
        >>> len(load_chain_reader().layers)
        2
    """
    tensors = load_file(CHAIN_READER)
    reader = ChainReader("2 layers", tensors["firsts.weight"].size(1))
    reader.load_state_dict(tensors)
    return reader.double().eval()
