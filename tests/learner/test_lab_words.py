"""JupyterLab's extension says all its words by `say`, in the workspace's language."""

import json
import re
from pathlib import Path

import pytest

from tests.learner.pseudo import left_over, spoken
from tutor import say
from tutor.learner.lab_words import EXTENSION, scripts, sentences_of, served_folders
from tutor.learner.language import catalogue

_COMMENT = re.compile(r"^\s*//.*$|\s// .*$", re.MULTILINE)
_SAID = re.compile(r'spoken\("(?:[^"\\\\]|\\\\.)*"')
_SHOWN = re.compile(
    r"""\b(?:label|caption|title|textContent|innerHTML)\s*[:=]\s*["'`]\s*[^"'`\s]"""
)
_BETWEEN_TAGS = re.compile(r">([^<>=;]*[A-Za-z]{2,}[^<>=;]*)</")
_HANDED = re.compile(r"""\bshowHint\(\s*["'`]""")


def english_in(script: str) -> list[str]:
    """List what a script shows without saying it."""
    code = _SAID.sub("spoken(", _COMMENT.sub("", script))
    code = re.sub(r"\$\{[^{}]*\}", "", code)
    return [found[0] for rule in (_SHOWN, _BETWEEN_TAGS, _HANDED) for found in rule.finditer(code)]


@pytest.mark.parametrize("script", scripts(), ids=lambda path: path.name)
def test_a_script_shows_nothing_that_is_not_said(script: Path):
    assert english_in(script.read_text("utf-8")) == []


@pytest.mark.parametrize(
    "script",
    [
        'hint.textContent = "This is the end.";',
        'add({ label: "Black screen" });',
        "<button>Back</button>",
        'showHint("Press S.")',
        "page.title = `Notes: ${name}`",
    ],
)
def test_words_that_are_not_said_are_seen(script: str):
    assert len(english_in(script)) == 1


def test_in_another_language_each_sentence_is_looked_up(tmp_path: Path):
    with spoken():
        _, held = served_folders(tmp_path)
    written = json.loads((Path(held) / EXTENSION.name / "words.json").read_text("utf-8"))
    said = {text for script in scripts() for text in sentences_of(script.read_text("utf-8"))}
    assert {*written["words"]} == said
    assert [text for text, other in written["words"].items() if left_over(other)] == []
    assert len(said) > 10


def test_a_korean_lab_says_everything_in_korean(tmp_path: Path):
    before = say.spoken()
    say.speak(catalogue("ko"))
    try:
        _, held = served_folders(tmp_path)
    finally:
        say.speak(before)
    written = json.loads((Path(held) / EXTENSION.name / "words.json").read_text("utf-8"))
    assert written["language"] == "ko"
    assert [text for text, other in written["words"].items() if text == other] == []


def test_where_words_cannot_be_written_english_is_spoken(tmp_path: Path):
    (tmp_path / ".tutor-lab").write_text("a file where a folder should be")
    assert served_folders(tmp_path) == [str(EXTENSION.parent)]
