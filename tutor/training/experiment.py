"""The course's trainings: which data, which model, how long, and how good it became (lesson 8)."""

import hashlib
import json
import platform
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, cast

import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import nn

from tutor.data.cmudict import load_cmudict
from tutor.data.files import CHECKPOINTS
from tutor.data.pairs import Task
from tutor.data.phrasebook import load_phrasebook
from tutor.files import write_whole
from tutor.models.seq2seq import AttentionKind, Seq2Seq, Seq2SeqConfig
from tutor.say import say
from tutor.training.config import TrainingConfig
from tutor.training.evaluate import bleu, error_rate, exact_by_length, exact_match, translate_pairs
from tutor.training.train import Trainer
from tutor.transformer import Transformer, TransformerConfig

TASKS = ("phrasebook-ko", "phrasebook-fr", "cmudict")
MODELS = ("transformer", "gru", "gru-attention")
D_MODEL = 128
DROPOUT = 0.0  # in one or two passes over the data nothing is learned by heart
STEPS = {"phrasebook-ko": 1300, "phrasebook-fr": 1300, "cmudict": 2300}
SCALE = {"transformer": 0.25, "gru": 0.5, "gru-attention": 0.5}  # tools/results/tuning.py


@dataclass(frozen=True)
class TrainingResult:
    """What a training cost and what it reached on the held-out pairs.

    Attributes:
        parameters: numbers learned.
        cpu_seconds: of training alone; another processor gives another figure.
        exact: fraction of held-out targets written token for token.
        bleu: of a phrasebook, 0 to 100; None if sacrebleu is not installed.
        per: of CMUdict, edits needed per phoneme.
        by_length: exact match of lists by number of names; 8 is longer than any in training.
        losses: of every step.
    """

    task: str
    model: str
    config: TrainingConfig
    parameters: int
    cpu_seconds: float
    exact: float
    bleu: float | None = None
    per: float | None = None
    by_length: dict[str, float] = field(default_factory=dict)
    losses: list[float] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)


def load_task(name: str) -> Task:
    """Load one of the three tasks by its name on the command line.

    Example:
        >>> load_task("cmudict").name
        'cmudict'

    Raises:
        ValueError: for an unknown name.
    """
    if name not in TASKS:
        raise ValueError(
            say("the task must be one of {tasks}, got {name!r}", tasks=", ".join(TASKS), name=name)
        )
    return (
        load_cmudict() if name == "cmudict" else load_phrasebook(name.removeprefix("phrasebook-"))
    )


def count(model: nn.Module) -> int:
    """Count the numbers a model learns; a shared table counts once.

    Example:
        >>> count(nn.Linear(3, 2))
        8
    """
    return sum(parameter.numel() for parameter in model.parameters())


def build_model(name: str, task: Task, seed: int = 0) -> Transformer | Seq2Seq:
    """Make an untrained model for a task; the GRUs are as large as the Transformer.

    Args:
        name: "transformer", "gru" (one vector holds the source) or "gru-attention".
        task: whose words it reads and writes.
        seed: of the first weights.

    Raises:
        ValueError: for an unknown name.
    """
    if name not in MODELS:
        raise ValueError(
            say(
                "the model must be one of {models}, got {name!r}",
                models=", ".join(MODELS),
                name=name,
            )
        )
    sizes = {"vocabulary": len(task.target_words), "source_vocabulary": len(task.source_words)}

    def transformer() -> Transformer:
        return Transformer(TransformerConfig.tiny(d_model=D_MODEL, dropout=DROPOUT, **sizes))

    def gru(hidden: int) -> Seq2Seq:
        attention: AttentionKind = "none" if name == "gru" else "additive"
        return Seq2Seq(
            Seq2SeqConfig(
                d_model=D_MODEL, hidden=hidden, attention=attention, dropout=DROPOUT, **sizes
            )
        )

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        if name == "transformer":
            return transformer()
        return gru(_width(gru, count(transformer())))


def _width(make: Callable[[int], nn.Module], parameters: int) -> int:
    """Find the even width at which a model first has so many parameters."""
    with torch.device("meta"):  # shapes without numbers: only their count is asked for
        return 2 * bisect_left(range(384), parameters, key=lambda half: count(make(2 * half)))


def config_for(task: str, model: str, steps: int | None = None, seed: int = 0) -> TrainingConfig:
    """Give the settings a training of the course runs with."""
    return TrainingConfig(steps=steps or STEPS[task], scale=SCALE[model], seed=seed)


def versions() -> dict[str, str]:
    """Say what the numbers of a training depend on beside the seed."""
    return {
        "python": platform.python_version(),
        "torch": torch.__version__,
        "machine": platform.machine(),
        "threads": str(torch.get_num_threads()),
        "cpu": torch.backends.cpu.get_cpu_capability(),
    }


def train_and_test(
    task_name: str,
    model_name: str,
    config: TrainingConfig,
    folder: Path | None = None,
    every: int = 200,
    progress: bool = True,
) -> tuple[nn.Module, TrainingResult]:
    """Train a model, or go on where it was stopped, and test it on the held-out pairs."""
    task = load_task(task_name)
    model = build_model(model_name, task, config.seed)
    trainer = Trainer(model, task.encode(task.train), config, D_MODEL)
    losses = trainer.run(folder, every, progress)
    result = TrainingResult(
        task=task_name,
        model=model_name,
        config=config,
        parameters=count(model),
        cpu_seconds=round(trainer.seconds, 1),
        losses=[round(loss, 4) for loss in losses],
        versions=versions(),
        **scores(model.eval(), task),
    )
    if folder is not None:
        write_whole(folder / "result.json", json.dumps(asdict(result)))
    return model, result


def scores(model: Transformer | Seq2Seq, task: Task) -> dict[str, Any]:
    """Measure a trained model on a task's held-out pairs, and on its over-long ones."""
    given = translate_pairs(model, task, task.test)
    if task.name == "cmudict":
        return {"exact": exact_match(given), "per": error_rate(given)}
    longer = translate_pairs(model, task, task.long)
    return {
        "exact": exact_match(given),
        "bleu": bleu(given),
        "by_length": exact_by_length([*given, *longer]),
    }


def fingerprint(task: Task) -> str:
    """Name the words of a task and their ids: a model fits these and no others."""
    words = "\n".join([*task.source_words.words, "", *task.target_words.words])
    return hashlib.sha256(words.encode()).hexdigest()[:16]


def export_model(model: nn.Module, task: Task, path: Path) -> None:
    """Write a trained model as half-precision numbers, to be shipped with the course."""
    tensors = {name: p.detach().half().contiguous() for name, p in model.named_parameters()}
    save_file(tensors, path, metadata={"task": task.name, "words": fingerprint(task)})


def load_trained(
    task_name: str, path: Path | None = None, task: Task | None = None
) -> tuple[Transformer, Task]:
    """Load the trained Transformer that comes with the course, ready to be used, and its task.

    Args:
        task_name: "phrasebook-ko" or "cmudict".
        path: of another model written by `export_model`, for the same task.
        task: it, if it need not be loaded.

    Raises:
        ValueError: the course brings no such model, or the words are not those it was trained on.
    """
    path = CHECKPOINTS / f"{task_name}.safetensors" if path is None else path
    if not path.exists():
        there = sorted(found.stem for found in CHECKPOINTS.glob("*.safetensors"))
        raise ValueError(
            say(
                "there is no trained model {path}; the course brings {there}",
                path=path,
                there=there,
            )
        )
    task = load_task(task_name) if task is None else task
    with safe_open(path, framework="pt") as file:
        if file.metadata()["words"] != fingerprint(task):
            raise ValueError(
                say(
                    "{path} was trained on other words than {task} has now",
                    path=path,
                    task=task_name,
                )
            )
        model = build_model("transformer", task)
        with torch.no_grad():
            for name, parameter in model.named_parameters():
                parameter.copy_(file.get_tensor(name))
    return cast(Transformer, model.eval()), task
