"""All texts of the course that are translated, each in the catalogue it belongs into."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tutor.claims.register import REGISTER
from tutor.claims.runs import load_sweep
from tutor.claims.words import MEASURED, READ_BY_MODELS
from tutor.learner.lab_words import scripts, sentences_of
from tutor.learner.segments import has_words, translated

from ..files import ROOT
from .package_text import Text, texts_of_module
from .page_text import texts_of_template

SHARED = "shared"  # what several catalogues would have
_FOLDERS = {"exercises": "hints", "explorers": "explorers", "claims": "claims"}
_OWN = ("grading", "commands")
_NOT_READ = ("data", "models", "training")  # errors for programmers and names of data
_BUT_READ = {  # what models of a learner's functions say, and what a training prints
    *(f"models/{name}from_parts.py" for name in ("", "plain_", "speaker_", "translator_")),
    *(f"models/{name}.py" for name in ("missing_model", "smollm", "tracing")),
    *(f"training/{name}.py" for name in ("checkpoint", "experiment", "train")),
}


class Found(NamedTuple):
    """A text, with the file and the place in it where it stands.

    Attributes:
        text: what is translated.
        file: below the course's folder.
        place: the id of a notebook's cell, else "".
    """

    text: Text
    file: str
    place: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What tells it from other entries of a catalogue."""
        return self.text.context or "", self.text.text


Catalogues = dict[str, list[Found]]


def everything(root: Path = ROOT) -> Catalogues:
    """Give every text of the course by the catalogue it belongs into.

    A text that stands in several goes into `shared`.
    """
    found: Catalogues = {}
    for path in _files(root):
        found.setdefault(catalogue_of(path.relative_to(root)), []).extend(texts_of(path, root))
    names = Counter(key for texts in found.values() for key in {one.key for one in texts})
    apart = {name: [one for one in texts if names[one.key] == 1] for name, texts in found.items()}
    shared = [one for texts in found.values() for one in texts if names[one.key] > 1]
    return {name: texts for name, texts in {**apart, SHARED: shared}.items() if texts}


def catalogue_of(file: Path) -> str:
    """Name the catalogue of a file, given by its path below the course's folder.

    Example:
        >>> catalogue_of(Path("solutions/04_self_attention.ipynb"))
        'exercises04'
        >>> catalogue_of(Path("tutor/explorers/lesson04_self_attention/drawers.py"))
        'explorers04'
    """
    folder = file.parts[0]
    if folder == "tools":
        return "site"
    if folder != "tutor":
        return f"{'lesson' if folder == 'notebooks' else 'exercises'}{file.name[:2]}"
    if file.suffix == ".json":
        return f"claims{_lessons_of_sweeps()[file.stem]}"
    layer, lesson = file.parts[1], next((p for p in file.parts if p.startswith("lesson")), "")
    if layer in _FOLDERS and lesson:
        return f"{_FOLDERS[layer]}{lesson[6:8]}"
    return layer if layer in _OWN else "package"


def texts_of(path: Path, root: Path = ROOT) -> Iterator[Found]:
    """Find the texts of a notebook, a module, a stored sweep, or a page's template or script."""
    file = path.relative_to(root).as_posix()
    if path.suffix != ".ipynb":
        for text in _texts_in(path):
            yield Found(text, file)
        return
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        for segment in segments_of(cell):
            yield Found(Text(segment, _kind(cell)), file, cell["id"])


def _texts_in(path: Path) -> Iterator[Text]:
    if path.suffix == ".json":
        labels = _labels_of(path.stem)
        return (Text(label, "label of what was measured", context=MEASURED) for label in labels)
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return texts_of_module(source)
    if path.suffix == ".js":
        return (Text(text, "page") for text in sentences_of(source))
    return texts_of_template(source)


def segments_of(cell: dict) -> list[str]:
    """List the segments of a cell."""
    seen: list[str] = []
    translated({"cells": [cell]}, seen.append)
    return seen


def _kind(cell: dict) -> str:
    if cell["metadata"].get("slideshow", {}).get("slide_type") == "notes":
        return "note to the lecturer"
    if cell["cell_type"] == "code":
        return "code"
    return "answer" if "reveal" in cell["metadata"].get("tags", []) else "text"


def _files(root: Path) -> list[Path]:
    folders = ("notebooks", "exercises", "solutions")
    notebooks = [path for folder in folders for path in sorted((root / folder).glob("*.ipynb"))]
    return notebooks + package_files(root) + pages(root)


def package_files(root: Path = ROOT) -> list[Path]:
    """List the package's files whose words readers see."""
    return modules(root) + scripts() + sweeps(root)


def modules(root: Path = ROOT) -> list[Path]:
    """List the modules whose words readers see."""
    package = root / "tutor"
    return [path for path in sorted(package.rglob("*.py")) if _is_read(path.relative_to(package))]


def _is_read(module: Path) -> bool:
    return module.parts[0] not in _NOT_READ or module.as_posix() in _BUT_READ


def pages(root: Path = ROOT) -> list[Path]:
    """List what the pages of the site are made by: modules, templates, scripts."""
    publishing = root / "tools" / "authoring" / "publishing"
    kinds = ("*.py", "templates/**/*.j2", "templates/**/*.jinja2", "templates/**/*.js")
    found = [path for kind in kinds for path in sorted(publishing.glob(kind))]
    return [*found, root / "tools" / "authoring" / "claims_page.py"]


def sweeps(root: Path = ROOT) -> list[Path]:
    """List the stored sweeps behind claims, whose labels stand in measured tables."""
    results = root / "tutor" / "data" / "results"
    return [results / f"{sweep}.json" for sweep in sorted(_lessons_of_sweeps())]


@cache
def _lessons_of_sweeps() -> dict[str, str]:
    """Give each stored sweep's lesson, by its number: the last that measured a claim by it."""
    return {claim.sweep: claim.lesson[:2] for claim in REGISTER}


def _labels_of(sweep: str) -> list[str]:
    """List what a sweep calls its axes, its numbers, and those values that are words."""
    stored = load_sweep(sweep)
    axes = [axis for axis in stored.axes if axis not in READ_BY_MODELS]
    values = [value for axis in axes for value in stored.runs.values_of(axis)]
    names = [*stored.labels.values(), *(value for value in values if isinstance(value, str))]
    return [name for name in dict.fromkeys(names) if has_words(name)]
