"""A training small enough for tests; run as a program it is one process of a shared training.

``python -m tests.tiny_training FOLDER`` trains with checkpoints in FOLDER and notes every finished
step in FOLDER/steps.txt. With RANK and WORLD_SIZE set it instead shares one step with others and
writes the gradients it holds.
"""

import os
import sys
from pathlib import Path

import torch
from safetensors.torch import save_file

from tutor.data.batches import collate
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


def shared_batches() -> list:
    """A batch with an odd number of unequal rows, and one with fewer rows than processes."""
    return [collate(examples()[:7]), collate(examples()[7:8])]


def gradients(of: Trainer) -> dict[str, torch.Tensor]:
    """Gradients after a backward pass, by batch and name."""
    found = {}
    for number, batch in enumerate(shared_batches()):
        of.model.zero_grad()
        of.loss(batch).backward()
        for name, parameter in of.model.named_parameters():
            found[f"{number}.{name}"] = parameter.grad.clone()
    return found


def share_a_step(folder: Path) -> None:
    torch.distributed.init_process_group("gloo")
    together = trainer(dropout=0.0)
    found = gradients(together)
    losses = [together.step(batch) for batch in shared_batches()]
    found["losses"] = torch.tensor(losses)
    save_file(found, folder / f"rank{together.rank}.safetensors")
    torch.distributed.destroy_process_group()


def train_alone(folder: Path) -> None:
    alone = trainer()
    learn = alone.step

    def noted_step(batch):
        loss = learn(batch)
        with (folder / "steps.txt").open("a") as file:
            file.write("step\n")
        return loss

    alone.step = noted_step
    alone.run(folder, every=EVERY, progress=False)


if __name__ == "__main__":
    (share_a_step if "WORLD_SIZE" in os.environ else train_alone)(Path(sys.argv[1]))
