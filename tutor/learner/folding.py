"""What happened: folded in a learner's copy of a lesson until it is opened.

A cell tagged "reveal" begins with its heading in bold, as in ``**What happened.** Rows 1 and 3 are
picked.`` Folded, the heading is what one clicks. Unfolding gives the same text again.
"""

import re
from collections.abc import Mapping
from typing import Any

REVEAL = "reveal"

_OPEN = re.compile(r"\*\*(?P<heading>[^*\n]+)\*\* (?P<text>.*)", re.DOTALL)
_FOLDED = re.compile(
    r"<details><summary><b>(?P<heading>[^<\n]+)</b></summary>\n\n(?P<text>.*)\n\n</details>",
    re.DOTALL,
)


def is_reveal(cell: Mapping[str, Any]) -> bool:
    """Say whether a cell tells what a prediction was about.

    Example:
        >>> is_reveal({"cell_type": "markdown", "metadata": {"tags": ["reveal"]}})
        True
    """
    return cell["cell_type"] == "markdown" and REVEAL in cell.get("metadata", {}).get("tags", [])


def fold(text: str) -> str:
    r"""Put all but the heading of an answer where it is seen only when it is opened.

    Example:
        >>> fold("**What happened.** It fell.")
        '<details><summary><b>What happened.</b></summary>\n\nIt fell.\n\n</details>'
        >>> unfold(fold("**What happened.** It fell."))
        '**What happened.** It fell.'
    """
    found = _OPEN.fullmatch(text.strip())
    if found is None:
        return text
    heading = f"<details><summary><b>{found['heading']}</b></summary>"
    return f"{heading}\n\n{found['text']}\n\n</details>"


def heading_of(text: str) -> str:
    """Return the heading in bold that an answer begins with, or nothing.

    Example:
        >>> heading_of("**What happened.** It fell.")
        '**What happened.**'
    """
    found = _OPEN.fullmatch(text.strip())
    return f"**{found['heading']}**" if found else ""


def unfold(text: str) -> str:
    """Give a folded text as its lesson has it; any other text as it is."""
    found = _FOLDED.fullmatch(text.strip())
    return text if found is None else f"**{found['heading']}** {found['text']}"
