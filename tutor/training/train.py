"""Training: the rate, the loop, the going-on after a stop, the sharing among processes (lesson 8).

A run is a pure function of its config: the batches and the randomness (dropout) of step n follow
from the seed and n alone. So a run that was stopped, even by ``kill -9``, goes on with the same
curve, and several processes that share each batch compute the gradients of one.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path

import torch
import torch.distributed
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel
from tqdm import tqdm

from tutor.data.batches import Batch, collate, endless_batches, share
from tutor.data.pairs import Example
from tutor.embedding import Vocabulary
from tutor.output import smoothed_cross_entropy
from tutor.training.checkpoint import (
    load_checkpoint,
    optimiser_tensors,
    restore_optimiser,
    save_checkpoint,
)
from tutor.training.config import TrainingConfig, rate_at

__all__ = ["Trainer", "TrainingConfig", "rate_at"]


class Trainer:
    """A training on its way: the model, Adam's memory, the curve so far.

    Args:
        model: called as ``model(source, decoder_input)``, gives logits; changed in place.
        examples: what is learned.
        config: how.
        d_model: for the rate.

    Attributes:
        losses: mean loss per token of each step so far, in nats.
        seconds: CPU seconds spent in steps.

    Example:
        >>> from tutor.transformer import Transformer, TransformerConfig
        >>> model = Transformer(TransformerConfig.tiny(vocabulary=9, dropout=0.0))
        >>> same = [Example([4, 5, 3], [2, 5, 4, 3]), Example([6, 7, 3], [2, 7, 6, 3])]
        >>> trainer = Trainer(model, same, TrainingConfig(steps=30, warmup=10), d_model=128)
        >>> losses = trainer.run(progress=False)
        >>> losses[0] > losses[-1], len(losses)
        (True, 30)
    """

    def __init__(
        self, model: nn.Module, examples: Sequence[Example], config: TrainingConfig, d_model: int
    ) -> None:
        self.model, self.examples, self.config, self.d_model = model, examples, config, d_model
        self.optimiser = torch.optim.Adam(
            model.parameters(), lr=0.0, betas=(0.9, 0.98), eps=1e-9, fused=True
        )
        self.mean = {name: p.detach().clone() for name, p in model.named_parameters()}
        self.losses: list[float] = []
        self.seconds = 0.0
        self.rank, self.world = 0, 1
        self.shared: nn.Module = model
        if torch.distributed.is_initialized():
            self.rank, self.world = torch.distributed.get_rank(), torch.distributed.get_world_size()
            self.shared = DistributedDataParallel(model)

    def loss(self, batch: Batch) -> Float[Tensor, ""]:
        """Mean loss per target token of a batch; of several processes, each adds its part.

        The processes' gradients are averaged, so each part is the sum over its own tokens, times
        the number of processes, over all tokens of the batch.
        """
        part = share(batch, self.rank, self.world) if self.world > 1 else batch
        logits = self.shared(part.source, part.decoder_input)  # (B, T, V)
        if part.tokens == 0:
            return logits.sum() * 0.0  # nothing to learn here, yet all processes must go backward
        smoothing = self.config.smoothing
        mean = smoothed_cross_entropy(logits, part.labels, Vocabulary.pad_id, smoothing)
        return mean * (part.tokens * self.world / batch.tokens)

    def step(self, batch: Batch) -> float:
        """Learn from one batch and return its loss."""
        number = len(self.losses) + 1
        self.model.train()
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed((self.config.seed * 1_000_003 + number) * 64 + self.rank)
            loss = self.loss(batch)
        for group in self.optimiser.param_groups:
            group["lr"] = rate_at(number, self.config, self.d_model)
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()
        self._update_mean(number)
        return self._over_processes(loss.detach())

    @torch.no_grad()
    def _update_mean(self, number: int) -> None:
        """Move the running mean towards the weights, at first as a plain mean of them all."""
        stays = min(self.config.average, 1 - 1 / number)
        for name, parameter in self.model.named_parameters():
            self.mean[name].lerp_(parameter, 1 - stays)

    def _over_processes(self, loss: Tensor) -> float:
        if self.world > 1:
            torch.distributed.all_reduce(loss)
        return loss.item() / self.world

    def run(
        self, folder: Path | None = None, every: int = 200, progress: bool = True
    ) -> list[float]:
        """Train to the config's last step, going on from the folder's checkpoint if it has one.

        Args:
            folder: where checkpoints are kept; None keeps none.
            every: steps between two checkpoints.
            progress: show a bar with the loss and the time left.

        Returns:
            The loss of every step. The model holds the averaged weights.
        """
        if folder is not None:
            self.load(folder)
        done = len(self.losses)
        order = endless_batches(self.examples, self.config.max_tokens, self.config.seed)
        bar = tqdm(
            islice(order, done, self.config.steps),
            total=self.config.steps,
            initial=done,
            desc="training",
            unit="step",
            disable=not progress or self.rank > 0,
        )
        for indices in bar:
            started = time.process_time()
            self.losses.append(self.step(collate([self.examples[index] for index in indices])))
            self.seconds += time.process_time() - started
            if not math.isfinite(self.losses[-1]):
                raise ValueError(f"the loss is {self.losses[-1]} at step {len(self.losses)}")
            bar.set_postfix(loss=f"{self.losses[-1]:.3f}", refresh=False)
            if folder is not None and self.rank == 0 and self._due(every):
                self.save(folder)
        self._keep_mean()
        return self.losses

    def _due(self, every: int) -> bool:
        return len(self.losses) % every == 0 or len(self.losses) == self.config.steps

    @torch.no_grad()
    def _keep_mean(self) -> None:
        for name, parameter in self.model.named_parameters():
            parameter.copy_(self.mean[name])

    def save(self, folder: Path) -> None:
        """Write all that `load` needs to go on with the same curve."""
        tensors = {f"model.{name}": p.detach() for name, p in self.model.named_parameters()}
        tensors |= {f"mean.{name}": p for name, p in self.mean.items()}
        tensors |= optimiser_tensors(self.optimiser)
        facts = {"config": asdict(self.config), "losses": self.losses, "seconds": self.seconds}
        save_checkpoint(folder, len(self.losses), tensors, facts)

    def load(self, folder: Path) -> None:
        """Go back to the state of a folder's checkpoint, if there is one.

        Raises:
            ValueError: it belongs to another config.
        """
        found = load_checkpoint(folder)
        if found is None:
            return
        tensors, facts = found
        if facts["config"] != asdict(self.config):
            raise ValueError(
                f"the checkpoint in {folder} was made with {facts['config']}, "
                f"this run has {asdict(self.config)}: take another folder"
            )
        self._load_tensors(tensors)
        self.losses, self.seconds = facts["losses"], facts["seconds"]

    @torch.no_grad()
    def _load_tensors(self, tensors: dict[str, Tensor]) -> None:
        for name, parameter in self.model.named_parameters():
            parameter.copy_(tensors[f"model.{name}"])
            self.mean[name].copy_(tensors[f"mean.{name}"])
        restore_optimiser(self.optimiser, tensors)
