"""What the lessons measured: docs/claims.md lists it, docs/measured/ has a page for each lesson."""

from itertools import groupby

from tutor.claims.claim import Claim, Shown
from tutor.claims.register import REGISTER
from tutor.claims.words import cells_of, range_of
from tutor.say import say

HEADER = """# What the lessons measured

Written by `make notebooks`. A sentence that was measured is a sentence about a range. Each leads to
its entry, with the settings it was tried at and those where it does not hold. The experiments are
in `tools/results/`, their runs in `tutor/data/results/`, the inequalities that stand for the
sentences in `tutor/claims/`; a test holds the three together.
"""


def claims_page() -> str:
    """Give the list of all claims."""
    parts = [HEADER]
    for lesson, claims in groupby(REGISTER, key=lambda claim: claim.lesson):
        parts.append(f"## {lesson}\n")
        parts += [
            f"- [{claim.name}](measured/{lesson}.md#{claim.name}): {claim.sentence}"
            for claim in claims
        ]
        parts.append("")
    return "\n".join(parts)


def measured_page(lesson: str) -> str:
    """Give the page of what one lesson measured, in Markdown."""
    title = say("What was measured for lesson {number}", number=int(lesson[:2]))
    told = say(
        "From [{lesson}](../../notebooks/{lesson}.ipynb). In a table's cell stands the lowest and "
        "the highest of the runs there.",
        lesson=lesson,
    )
    claims = [claim for claim in REGISTER if claim.lesson == lesson]
    return "\n".join([f"# {title}", "", told, "", *map(_entry, claims)])


def _entry(claim: Claim) -> str:
    """Give the entry of one claim: the sentence, its tables, and folded how it was measured."""
    sweep = claim.stored
    folded = say("What was varied, and where it ends")
    experiment = say(
        "Experiment: {what} ([{name}.py](../../tools/results/{name}.py), minutes of one "
        "processor: {minutes:g}).",
        what=sweep.what,
        name=sweep.name,
        minutes=sweep.cpu_minutes,
    )
    lines = [f"## {claim.name}", "", f"> {claim.sentence}", ""]
    lines += [say("Compared: {compares}.", compares=claim.compares), ""]
    for shown in claim.shown:
        lines += _table(claim, shown)
    lines += [f"<details><summary>{folded}</summary>", ""]
    lines += [f"- {line}" for line in (*range_of(claim), experiment)]
    return "\n".join([*lines, "", "</details>", ""])


def _table(claim: Claim, shown: Shown) -> list[str]:
    """Write one number by two axes as a table of Markdown."""
    title, head, rows = cells_of(claim, shown)
    return [f"*{title}*", "", _row(head), _row(["---"] * len(head)), *map(_row, rows), ""]


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
