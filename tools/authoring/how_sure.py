"""*How sure?*: the folded line of a section that says how far its measured sentences hold.

The prose gives the rule. The registered sentence with its bounds stands folded, and leads to its
entry in docs/measured/, where the runs behind it are. A cell tagged "how-sure" holds it; on slides
it is skipped.
"""

import re
from collections.abc import Iterator

from nbformat import NotebookNode

from .exercises import tags_of

TAG = "how-sure"
FORM = "<details><summary>How sure?</summary>\n\n…\n\n</details>"
_FOLDED = re.compile(r"<details><summary>How sure\?</summary>\n\n.+\n\n</details>", re.DOTALL)
_ENTRY = re.compile(r"\]\(\.\./docs/measured/(\w+)\.md#([\w-]+)\)")


def is_how_sure(cell: NotebookNode) -> bool:
    """Say whether a cell says how far something holds."""
    return TAG in tags_of(cell)


def entries_of(cell: NotebookNode) -> list[tuple[str, str]]:
    """List the entries that a cell leads to: the lesson and the name of each claim."""
    return _ENTRY.findall(cell.source)


def folded_lines(notebook: NotebookNode) -> Iterator[str]:
    """Complain of a *How sure?* that is not folded, is a step on slides, or leads nowhere.

    And of a second one in a section: one says all.
    """
    before = 0
    for cell in notebook.cells:
        kind = cell.metadata.get("slideshow", {}).get("slide_type")
        if kind in ("slide", "subslide"):
            before = 0
        if not is_how_sure(cell):
            continue
        before += 1
        if cell.cell_type != "markdown" or not _FOLDED.fullmatch(cell.source.strip()):
            yield f"cell {cell.id} is tagged {TAG} and has not the form {FORM!r}"
        if kind != "skip":
            yield f'cell {cell.id} is tagged {TAG} and is no slide="skip"'
        if not entries_of(cell):
            yield f"cell {cell.id} leads to no entry ../docs/measured/LESSON.md#CLAIM"
        if before > 1:
            yield f"cell {cell.id} is the second {TAG} of its section"
