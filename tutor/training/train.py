"""Training: the loop, and going on after a stop (lesson 8).

A run is a pure function of its config: the batches and the randomness (dropout) of step n follow
from the seed and n alone. So a run that was stopped, even by ``kill -9``, goes on with the same
curve.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn
from tqdm import tqdm

from tutor.data.batches import Batch, collate, endless_batches
from tutor.data.pairs import Example
from tutor.embedding import Vocabulary
from tutor.loss import smoothed_cross_entropy
from tutor.say import say
from tutor.training.checkpoint import read_checkpoint, write_checkpoint
from tutor.training.config import TrainingConfig, rate_at

CHECKPOINT = "checkpoint.pt"
_KEYS = {"config", "losses", "seconds", "model", "mean", "optimiser"}


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

    def loss(self, batch: Batch) -> Float[Tensor, ""]:
        """Mean loss per target token of a batch."""
        logits = self.model(batch.source, batch.decoder_input)  # (B, T, V)
        smoothing = self.config.smoothing
        return smoothed_cross_entropy(logits, batch.labels, Vocabulary.pad_id, smoothing)

    def step(self, batch: Batch) -> float:
        """Learn from one batch and return its loss."""
        number = len(self.losses) + 1
        self.model.train()
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed((self.config.seed * 1_000_003 + number) * 64)
            loss = self.loss(batch)
        for group in self.optimiser.param_groups:
            group["lr"] = rate_at(number, self.config, self.d_model)
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()
        self._update_mean(number)
        return loss.item()

    @torch.no_grad()
    def _update_mean(self, number: int) -> None:
        """Move the running mean towards the weights, at first as a plain mean of them all."""
        stays = min(self.config.average, 1 - 1 / number)
        for name, parameter in self.model.named_parameters():
            self.mean[name].lerp_(parameter, 1 - stays)

    def run(
        self, folder: Path | None = None, every: int = 200, progress: bool = True
    ) -> list[float]:
        """Train to the config's last step, going on from the folder's checkpoint if it has one.

        Args:
            folder: where the checkpoint is kept; None keeps none.
            every: steps between two checkpoints.
            progress: show a bar with the loss and the time left.

        Returns:
            The loss of every step. The model holds the averaged weights.

        Raises:
            ValueError: the loss is no number any more, or the checkpoint cannot be gone on from.
        """
        if folder is not None:
            self.load(folder)
        done = len(self.losses)
        order = endless_batches(self.examples, self.config.max_tokens, self.config.seed)
        bar = tqdm(
            islice(order, done, self.config.steps),
            total=self.config.steps,
            initial=done,
            desc=say("training"),
            unit=say("step"),
            disable=not progress,
        )
        for indices in bar:
            started = time.process_time()
            self.losses.append(self.step(collate([self.examples[index] for index in indices])))
            self.seconds += time.process_time() - started
            if not math.isfinite(self.losses[-1]):
                raise ValueError(
                    say(
                        "the loss is {loss} at step {step}",
                        loss=self.losses[-1],
                        step=len(self.losses),
                    )
                )
            bar.set_postfix({say("loss"): f"{self.losses[-1]:.3f}"}, refresh=False)
            if folder is not None and self._due(every):
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
        """Write all that `load` needs to go on with the same curve, in one file, whole or not."""
        state: dict[str, Any] = {
            "config": asdict(self.config),
            "losses": self.losses,
            "seconds": self.seconds,
            "model": self.model.state_dict(),
            "mean": self.mean,
            "optimiser": self.optimiser.state_dict(),
        }
        write_checkpoint(folder / CHECKPOINT, state)

    def load(self, folder: Path) -> None:
        """Go back to the state of a folder's checkpoint, if there is one.

        Raises:
            ValueError: it belongs to another config or model, or the file is damaged.
        """
        path = folder / CHECKPOINT
        if not path.exists():
            return
        state = read_checkpoint(path)
        if not isinstance(state, dict) or not state.keys() >= _KEYS:
            raise _foreign(path)
        if state["config"] != asdict(self.config):
            raise ValueError(
                say(
                    "the checkpoint in {folder} was made with {made}, this run has {wanted}: take "
                    "another folder",
                    folder=folder,
                    made=state["config"],
                    wanted=asdict(self.config),
                )
            )
        if not self._fits(state):
            raise _foreign(path)
        try:
            self.optimiser.load_state_dict(state["optimiser"])
        except (LookupError, ValueError, TypeError, AttributeError) as other:
            raise _foreign(path) from other
        self.losses, self.seconds, self.mean = state["losses"], state["seconds"], state["mean"]
        self.model.load_state_dict(state["model"])

    def _fits(self, state: dict[str, Any]) -> bool:
        """Say whether weights, their means and the curve are those of such a model."""
        shapes = {name: weight.shape for name, weight in self.model.state_dict().items()}
        means = {name: weight.shape for name, weight in self.mean.items()}
        return (
            _shapes(state["model"]) == shapes
            and _shapes(state["mean"]) == means
            and isinstance(state["losses"], list)
            and isinstance(state["seconds"], float)
        )


def _shapes(weights: Any) -> dict[str, Any]:
    """Give the shape of each weight by its name; nothing if these are no weights."""
    named = weights.items() if isinstance(weights, dict) else ()
    return {name: getattr(weight, "shape", None) for name, weight in named}


def _foreign(path: Path) -> ValueError:
    return ValueError(
        say("{path} is no checkpoint of such a model; take another folder", path=path)
    )
