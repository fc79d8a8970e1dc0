"""What every notebook is held to, read from its file alone; each rule gives its complaints."""

import re
from collections.abc import Callable, Iterator

from nbformat import NotebookNode

from tutor.learner.folding import fold

from .execute import NOT_RUN
from .exercises import tags_of
from .files import notebook_text
from .normalise import normalise
from .pictures import png_bytes
from .text import SLIDE_TYPES, TAGS
from .times import core_slides
from .words import count_words

LINES_IN_A_CELL = 25
WORDS_IN_A_CELL = 120
WORDS_IN_A_SITTING = 3500
KILOBYTES_IN_A_PICTURE = 60
SHORTEST_ALT_TEXT = 30  # characters

Complaints = Iterator[str]
Rule = Callable[[NotebookNode], Complaints]

# What differs from machine to machine or from run to run.
_UNSTABLE = {
    "an absolute path": re.compile(
        r"(?<![\w.:/])/(home|root|work|tmp|usr|opt|Users|var)/|[A-Z]:\\"
    ),
    "an address in memory": re.compile(r"0x[0-9a-f]{6,}"),
    "a timing": re.compile(r"\b(wall|cpu) times?:|\bit/s\b|\bs/it\b", re.IGNORECASE),
}
_CLOCK = re.compile(r"\b(perf_counter|process_time|time\.time|timeit|datetime\.now)\b|^%%?time")
_RANDOM = re.compile(r"\b(torch\.(rand|randn|randint|randperm|normal|multinomial)|np\.random\.)\b")


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """List the code cells."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def text_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """List the Markdown cells."""
    return [cell for cell in notebook.cells if cell.cell_type == "markdown"]


def in_normal_form(notebook: NotebookNode) -> Complaints:
    """Ids, metadata and outputs are as `refresh` writes them."""
    if notebook_text(notebook) != notebook_text(normalise(notebook)):
        yield "is not normalised: run `make notebooks`"


def short_cells(notebook: NotebookNode) -> Complaints:
    """No cell is longer than a screen."""
    for cell in code_cells(notebook):
        lines = [line for line in cell.source.splitlines() if " SOLUTION" not in line]
        if len(lines) > LINES_IN_A_CELL:
            yield f"cell {cell.id} has {len(lines)} lines; {LINES_IN_A_CELL} are allowed"
    for cell in text_cells(notebook):
        words = count_words(cell.source)
        if words > WORDS_IN_A_CELL:
            yield f"cell {cell.id} has {words} words; {WORDS_IN_A_CELL} are allowed"


def pictures_with_alt_text(notebook: NotebookNode) -> Complaints:
    """A reader who does not see a picture reads what it shows; no picture is heavy."""
    for cell in code_cells(notebook):
        for output in cell.outputs:
            data = output.get("data", {})
            if any(kind.startswith("image/") and kind != "image/png" for kind in data):
                yield f"cell {cell.id} stores a picture that is no PNG"
            if "image/png" not in data:
                continue
            alt = data.get("text/plain", "")
            if len(alt) < SHORTEST_ALT_TEXT or alt.startswith("<"):
                yield f"cell {cell.id} shows a picture without alt text: {alt!r}"
            kilobytes = len(png_bytes(data["image/png"])) / 1000
            if kilobytes > KILOBYTES_IN_A_PICTURE:
                yield f"cell {cell.id} stores a picture of {kilobytes:.0f} KB"
    for cell in text_cells(notebook):
        yield from _markdown_pictures(cell)


def _markdown_pictures(cell: NotebookNode) -> Complaints:
    for alt, target in re.findall(r"!\[([^\]]*)\]\(([^)\s]*)", cell.source):
        if len(alt) < SHORTEST_ALT_TEXT:
            yield f"cell {cell.id} shows {target} without alt text"
        if target.startswith("http"):
            yield f"cell {cell.id} shows {target}, which needs a network"
    if "<img" in cell.source:
        yield f"cell {cell.id} shows a picture by HTML; write ![alt text](path)"


def nothing_said_before(notebook: NotebookNode) -> Complaints:
    """A cell's code does not say what its picture will show: a reader is about to predict it."""
    for cell in code_cells(notebook):
        if re.search(r"\b(alt|kinds)\s*=", cell.source):
            yield f"cell {cell.id} holds an alt text or colours; a picture's function knows them"


def clean_outputs(notebook: NotebookNode) -> Complaints:
    """Outputs hold no errors, no warnings, and nothing that another machine prints otherwise."""
    for cell in code_cells(notebook):
        for output in cell.outputs:
            if output.output_type == "error":
                yield f"cell {cell.id} ended in {output.ename}"
            if output.get("name") == "stderr":
                yield f"cell {cell.id} wrote to stderr: {output.text[:80]!r}"
            for text in _texts(output):
                for what, pattern in _UNSTABLE.items():
                    if found := pattern.search(text):
                        yield f"cell {cell.id} prints {what}: {found.group()!r}"


def _texts(output: NotebookNode) -> list[str]:
    kinds = ("text/plain", "text/html", "text/markdown")
    data = output.get("data", {})
    return [output.get("text", "")] + [data[kind] for kind in kinds if kind in data]


def same_everywhere(notebook: NotebookNode) -> Complaints:
    """Cells that are executed here read no clock and draw no unseeded random numbers.

    None sets the number of threads: the course computes with one, unless its reader chose.
    """
    executed = [cell for cell in code_cells(notebook) if NOT_RUN not in tags_of(cell)]
    for cell in executed:
        if "set_num_threads" in cell.source:
            yield f"cell {cell.id} sets the number of threads, which is the reader's to choose"
        if found := _CLOCK.search(cell.source):
            yield f"cell {cell.id} reads a clock ({found.group()}); show a stored result instead"
    draws = any(_RANDOM.search(cell.source) for cell in executed)
    if draws and not any("manual_seed" in cell.source for cell in executed):
        yield "draws random numbers without a seed (torch.manual_seed)"


def known_tags(notebook: NotebookNode) -> Complaints:
    """Nothing is skipped or ignored without a reason beside it."""
    for cell in notebook.cells:
        unknown = sorted(set(tags_of(cell)) - set(TAGS))
        if unknown:
            yield f"cell {cell.id} has unknown tags {unknown}"
        if "NBVAL_" in cell.source:
            yield f"cell {cell.id} steers nbval by a comment; only the tag {NOT_RUN} is used"
        if NOT_RUN in tags_of(cell):
            if not cell.source.startswith("# Live: "):
                yield f"cell {cell.id} is not executed and its first line says no `# Live: ` reason"
            if cell.outputs:
                yield f"cell {cell.id} is not executed but stores outputs"


def executed(notebook: NotebookNode) -> Complaints:
    """Every code cell was executed, but for those marked to be run live."""
    for cell in code_cells(notebook):
        if cell.execution_count is None and NOT_RUN not in tags_of(cell):
            yield f"cell {cell.id} was not executed"


def not_executed(notebook: NotebookNode) -> Complaints:
    """An exercise is handed out without outputs."""
    for cell in code_cells(notebook):
        if cell.execution_count is not None or cell.outputs:
            yield f"cell {cell.id} of an exercise stores outputs"


def slides(notebook: NotebookNode) -> Complaints:
    """The first cell of each slide says so; cells that continue it have no slide metadata."""
    types = [cell.metadata.get("slideshow", {}).get("slide_type") for cell in notebook.cells]
    if not types or types[0] != "slide":
        yield "does not begin with a slide"
    for cell, kind in zip(notebook.cells, types):
        if "slideshow" in cell.metadata and kind not in SLIDE_TYPES:
            yield f"cell {cell.id} has slide type {kind!r}; continuation cells have none"


def answers(notebook: NotebookNode) -> Complaints:
    """What a prediction was about can be folded, and comes on slides by a press of its own."""
    for cell in notebook.cells:
        if "reveal" not in tags_of(cell):
            continue
        if cell.cell_type != "markdown" or fold(cell.source) == cell.source:
            yield f"cell {cell.id} tells what happened but has no heading in bold to fold it under"
        if cell.metadata.get("slideshow", {}).get("slide_type") != "fragment":
            yield f"cell {cell.id} tells what happened but is no fragment"


def core_length(notebook: NotebookNode) -> Complaints:
    """A sitting's core can be read in one go."""
    words: dict[int, int] = {}
    for slide in core_slides(notebook):
        read = sum(count_words(cell.source) for cell in slide.texts())
        words[slide.sitting] = words.get(slide.sitting, 0) + read
    for number in words.values():
        if number > WORDS_IN_A_SITTING:
            yield f"has a core of {number} words; {WORDS_IN_A_SITTING} are allowed"
