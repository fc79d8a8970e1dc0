"""The command ``tutor train``: train one of the course's models and say how good it became."""

import argparse
import sys
from pathlib import Path

import torch

from tutor.commands.options import SEED, folder_to_write, whole
from tutor.display.table import padded
from tutor.say import say
from tutor.training.experiment import (
    MODELS,
    TASKS,
    TrainingResult,
    build_model,
    config_for,
    count,
    load_task,
    train_and_test,
)

MOST = 10**9  # steps: some years of computing
MOST_THREADS = 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the task and the options of ``tutor train`` to a parser."""
    parser.add_argument("task", choices=TASKS, help=say("What the model learns."))
    parser.add_argument(
        "--model", choices=MODELS, default="transformer", help=say("Which model learns it.")
    )
    parser.add_argument(
        "--steps",
        type=whole(1, MOST),
        metavar="NUMBER",
        help=say("How many batches it learns from. Without it: as many as the course's own."),
    )
    parser.add_argument(
        "--seed",
        type=whole(*SEED),
        default=0,
        metavar="NUMBER",
        help=say(
            "Draws weights, batches and dropout: the same seed gives the same model "
            "(here %(default)s)."
        ),
    )
    parser.add_argument(
        "--threads",
        type=whole(1, MOST_THREADS),
        default=1,
        metavar="NUMBER",
        help=say("How many of the processor's cores work on it (here %(default)s)."),
    )
    parser.add_argument(
        "--out",
        type=folder_to_write,
        metavar="FOLDER",
        help=say("The folder for checkpoints. Without it: runs/TASK-MODEL-seedN."),
    )
    parser.add_argument(
        "--every",
        type=whole(1, MOST),
        default=200,
        metavar="NUMBER",
        help=say("Write a checkpoint after so many batches (here %(default)s)."),
    )


def run(arguments: argparse.Namespace) -> int:
    """Train, test and report; 0 when done."""
    torch.set_num_threads(arguments.threads)
    try:
        _train(arguments)
    except ValueError as error:  # a checkpoint of other settings, a loss that is not a number
        print(say("The training stopped: {error}.", error=error), file=sys.stderr)
        return 1
    return 0


def _train(arguments: argparse.Namespace) -> None:
    task, model = arguments.task, arguments.model
    config = config_for(task, model, arguments.steps, arguments.seed)
    folder = arguments.out or Path("runs") / f"{task}-{model}-seed{config.seed}"
    data = load_task(task)
    parameters = count(build_model(model, data))
    print(
        say(
            "{task}, {model}: {parameters:,} parameters, {steps:,} steps, {train:,} "
            "pairs to learn from, {test:,} held out.\nCheckpoints go to {folder}; started "
            "again, the same command goes on from there.",
            task=task,
            model=model,
            parameters=parameters,
            steps=config.steps,
            train=len(data.train),
            test=len(data.test),
            folder=folder,
        )
    )
    _, result = train_and_test(task, model, config, folder, arguments.every)
    print(report(result))
    print(
        say("All numbers, the loss of every step among them: {file}", file=folder / "result.json")
    )


def report(result: TrainingResult) -> str:
    """Write a result as lines for people.

    Example:
        >>> config = config_for("cmudict", "gru", steps=9)
        >>> print(report(TrainingResult("cmudict", "gru", config, 10, 2.5, exact=0.25, per=0.5)))
        parameters      10
        steps           9
        CPU seconds     2.5
        exact match     0.250 of the held-out pairs
        PER             0.500 edits a phoneme
    """
    lines = [
        (say("parameters"), f"{result.parameters:,}"),
        (say("steps"), f"{result.config.steps:,}"),
        (say("CPU seconds"), f"{result.cpu_seconds:.1f}"),
        (say("exact match"), say("{share:.3f} of the held-out pairs", share=result.exact)),
    ]
    if result.per is not None:
        lines.append(("PER", say("{edits:.3f} edits a phoneme", edits=result.per)))
    elif result.bleu is not None:
        lines.append(("BLEU", f"{result.bleu:.1f}"))
    else:
        lines.append(("BLEU", say("not computed: it needs sacrebleu (pip install sacrebleu)")))
    for names, exact in result.by_length.items():
        share = f"{exact:.3f}"
        if names == "8":
            share = say("{share} (longer than any it learned from)", share=share)
        lines.append((say("lists of {names}", names=names), share))
    return "\n".join(f"{padded(name, 16)}{value}" for name, value in lines)
