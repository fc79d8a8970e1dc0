"""What lessons keep so that they can be taught: minutes, titles, predictions, exercises in time."""

import re
from collections.abc import Collection, Mapping

from nbformat import NotebookNode

from .exercises import tags_of
from .rules import Complaints, code_cells
from .times import MOST_MINUTES, Slide, cards, core_minutes, core_slides, sittings

# All other lessons have one.
SITTINGS = {"06_residual_and_layer_norm": 2, "08_full_transformer": 3}

# A title with one of these says how it ends. A question, or the name of the matter, does not.
_ASKS = re.compile(r"(What|Why|How|Who|Where|When|Which)\b|.*\?$")
_SAYS = re.compile(
    r"\b(is|are|was|were|isn't|aren't|can|cannot|can't|will|does|do|doesn't|don't|has|have|needs?|"
    r"matters?|sees?|keeps?|learns?|knows?|grows?|falls?|rises?|wins?|loses?|fails?|works?|stays?|"
    r"becomes?|gets?|gives?|takes?|makes?|comes?|goes|forgets?|remembers?|depends?|differs?)\b",
    re.IGNORECASE,
)
_PICTURE_WORDS = re.compile(r"\b(alt|kinds)=")
_ROW = re.compile(r"^\| *\d+ *\| *`(\w+)` *\|.*\| *(\d+)( *extra)? *\|$", re.MULTILINE)


def timed(notebook: NotebookNode) -> Complaints:
    """Every core slide has minutes enough, and those of a sitting are not too many."""
    for slide in core_slides(notebook):
        least = slide.least_minutes()
        if slide.minutes == 0:
            yield f"slide {slide.name} has no note `For the lecturer: {least} min`"
        elif slide.minutes < least:
            yield f"slide {slide.name} has {slide.minutes} min; what is on it takes {least}"
    for number, minutes in enumerate(sittings(notebook), 1):
        if minutes > MOST_MINUTES:
            yield f"sitting {number} has {minutes} min; {MOST_MINUTES} are allowed"


def neutral_titles(notebook: NotebookNode) -> Complaints:
    """A title above a prediction does not answer it."""
    for slide in core_slides(notebook):
        says = _SAYS.search(slide.title) and not _ASKS.match(slide.title)
        if slide.predictions and says:
            yield f"slide {slide.name} asks under a title that is a sentence: {slide.title!r}"


def predictions_answered(notebook: NotebookNode) -> Complaints:
    """After a prediction comes what shows the result, and then, to be opened, what happened."""
    for slide in core_slides(notebook):
        if slide.predictions and not _asked_shown_told(slide):
            yield f"slide {slide.name} asks for a prediction; then come a result and a `reveal`"


def _asked_shown_told(slide: Slide) -> bool:
    kinds = ["told" if "reveal" in tags_of(cell) else cell.cell_type for cell in slide.cells]
    return "told" in kinds and "code" in kinds[: kinds.index("told")]


def no_answers_in_code(notebook: NotebookNode) -> Complaints:
    """The code that a reader runs does not hold what its picture will show."""
    for cell in code_cells(notebook):
        if found := _PICTURE_WORDS.search(cell.source):
            yield f"cell {cell.id} has {found.group()!r} in its code: its function knows it"


def exercises_timed(notebook: NotebookNode, names: Collection[str]) -> Complaints:
    """Every exercise has its card, the table says the same, and the core fits a sitting."""
    listed = cards(notebook)
    for name in sorted(set(names) - {card.name for card in listed}):
        yield f"exercise {name} has no card `name` · points · difficulty · N minutes"
    rows = [
        (name, int(minutes), bool(extra))
        for cell in notebook.cells
        for name, minutes, extra in _ROW.findall(cell.source)
    ]
    if rows != [(card.name, card.minutes, card.extra) for card in listed]:
        yield "the table of exercises and their cards do not say the same"
    for minutes in core_minutes(notebook):
        if minutes > MOST_MINUTES:
            yield f"core exercises take {minutes} minutes; {MOST_MINUTES} are allowed"


def lesson_complaints(name: str, notebook: NotebookNode) -> list[str]:
    """Give what is wrong with a lesson for its teaching."""
    rules = (timed, neutral_titles, predictions_answered, no_answers_in_code)
    found = [complaint for rule in rules for complaint in rule(notebook)]
    count = len(sittings(notebook))
    if count != SITTINGS.get(name, 1):
        found.append(f"has {count} sittings")
    return found


def solution_complaints(notebook: NotebookNode, points: Mapping[str, int]) -> list[str]:
    """Give what is wrong with a lesson's exercises for their teaching."""
    return list(exercises_timed(notebook, points))
