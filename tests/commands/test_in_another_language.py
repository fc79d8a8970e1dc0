"""Whatever a command's help says can be translated; argparse's own words are argparse's."""

import argparse
import re

import pytest

from tests.learner.pseudo import left_over, spoken
from tutor.commands import cli

_CODE = re.compile(r"`[^`]*`|--?[a-z][\w-]*|\b[A-Z]{2,}\b")


def helped(name: str) -> list[str]:
    """Give what the help of a command says of it and of each option."""
    parser = cli._parser(name)
    (commands,) = (one for one in parser._actions if isinstance(one, argparse._SubParsersAction))
    chosen = commands.choices[name]
    told = [choice.help for choice in commands._choices_actions]
    told += [action.help for action in chosen._actions if action.dest != "help"]
    return [text for text in (parser.description, chosen.description, chosen.epilog, *told) if text]


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_the_help_of_a_command_can_be_translated(name: str):
    with spoken():
        told = helped(name)
    assert [text for text in told if left_over(_CODE.sub("", text))] == []
