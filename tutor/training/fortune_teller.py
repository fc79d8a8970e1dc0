"""A tiny decoder that foretells random digits, if it can read them: lesson 7's moment."""

from copy import deepcopy
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from tutor.adam import Adam
from tutor.attention import scaled_dot_product_attention
from tutor.mask import causal_keep

DIGITS, DRAWN, D_MODEL = 10, 7, 32


class FortuneTeller(nn.Module):
    """One attention over digits and their positions, then a score for each digit.

    Example:
        >>> FortuneTeller()(torch.tensor([[3, 1, 4]]), mask=True).shape
        torch.Size([1, 2, 10])
    """

    def __init__(self) -> None:
        super().__init__()
        self.digit, self.position = nn.Embedding(DIGITS, D_MODEL), nn.Embedding(DRAWN, D_MODEL)
        self.to_qkv = nn.Linear(D_MODEL, 3 * D_MODEL)
        self.to_digit = nn.Linear(D_MODEL, DIGITS)

    def forward(
        self, read: Int[Tensor, "batch time"], mask: bool
    ) -> Float[Tensor, "batch said digits"]:
        """Score the digits at all positions but the last, seeing all or only the past."""
        return self.answers(self.embedded(read), mask)

    def embedded(self, read: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time d_model"]:
        """Embed the digits and their positions."""
        return self.digit(read) + self.position.weight[: read.size(1)]  # (B, T, D)

    def answers(
        self, x: Float[Tensor, "batch time d_model"], mask: bool
    ) -> Float[Tensor, "batch said digits"]:
        """Score the digits, of rows that are embedded: so that derivatives can be taken."""
        attended, _ = self.look(x, mask)
        return self.to_digit(x + attended)[:, :-1]

    def look(
        self, x: Float[Tensor, "batch time d_model"], mask: bool
    ) -> tuple[Float[Tensor, "batch time d_model"], Float[Tensor, "batch time time"]]:
        """Attend, to all positions or to the past; the output and the weights."""
        keep = causal_keep(x.size(1))[None] if mask else None  # (1, T, T)
        q, k, v = self.to_qkv(x).chunk(3, dim=-1)  # (B, T, D) each
        return scaled_dot_product_attention(q, k, v, keep)


@dataclass(frozen=True)
class Foretold:
    """What a fortune teller says of sentences nobody can foresee.

    Attributes:
        drawn: the digits it had to say, (B, T).
        said: the digits it said.
        loss: cross-entropy per digit; nobody honest gets below ln 10 = 2.3.
    """

    drawn: Int[Tensor, "batch time"]
    said: Int[Tensor, "batch time"]
    loss: float

    @property
    def right(self) -> float:
        """The share of digits said right."""
        return (self.drawn == self.said).double().mean().item()


def train_fortune_teller(
    model: FortuneTeller, *, mask: bool, shift: bool, rate: float = 0.01, steps: int = 150
) -> None:
    """Train with Adam on fresh random digits, in place.

    Args:
        model: with fresh weights.
        mask: hide the future.
        shift: say the next digit; without it, say the one that is read.
        rate: of Adam.
        steps: each on 64 new rows of digits.
    """
    adam = Adam(model.parameters(), rate)
    for _ in range(steps):
        read, say = draw_rows(64, shift)
        loss = F.cross_entropy(model(read, mask).flatten(0, 1), say.flatten())
        adam.zero_grad()
        loss.backward()
        adam.step()


def foretell(model: FortuneTeller, *, mask: bool, shift: bool, rows: int = 1000) -> Foretold:
    """Let a model foretell fresh rows of digits, as in training or as in use (mask and shift).

    Example:
        >>> torch.manual_seed(7)
        <torch._C.Generator object at ...>
        >>> honest = FortuneTeller()
        >>> train_fortune_teller(honest, mask=True, shift=True, steps=20)
        >>> foretell(honest, mask=True, shift=True).right < 0.2
        True
    """
    read, say = draw_rows(rows, shift)
    with torch.inference_mode():
        logits = model(read, mask)  # (B, T, digits)
    return Foretold(
        say, logits.argmax(dim=-1), F.cross_entropy(logits.flatten(0, 1), say.flatten()).item()
    )


@torch.inference_mode()
def weights_of(
    model: FortuneTeller, read: Int[Tensor, "batch time"], *, mask: bool
) -> Float[Tensor, "batch said time"]:
    """Return where each position that says a digit looks.

    Example:
        >>> weights_of(FortuneTeller(), torch.tensor([[3, 1, 4]]), mask=True)[0, 0]
        tensor([1., 0., 0.])
    """
    return model.look(model.embedded(read), mask)[1][:, :-1]


def without_attention(model: FortuneTeller) -> FortuneTeller:
    """Return a copy whose attention adds nothing, so that each position has only its own digit."""
    cut = deepcopy(model)
    with torch.no_grad():
        cut.to_qkv.weight[-D_MODEL:] = 0  # the values
        cut.to_qkv.bias[-D_MODEL:] = 0
    return cut


def trained_fortune_teller(*, mask: bool, shift: bool, seed: int = 7) -> FortuneTeller:
    """Train one from a seed; the global generator stays as it was.

    Example:
        >>> decoder = trained_fortune_teller(mask=False, shift=True)
        >>> foretell(decoder, mask=False, shift=True).right > 0.99
        True
    """
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        decoder = FortuneTeller()
        train_fortune_teller(decoder, mask=mask, shift=shift)
        return decoder


def trained_and_used(*, mask: bool, shift: bool, seed: int = 7) -> tuple[float, float]:
    """Train a fortune teller; its loss as it was trained, and in use, with mask and shift.

    Example:
        >>> trained, used = trained_and_used(mask=False, shift=True)
        >>> trained < 0.1, used > 5
        (True, True)
    """
    decoder = trained_fortune_teller(mask=mask, shift=shift, seed=seed)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        as_trained = foretell(decoder, mask=mask, shift=shift)
        return as_trained.loss, foretell(decoder, mask=True, shift=True).loss


def draw_rows(rows: int, shift: bool) -> tuple[Tensor, Tensor]:
    """Draw what is read, (rows, T + 1), and what must be said, (rows, T).

    One more is read than is said: the last position would have no next one to peek at.
    """
    drawn = torch.randint(DIGITS, (rows, DRAWN))
    return drawn[:, :-1], drawn[:, 1:-1] if shift else drawn[:, :-2]
