"""Networks that read the café's cards: one frame, and a memory that can be exchanged (lesson 1)."""

from collections.abc import Callable

from jaxtyping import Float, Int
from torch import Tensor, nn

from tutor.data.cards import DRINKS, GUESTS
from tutor.layers import LayerNorm
from tutor.mask import causal_keep
from tutor.multi_head import MultiHeadAttention


class Recurrence(nn.Module):
    """A state of fixed size, carried along by torch's GRU or LSTM."""

    def __init__(self, layer: type[nn.GRU] | type[nn.LSTM], width: int) -> None:
        super().__init__()
        self.layer = layer(width, width, batch_first=True)

    def forward(self, x: Float[Tensor, "batch time width"]) -> Float[Tensor, "batch time width"]:
        """Give the state after each step."""
        return self.layer(x)[0]


class MatrixState(nn.Module):
    """A state that is a matrix: each step adds key times value to it, and reads it by its query.

    S ← S + k vᵀ, then the output is qᵀ S. All steps at once, that is attention without softmax:
    linear attention.

    Source: Katharopoulos et al. 2020; Schmidhuber 1992 ("fast weights").
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.W_q, self.W_k, self.W_v, self.W_o = (
            nn.Linear(width, width, bias=False) for _ in range(4)
        )

    def forward(self, x: Float[Tensor, "batch time width"]) -> Float[Tensor, "batch time width"]:
        """Give what each step reads, its own key and value among the rest."""
        q, k = (nn.functional.normalize(W(x), dim=-1) for W in (self.W_q, self.W_k))
        agreement = (q @ k.mT).tril()  # (B, T, T): nothing from later steps
        return self.W_o(agreement @ self.W_v(x))


class LookBack(nn.Module):
    """One attention layer: each step looks at all steps up to its own."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(width, heads=1)

    def forward(self, x: Float[Tensor, "batch time width"]) -> Float[Tensor, "batch time width"]:
        """Give the weighted average of the values of each step and those before."""
        return self.attention(x, keep=causal_keep(x.size(1)))[0]

    def weights(self, x: Float[Tensor, "batch time width"]) -> Float[Tensor, "batch time time"]:
        """Give how each step divides its attention."""
        weights = self.attention(x, keep=causal_keep(x.size(1)), need_weights=True)[1]
        return weights[:, 0]  # (B, 1 head, T, T), then (B, T, T)


class AttentionOverStates(nn.Module):
    """A GRU, and one attention layer that looks back at its states."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.states, self.look_back = Recurrence(nn.GRU, width), LookBack(width)

    def forward(self, x: Float[Tensor, "batch time width"]) -> Float[Tensor, "batch time width"]:
        """Give for each step what it finds among the states up to its own."""
        states = self.states(x)
        return states + self.look_back(states)


MEMORIES: dict[str, Callable[[int], nn.Module]] = {
    "GRU": lambda width: Recurrence(nn.GRU, width),
    "LSTM": lambda width: Recurrence(nn.LSTM, width),
    "matrix": MatrixState,
    "GRU + attention": AttentionOverStates,
    "attention": LookBack,
}


class CardReader(nn.Module):
    """Reads hands of cards and says at every question which drink it was.

    Args:
        memory: one of `MEMORIES`.
        width: of its vectors.

    Example:
        >>> import torch
        >>> from tutor.data.cards import deal
        >>> steps, answers = deal(2, 5, torch.Generator().manual_seed(0))
        >>> CardReader("attention", width=32)(steps).shape  # hands, questions, drinks
        torch.Size([2, 5, 16])
    """

    def __init__(self, memory: str, width: int) -> None:
        super().__init__()
        self.guests, self.drinks = nn.Embedding(GUESTS, width), nn.Embedding(DRINKS + 1, width)
        self.memory = MEMORIES[memory](width)
        self.norm = LayerNorm(width)
        self.answer = nn.Linear(width, DRINKS)

    def forward(
        self, steps: Int[Tensor, "hands steps two"]
    ) -> Float[Tensor, "hands questions drinks"]:
        """Score the drinks at each question, the second half of the steps."""
        x = self.guests(steps[..., 0]) + self.drinks(steps[..., 1])  # (B, 2N, D)
        read = self.norm(x + self.memory(x))
        return self.answer(read[:, steps.size(1) // 2 :])
