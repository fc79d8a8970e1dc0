"""Sweep how the loss of small language models of letters falls with their size, for lesson 8.

Run it as `python tools/results/letter_models.py`; it writes
tutor/data/results/letter_models.json. A model reads the words of the pronouncing dictionary that
are for training once, letter by letter, and the loss is that of the held-out words. Each width is
trained at three rates, each twice the one before; tutor/claims/letter_models.py takes the rate with
the lowest loss on the words of the dev split.
"""

from functools import cache

import torch
from sweep import Sweep  # first: it makes the package importable
from torch import Tensor, nn

from tutor.data.batches import by_max_tokens, collate
from tutor.data.pairs import Example
from tutor.embedding import Vocabulary
from tutor.loss import sequence_cross_entropy
from tutor.training.config import TrainingConfig
from tutor.training.experiment import count, load_task
from tutor.training.train import Trainer
from tutor.transformer import Transformer, TransformerConfig

# Each width is tried at this many times the paper's rate, at half of it and at twice.
RATES = {4: 1.0, 8: 1.0, 16: 1.0, 32: 1.0, 64: 0.5}
LAYERS, WARMUP, MOST_TOKENS = 2, 200, 512
PART = 1024  # held-out words are scored in parts of so many


class LetterModel(nn.Module):
    """A decoder alone that predicts each next letter of a word; it ignores the source."""

    def __init__(self, width: int, vocabulary: int) -> None:
        super().__init__()
        self.decoder = Transformer(
            TransformerConfig(
                vocabulary=vocabulary,
                layers=LAYERS,
                d_model=width,
                d_ff=4 * width,
                heads=max(1, width // 16),
                dropout=0.0,
                norm="pre",
                stacks="decoder",
            )
        )

    def forward(self, _source: Tensor, text: Tensor) -> Tensor:
        """Score every next letter."""
        return self.decoder(text)

    def size(self) -> int:
        """Count what is learned, the table of letters left out, as Kaplan et al. count."""
        return count(self) - count(self.decoder.embedding)


@cache
def words(split: str) -> list[Example]:
    """Give the words of "train", "dev" or "test" as texts; there is nothing to translate."""
    task = load_task("cmudict")
    end, begin = [Vocabulary.eos_id], [Vocabulary.bos_id]
    return [Example(end, begin + word.source) for word in task.encode(getattr(task, split))]


def steps() -> int:
    """Count the batches in which each word comes once."""
    lengths = [len(word.target) for word in words("train")]
    return len(by_max_tokens(lengths, MOST_TOKENS, torch.Generator().manual_seed(0)))


@torch.inference_mode()
def loss_on(model: LetterModel, split: str) -> float:
    """Mean surprise at a letter of words that were not learned, in nats."""
    total, letters = 0.0, 0
    for start in range(0, len(words(split)), PART):
        batch = collate(words(split)[start : start + PART])
        here = int((batch.labels != Vocabulary.pad_id).sum())
        scores = model(batch.source, batch.decoder_input)
        total += here * sequence_cross_entropy(scores, batch.labels, Vocabulary.pad_id).item()
        letters += here
    return total / letters


def learned(width: int, rate: float, seed: int) -> dict[str, float]:
    """Train one model and let it predict new words."""
    model = LetterModel(width, len(load_task("cmudict").source_words))
    config = TrainingConfig(
        steps=steps(),
        max_tokens=MOST_TOKENS,
        warmup=WARMUP,
        scale=rate,
        smoothing=0.0,
        seed=seed,
    )
    Trainer(model, words("train"), config, width).run(progress=False)
    model.eval()
    return {"size": model.size(), "dev": loss_on(model, "dev"), "loss": loss_on(model, "test")}


SWEEP = Sweep(
    "letter_models",
    "decoders of two layers learn to predict the next letter of the 114 thousand training words "
    "of the CMU dictionary, once through (Adam, batches of 512 letters, three rates for each "
    "size, running mean of the weights): the loss on 2,322 new words, and on those of the dev "
    "split, which choose the rate; parameters are counted without the table of letters",
    learned,
    grids=[{"width": [width], "rate": [rate / 2, rate, 2 * rate]} for width, rate in RATES.items()],
    labels={
        "width": "width",
        "rate": "times the paper's rate",
        "size": "parameters",
        "dev": "loss on words of the dev split, in nats per letter",
        "loss": "loss on new words, in nats per letter",
    },
    margins={"size": 0, "dev": 0.02, "loss": 0.02},
    sample={"width": [4], "rate": [1.0]},
    unvaried={"initialisation": "the rate, which is tuned for each size, depends on it"},
)

if __name__ == "__main__":
    SWEEP.main()
