"""The page docs/claims.md: every measured sentence of the lessons, and where it ends."""

from itertools import groupby

from tutor.claims.claim import Claim
from tutor.claims.register import REGISTER
from tutor.claims.words import range_of, table_of

HEADER = """# What the lessons measured

Written by `make notebooks`. A sentence that was measured is a sentence about a range: here
is each one with the settings it was tried at and those where it does not hold. The experiments are
in `tools/results/`, their runs in `tutor/data/results/`, the inequalities that stand for the
sentences in `tutor/claims/`; a test holds the three together.
"""


def section(claim: Claim) -> str:
    """Give what is said of one claim."""
    sweep = claim.stored
    lines = [
        f"### {claim.name}",
        "",
        f"> {claim.sentence}",
        "",
        f"- Where: [{claim.lesson}](../notebooks/{claim.lesson}.ipynb), cell `{claim.cell}`",
        f"- Compared: {claim.compares}",
        f"- Experiment: {sweep.what} ([{sweep.name}.py](../tools/results/{sweep.name}.py), "
        f"minutes of one processor: {sweep.cpu_minutes:g})",
        *(f"- {line}" for line in range_of(claim)),
        "",
    ]
    for shown in claim.shown:
        lines += ["```", table_of(claim, shown), "```", ""]
    return "\n".join(lines)


def claims_page() -> str:
    """Give the whole page."""
    parts = [HEADER]
    for lesson, claims in groupby(REGISTER, key=lambda claim: claim.lesson):
        parts.append(f"## {lesson}\n")
        parts += [section(claim) for claim in claims]
    return "\n".join(parts)
