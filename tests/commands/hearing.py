"""Runs commands in the pseudo-language, and hears what stays English."""

import argparse
import contextlib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from tests.learner.pseudo import english_in, spoken
from tutor.commands import cli, grade
from tutor.exercises import lessons
from tutor.learner import language
from tutor.learner.own_parts import MODELS

Heard = Callable[..., list[str]]
NAMES = {"tutor", *cli.COMMANDS, *MODELS, *(one.name for all in lessons().values() for one in all)}


def hearing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Heard:
    """Give what runs a command in a folder and lists the words of its output that are English."""
    for module in (language, grade):  # they would speak another
        monkeypatch.setattr(module, "speak", lambda catalogue: None)
    monkeypatch.chdir(folder)

    def heard(*words: str) -> list[str]:
        with spoken(), contextlib.suppress(SystemExit):
            cli.main(words)
        said = capsys.readouterr()
        assert said.out + said.err
        return english_in(said.out + said.err, NAMES | _places(words[:1]))

    return heard


def _places(command: tuple[str, ...]) -> set[str]:
    """Give the names that a command's help has for what is written in their place."""
    parser = argparse.ArgumentParser()
    if {*command} & cli.COMMANDS.keys():
        import_module(f"tutor.commands.{command[0]}").add_arguments(parser)
    return {action.dest for action in parser._actions}
