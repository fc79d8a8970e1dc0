"""A lesson as it is read: its sittings, and Markdown as words and sentences."""

import re
from dataclasses import dataclass, field

from nbformat import NotebookNode

from ..times import core_slides

_CODE, _FORMULA = "Code", "X"  # capitals: they may begin a sentence
_FOLDED = re.compile(r"<details>.*?</details>", re.DOTALL)
_ABBREVIATED = re.compile(r"\b(et al|Mr|Mrs|vs|e\.g|i\.e)\.")
_LABEL = re.compile(r"\*\*(Predict|What happened|Your turn)\.\*\*")
_ASKED = re.compile(r"\*\*Predict\.\*\*(.*)", re.DOTALL)


@dataclass
class Sitting:
    """What is taught in one go, without what goes deeper, is folded, or is said to a lecturer.

    Attributes:
        name: of the lesson; from the second sitting on with its Roman number.
        slides: of each slide, its cells' texts, plain.
        predictions: what is asked.
    """

    name: str
    slides: list[list[str]] = field(default_factory=list)
    predictions: list[str] = field(default_factory=list)

    @property
    def texts(self) -> list[str]:
        """All its texts."""
        return [text for slide in self.slides for text in slide]


def sittings_of(name: str, notebook: NotebookNode) -> list[Sitting]:
    """Give what is taught in one go of a lesson, mostly one, of some two or three."""
    found: dict[int, Sitting] = {}
    for slide in core_slides(notebook):
        number = slide.sitting
        roman = " " + "I" * (number + 1) if number else ""
        sitting = found.setdefault(number, Sitting(name + roman))
        sources = [cell.source for cell in slide.texts()]
        sitting.slides.append(list(map(plain, sources)))
        asked = filter(None, map(_ASKED.search, sources))
        sitting.predictions += [" ".join(one[1].split()) for one in asked]
    return list(found.values())


def plain(markdown: str, folded: bool = False) -> str:
    """Give Markdown as it is read: no tables, tags, links or formulas; italics stay marked.

    Args:
        markdown: a cell's text.
        folded: what is folded away counts too.

    Example:
        >>> plain("The *cosine* of [two rows](#rows) is $x$. <details>Six seeds.</details>")
        'The *cosine* of two rows is X. '
    """
    text = markdown if folded else _FOLDED.sub("", markdown)
    text = re.sub(r"^```.*?^```", _CODE, text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"\$\$.*?\$\$", _FORMULA, text, flags=re.DOTALL)
    text = re.sub(r"\$[^$]+\$", _FORMULA, text)
    text = re.sub(r"`[^`]+`", _CODE, text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"<[^>]+>", "", text)
    text = re.sub(r"\[[-−\d., /½]+\]", _FORMULA, text)  # a vector is one thing to read
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("|"))


def words(text: str) -> list[str]:
    """List words and numbers, as a reader counts them."""
    return re.findall(r"[^\W_]+(?:['’.,-][^\W_]+)*", text.replace("*", ""))


def sentences(text: str) -> list[str]:
    r"""List the sentences of at least three words; headings are none.

    Example:
        >>> sentences("## Rows\n\nA row is picked. Which one? Yes.")
        ['A row is picked.']
    """
    found: list[str] = []
    for block in re.split(r"\n\s*\n|\n\s*[-*] ", "\n" + text):
        block = " ".join(block.split())
        if not block.startswith("#"):
            block = _ABBREVIATED.sub(r"\1", _LABEL.sub("", block))
            found += re.split(r"(?<=[.!?…])[\"”’)*]*\s+(?=[A-Z0-9*\"“(])", block)
    return [one.strip() for one in found if len(words(one)) >= 3]
