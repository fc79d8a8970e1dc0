"""Sentences come from a catalogue, with their gaps filled."""

from gettext import NullTranslations

import pytest
from IPython.core.interactiveshell import InteractiveShell

from tutor.say import say, say_count, speak

KOREAN = {
    "The shape is {shape}.": "모양은 {shape}입니다.",
    "{count} word is left.": "{count}개의 낱말이 남았습니다.",
    "The {first} precedes {second}.": "{second} 앞에 {first}.",
    "Write {name}.": "{nmae}.",
    "Call {name}.": "{name",
}


class Korean(NullTranslations):
    def gettext(self, message):
        return KOREAN.get(message, message)

    def ngettext(self, msgid1, msgid2, n):
        return KOREAN.get(msgid1, msgid1 if n == 1 else msgid2)


@pytest.fixture
def _korean():
    speak(Korean())
    yield
    speak(NullTranslations())


def test_gaps_are_filled_by_name_and_never_read_as_gaps():
    assert say("It reads: {text}", text="{name} and 5 %") == "It reads: {name} and 5 %"


def test_a_missing_gap_is_an_error():
    with pytest.raises(KeyError):
        say("The {first} precedes {second}.", first="x")


def test_a_sentence_without_gaps_may_hold_braces():
    assert say("A dictionary is written {1: 2}.") == "A dictionary is written {1: 2}."


@pytest.mark.usefixtures("_korean")
def test_another_language_orders_words_as_it_likes():
    assert say("The shape is {shape}.", shape=(2,)) == "모양은 (2,)입니다."
    assert say("The {first} precedes {second}.", first="x", second="y") == "y 앞에 x."
    assert say("Not translated yet.") == "Not translated yet."
    assert say_count("{count} word is left.", "{count} words are left.", 3).startswith("3개")


@pytest.mark.usefixtures("_korean")
def test_a_translation_with_a_broken_gap_falls_back_to_english():
    assert say("Write {name}.", name="x") == "Write x."
    assert say("Call {name}.", name="x") == "Call x."


def test_a_notebook_shows_a_plain_errors_sentence_without_a_traceback(capsys):
    InteractiveShell().run_cell(
        "from tutor.models.missing_model import MissingModelError\n"
        'raise MissingModelError("MiniLM", 83, "pip install it")'
    )
    shown = capsys.readouterr().out
    assert shown.startswith("The model MiniLM is not installed; it is optional and 83 MB.")
    assert len(shown.splitlines()) == 5
