"""Sentences in which a word has one of two senses, each written for the sense it is meant in.

They are the course's own. Scripts in `tools/results/` ask with them what a model makes of a word.
"""

from pathlib import Path

TEXT = Path(__file__).with_suffix(".txt")
Senses = dict[str, tuple[list[str], list[str]]]


def word_senses() -> Senses:
    """Read them: word -> the sentences of its first sense, and of its second."""
    found: Senses = {}
    for block in TEXT.read_text(encoding="utf-8").strip().split("\n\n"):
        title, *sentences = block.split("\n")
        word, sense = title.removeprefix("# ").split(", ")
        found.setdefault(word, ([], []))[int(sense) - 1].extend(sentences)
    return found
