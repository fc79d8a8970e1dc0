"""What stands behind a claim, in words and tables: its range, and where it ends."""

from collections.abc import Mapping
from typing import Any

from tutor.claims.claim import Claim, Shown
from tutor.claims.runs import SEED, Runs
from tutor.display.table import text_table
from tutor.say import data, say, say_as

MEASURED = "measured"  # the context of labels, which stand in the stored sweeps
READ_BY_MODELS = {"word", "words", "frame", "prompt", "sentence"}  # axes of the data's own words


def table_of(claim: Claim, shown: Shown) -> str:
    """Write one number by two axes, in each cell from the lowest to the highest run."""
    title, head, rows = cells_of(claim, shown)
    return f"{say('{title}, lowest to highest run', title=title)}\n{text_table(head, rows)}"


def cells_of(claim: Claim, shown: Shown) -> tuple[str, list[str], list[list[str]]]:
    """Give a table's title, the cells of its head and those of its rows."""
    labels, runs = claim.stored.labels, claim.runs.at(**shown.only)
    columns = runs.values_of(shown.across)
    corner = f"{_label(shown.down, labels)} \\ {_label(shown.across, labels)}"
    head = [corner, *(written(shown.across, column) for column in columns)]
    rows = [
        [written(shown.down, value), *(_cell(runs, shown, value, column) for column in columns)]
        for value in runs.values_of(shown.down)
    ]
    return "; ".join([_label(shown.number, labels), *conditions(shown.only, labels)]), head, rows


def range_of(claim: Claim) -> list[str]:
    """Say in whole sentences what was varied, and where the claim does not hold."""
    sweep, runs = claim.stored, claim.runs
    tried = {axis: runs.values_of(axis) for axis in (*sweep.axes, SEED)}
    varied = {axis: values for axis, values in tried.items() if len(values) > 1}
    fixed = {axis: values for axis, values in tried.items() if len(values) == 1}
    lines = [
        say("Varied: {settings}.", settings="; ".join(conditions(varied, sweep.labels))),
        say("Runs: {count}.", count=len(runs)),
    ]
    if fixed:
        lines.insert(
            1, say("Fixed: {settings}.", settings="; ".join(conditions(fixed, sweep.labels)))
        )
    if claim.within:
        said_of = "; ".join(conditions(claim.within, sweep.labels))
        lines.append(say("Said of: {settings}.", settings=said_of))
    ends = [", ".join(conditions(part, sweep.labels)) for part in claim.ends()]
    if ends:
        lines.append(say("It does not hold at: {settings}.", settings="; ".join(ends)))
    else:
        lines.append(say("It holds at every setting that was tried."))
    return lines


def conditions(setting: Mapping[str, Any], labels: Mapping[str, str]) -> list[str]:
    """Write each axis of a setting with its value or values.

    Example:
        >>> conditions({"rate": [0.003, 0.01], "scale": True}, {"rate": "rate", "scale": "scaled"})
        ['rate = 0.003, 0.01', 'scaled = yes']
    """
    lists = {axis: v if isinstance(v, list) else [v] for axis, v in setting.items()}
    return [
        f"{_label(axis, labels)} = {', '.join(written(axis, value) for value in values)}"
        for axis, values in lists.items()
    ]


def _label(name: str, labels: Mapping[str, str]) -> str:
    """Call an axis or a number what its sweep calls it, in the reader's language."""
    return say("seed") if name == SEED else say_as(MEASURED, labels[name])


def written(axis: str, value: Any) -> str:
    """Write a value of an axis.

    Example:
        >>> written("scale", True), written("word", "bank"), written("keys", 8)
        ('yes', 'bank', '8')
    """
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    if not isinstance(value, str):
        return str(value)
    return data(value) if axis in READ_BY_MODELS else say_as(MEASURED, value)


def _cell(runs: Runs, shown: Shown, down: Any, across: Any) -> str:
    try:
        here = runs.at(**{shown.down: down, shown.across: across})
    except ValueError:
        return "–"  # not run
    low, high = (format(end(shown.number), shown.form) for end in (here.lowest, here.highest))
    return low if low == high else say("{low} to {high}", low=low, high=high)
