"""Texts of notebooks are taken out and put back; nothing else moves."""

import json
import re
from pathlib import Path

import pytest

from tests.learner.pseudo import pseudo
from tools.authoring.files import EXERCISES, LESSONS, SOLUTIONS, notebooks_in
from tutor.learner.code_segments import in_code, skeleton
from tutor.learner.folding import fold, is_reveal, unfold
from tutor.learner.segments import KEPT, Notebook, in_markdown, pieces, translated

NOTEBOOKS = notebooks_in(LESSONS, EXERCISES, SOLUTIONS)


def read(path: Path) -> Notebook:
    notebook: Notebook = json.loads(path.read_bytes())
    return notebook


def texts_of(notebook: Notebook) -> list[str]:
    return ["".join(cell["source"]) for cell in notebook["cells"]]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_notebook_comes_back_byte_for_byte(path: Path):
    again = translated(read(path), lambda text: text)
    whole = json.dumps(again, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    assert whole.encode() == path.read_bytes()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_in_another_language_the_code_is_the_same(path: Path):
    old, new = read(path), translated(read(path), pseudo)
    for before, after in zip(old["cells"], new["cells"], strict=True):
        assert {**before, "source": 0} == {**after, "source": 0}
        here, there = "".join(before["source"]), "".join(after["source"])
        if before["cell_type"] == "code":
            assert skeleton(here) == skeleton(there), before["id"]
        else:
            assert sorted(KEPT.findall(here)) == sorted(KEPT.findall(there)), before["id"]
        if is_reveal(after):
            assert there == unfold(fold(there)) != fold(there), "its answer lies open"


def test_whatever_is_read_is_translated():
    new = translated(read(LESSONS / "04_self_attention.ipynb"), lambda text: "번역")
    left = re.compile(r"[A-Za-z]{3,}")
    cells = [cell for cell in new["cells"] if cell["cell_type"] == "markdown"]
    found = [left.findall(KEPT.sub("", "".join(cell["source"]))) for cell in cells]
    assert [words for words in found if words] == []


@pytest.mark.parametrize(
    "text",
    [
        "# Title\n\nOne.\nTwo.\n\n- an item\n- another\n\n1. first",
        "| | a head |\n|---|---|\n| 1 | of `x` \\| |",
        "<details><summary>How sure?</summary>\n\nText.\n\n</details>",
        "In one block\n$$a + b$$\nand on.",
        "```\ncode alone\n```\n\n\n> quoted",
    ],
)
def test_pieces_join_again(text: str):
    assert "".join(piece for _, piece in pieces(text)) == text


def test_segments_are_what_a_reader_reads_in_one_go():
    text = (
        "## Who asks?\n\nA row,\nfolded.\n\n- an item\n- $x$\n\n| | a head |\n|---|---|\n| 1 | 2 |"
    )
    assert [piece for is_segment, piece in pieces(text) if is_segment] == [
        "Who asks?",
        "A row,\nfolded.",
        "an item",
        "a head",
    ]


def test_a_line_that_differs_in_numbers_is_one_segment():
    look = {"{minutes} extra": "{minutes} 추가"}.get
    assert in_markdown("15 extra", look) == "15 추가"
    assert in_markdown("15 extra words", look) == "15 extra words"


def test_of_code_only_what_is_shown_is_translated():
    code = (
        "words = ['the', 'bank']  # (3, 4) -> (3,)\n"
        'print(f"é {len(words)} words", words[0], sep=" and ")  # all of them\n'
        'predict("a-name", ["it grows", "it stays"])\n'
        'def f():\n    """Give one."""\n    raise ValueError("no such word")\n'
        "### BEGIN SOLUTION\n"
    )
    seen: list[str] = []
    assert in_code(code, seen.append) == code
    shown = ["é {len(words)} words", "it grows", "it stays", "Give one.", "no such word"]
    assert sorted(seen) == sorted([*shown, "all of them"])
    new = in_code(code, pseudo)
    assert 'print(f"【é {len(words)} words】", words[0], sep=" and ")  # 【all of them】' in new
    assert skeleton(new) == skeleton(code)


@pytest.mark.parametrize(
    ("code", "labels"),
    [
        ('for name, x in (("clipped", 1), ("as it is", 2)):\n    print(f"{name:9}", f(x))', 2),
        ('for word in ("river", "bank"):\n    print(word, model(word))', 0),
        ('for word, x in zip(["river", "bank"], rows):\n    print(word, x)', 0),
        ('norms = {"layer norm": a, "batch norm": b}\nfor name in norms.items():\n    f(name)', 0),
        ('given = {"by hand": a}\ngiven["by torch"] = b\nfor n, x in given.items():\n print(n)', 2),
        ('given = {"by hand": a}\nf(given)\nfor name, x in given.items():\n    print(name)', 0),
        ('rows = []\nfor r in (1, 2):\n    rows.append(["in all", r])\ntext_table([], rows)', 1),
        ('text_table([], [[name, x] for name, x in (("first", 1), ("last", 2))])', 2),
        ('shown = "  ".join(f"{k} names" for k in rows)\nprint(shown)', 1),
        ('words = "the river"\nprint(words)\nmodel(words)', 0),
        ('print(*(f"step {k}" for k in steps))', 1),
    ],
)
def test_a_string_that_is_only_shown_is_translated_whatever_name_it_goes_through(
    code: str, labels: int
):
    seen: list[str] = []
    in_code(code, seen.append)
    assert len(seen) == labels
    assert skeleton(in_code(code, pseudo)) == skeleton(code)


def test_quotes_and_breaks_in_a_translation_stay_in_their_string():
    new = in_code('print("one")\ndef f():\n    """Two."""', lambda _: 'a "b"\nc \\d ')
    assert skeleton(new) == skeleton('print("one")\ndef f():\n    """Two."""')


def test_what_stays_english_is_marked_once_a_cell():
    cells = [{"cell_type": "markdown", "source": [text]} for text in ("One.", "Two.\n\nThree.")]
    notebook = {"cells": [*cells, {"cell_type": "code", "source": ['print("a word")']}]}
    some = texts_of(translated(notebook, {"One.": "하나."}.get, mark="영어"))
    assert some == ["하나.", "Two.\n\nThree.\n\n<sub>영어</sub>", 'print("a word")']
    none = texts_of(translated(notebook, {}.get, mark="영어"))
    assert none == ["One.\n\n<sub>영어</sub>", "Two.\n\nThree.", 'print("a word")']
