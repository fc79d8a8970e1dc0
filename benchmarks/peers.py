"""The same translator twice: the course's, and one on `nn.Transformer` with the same weights."""

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from tests.torch_twin import torchs_twin
from tutor.loss import smoothed_cross_entropy
from tutor.position import sinusoidal_encoding
from tutor.transformer import Transformer, TransformerConfig

PAD, BOS, FIRST_WORD = 0, 2, 4
SIZES = {
    "tiny": TransformerConfig.tiny(vocabulary=1000),
    "paper base": TransformerConfig.paper_base(vocabulary=37_000),
}


class TorchTranslator(nn.Module):
    """What one writes around `nn.Transformer` to translate; dropout where the paper has it.

    Torch's layers drop attention's weights and the feed-forward's middle as well: left out, for
    that is work which the course's model does not do.
    """

    encoding: Tensor

    def __init__(self, model: Transformer) -> None:
        super().__init__()
        c = model.config
        self.transformer = torchs_twin(model)
        for part in self.transformer.modules():
            if isinstance(part, nn.MultiheadAttention):
                part.dropout = 0.0
            if isinstance(part, nn.TransformerEncoderLayer | nn.TransformerDecoderLayer):
                part.dropout.p = 0.0
        self.embedding = nn.Embedding(c.vocabulary, c.d_model)
        self.embedding.load_state_dict({"weight": model.embedding.table})
        encoding = sinusoidal_encoding(c.max_length, c.d_model)
        self.register_buffer("encoding", encoding, persistent=False)
        self.dropout = nn.Dropout(c.dropout)

    def read(self, ids: Tensor) -> Tensor:
        """Embed words and add their positions."""
        scaled = self.embedding(ids) * math.sqrt(self.embedding.embedding_dim)  # (B, T, D)
        return self.dropout(scaled + self.encoding[: ids.size(1)])

    def encode(self, source: Tensor) -> Tensor:
        """Read the source."""
        return self.transformer.encoder(self.read(source), src_key_padding_mask=source == PAD)

    def decode(self, source: Tensor, memory: Tensor, target: Tensor) -> Tensor:
        """Turn what is written so far into vectors; True in torch's masks is hidden."""
        square = torch.ones(target.size(1), target.size(1), dtype=torch.bool, device=target.device)
        return self.transformer.decoder(
            self.read(target),
            memory,
            tgt_mask=square.triu(diagonal=1),
            tgt_key_padding_mask=target == PAD,
            memory_key_padding_mask=source == PAD,
        )

    def logits(self, states: Tensor) -> Tensor:
        """Score every word by the table that embedded it."""
        return F.linear(states, self.embedding.weight)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Score every next word."""
        return self.logits(self.decode(source, self.encode(source), target))


@dataclass(frozen=True)
class Sentences:
    """A batch, every fourth row full and the others padded by one to three words."""

    source: Tensor
    target: Tensor
    labels: Tensor


def translators(config: TransformerConfig) -> tuple[Transformer, TorchTranslator]:
    """Make both, with the same random weights."""
    torch.manual_seed(0)
    model = Transformer(config)
    return model, TorchTranslator(model)


def sentences(rows: int, length: int, vocabulary: int) -> Sentences:
    """Draw a batch."""
    drawn = torch.Generator().manual_seed(0)
    source = torch.randint(FIRST_WORD, vocabulary, (rows, length), generator=drawn)
    target = torch.randint(FIRST_WORD, vocabulary, (rows, length + 1), generator=drawn)
    for row in range(rows):
        real = length - row % 4
        source[row, real:] = PAD
        target[row, real + 1 :] = PAD
    return Sentences(source, target[:, :-1], target[:, 1:])


def loss(model: nn.Module, batch: Sentences) -> Tensor:
    """Compute the loss of a training step: the same function for both."""
    return smoothed_cross_entropy(model(batch.source, batch.target), batch.labels, PAD, 0.1)


class TrainingStep:
    """One step of training as the course trains; the same code for both."""

    def __init__(self, model: nn.Module, batch: Sentences) -> None:
        self.model, self.batch = model.train(), batch
        self.optimiser = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), fused=True)

    def __call__(self) -> None:
        self.optimiser.zero_grad()
        loss(self.model, self.batch).backward()
        self.optimiser.step()
