"""Notes direct, they never explain: what an exercise needs may not stand in a note alone.

A note is folded in a notebook and left off the site, so a reader may never see it. Looked for are
the glossary's terms, and numbers, that a core exercise names and a note explains, but neither the
core of its lesson nor that of an earlier one.
"""

import re
from collections.abc import Iterable

from nbformat import NotebookNode

from tutor.checking.examine import key
from tutor.exercises import find

from .files import EXERCISES, LESSONS, notebooks_in, read_notebook
from .prose.reading import plain
from .publishing.glossary import terms
from .times import cards, core_slides

_NUMBER = re.compile(r"(?<![\w.])(?:\d[\d,]*\.\d+|\.\d{2,}|\d[\d,]*\d)(?![\w])")


def only_in_notes(lesson: str) -> list[str]:
    """List what the core exercises of a lesson name and its notes alone explain."""
    notebook = read_notebook(LESSONS / f"{lesson}.ipynb")
    asked = asked_in(read_notebook(EXERCISES / f"{lesson}.ipynb"))
    noted = notes_in(notebook)
    names = [path.stem for path in notebooks_in(LESSONS)]
    before = names[: names.index(lesson) + 1]
    told = "\n".join(told_in(read_notebook(LESSONS / f"{name}.ipynb")) for name in before)
    return missing(asked, noted, told, glossary_words())


def missing(asked: str, noted: str, told: str, words: Iterable[str]) -> list[str]:
    """List the words and numbers that are asked and noted, but not told.

    Example:
        >>> missing("A spread of .25?", "The spread is .25.", "A row.", ["spread", "row"])
        ['spread', '.25']
    """
    needed = [word for word in words if _says(asked, word) and _says(noted, word)]
    numbers = [n for n in _NUMBER.findall(asked) if n in _NUMBER.findall(noted)]
    return [word for word in needed if not _says(told, word)] + [
        number for number in dict.fromkeys(numbers) if number not in told
    ]


def glossary_words() -> list[str]:
    """List the terms as a text has them: both where a line has two, or another in brackets."""
    split = [re.split(r" / | \(|\)|, ", term.english) for term in terms()]
    return [word for words in split for word in words if word]


def asked_in(exercises: NotebookNode) -> str:
    """Give what the core exercises of a notebook say: their cards, and predictions' questions."""
    core = {card.name for card in cards(exercises) if not card.extra}
    parts, inside = [], True
    for cell in exercises.cells:
        named = re.search(r"^`(\w+)` · ", cell.source, re.MULTILINE)
        if named:
            inside = named[1] in core
        if inside and cell.cell_type == "markdown":
            parts.append(plain(cell.source, folded=True))
    return "\n".join([*parts, *map(_question, sorted(core))])


def _question(name: str) -> str:
    exercise = find(name)
    if exercise.question is None:
        return ""
    (case,) = key(exercise, 0).cases.values()
    return exercise.question(**case)


def notes_in(lesson: NotebookNode) -> str:
    """Give what is said to the lecturer."""
    kinds = [cell.metadata.get("slideshow", {}).get("slide_type") for cell in lesson.cells]
    return "\n".join(
        plain(cell.source, folded=True)
        for cell, kind in zip(lesson.cells, kinds)
        if kind == "notes"
    )


def told_in(lesson: NotebookNode) -> str:
    """Give what the core says in text, tables included."""
    return "\n".join(cell.source for slide in core_slides(lesson) for cell in slide.texts())


def _says(text: str, word: str) -> bool:
    return bool(re.search(rf"\b{re.escape(word)}", text, re.IGNORECASE))
