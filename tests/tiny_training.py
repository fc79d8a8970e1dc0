"""A training small enough for tests; also a program, so that a test can kill it.

``python -m tests.tiny_training FOLDER`` trains with checkpoints in FOLDER and notes every finished
step in FOLDER/steps.txt.
"""

import sys
from pathlib import Path

import torch

from tutor.data.pairs import Example
from tutor.training.train import Trainer, TrainingConfig
from tutor.transformer import Transformer, TransformerConfig

VOCABULARY = 12
CONFIG = TrainingConfig(steps=24, max_tokens=40, warmup=6, seed=5)
EVERY = 5


def examples() -> list[Example]:
    """Sentences of unequal length to be said backwards."""
    generator = torch.Generator().manual_seed(0)
    made = []
    for _ in range(60):
        length = int(torch.randint(1, 7, (), generator=generator))
        words = torch.randint(4, VOCABULARY, (length,), generator=generator).tolist()
        made.append(Example([*words, 3], [2, *reversed(words), 3]))
    return made


def model(dropout: float = 0.1) -> Transformer:
    """A Transformer of a few thousand parameters, always with the same first weights."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        return Transformer(
            TransformerConfig.tiny(VOCABULARY, layers=1, d_model=16, d_ff=32, dropout=dropout)
        )


def trainer(dropout: float = 0.1, config: TrainingConfig = CONFIG) -> Trainer:
    """A training that has not begun."""
    return Trainer(model(dropout), examples(), config, d_model=16)


def train(folder: Path) -> None:
    noted = trainer()
    learn = noted.step

    def noted_step(batch):
        loss = learn(batch)
        with (folder / "steps.txt").open("a") as file:
            file.write("step\n")
        return loss

    noted.step = noted_step
    noted.run(folder, every=EVERY, progress=False)


if __name__ == "__main__":
    train(Path(sys.argv[1]))
