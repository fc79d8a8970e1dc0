"""What the process of a submission replies, taken apart with care: whatever is odd is refused."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tutor.grading.file_sentences import LOSSES, NOTES, REFUSALS, told
from tutor.grading.inside.cells import LONGEST_ANSWER
from tutor.grading.messages import Message, MessageError

_LONGEST = 1000  # characters of a sentence


@dataclass(frozen=True)
class CellFacts:
    """What the text of a code cell tells before anything is run.

    Attributes:
        grade_id: the exercise that its metadata names, or "".
        defines: the names it defines.
        checks: what it hands to `check`.
        digest: a digest of its text, or "" if it is empty.
        text: its beginning, if it may hold an answer.
        magic: what keeps it from being run as the notebook's own, or "".
    """

    grade_id: str = ""
    defines: Sequence[str] = ()
    checks: Sequence[str] = ()
    digest: str = ""
    text: str = ""
    magic: str = ""


@dataclass(frozen=True)
class Opened:
    """What a notebook holds.

    Attributes:
        refused: why it cannot be graded at all, or "".
        cells: its code cells.
        notes: what was odd about the file.
        losses: those of them that tell of work that may be lost.
        python: the version of Python that it was last run with, or "".
    """

    refused: str
    cells: Sequence[CellFacts] = ()
    notes: Sequence[str] = ()
    python: str = ""
    losses: Sequence[str] = ()


@dataclass(frozen=True)
class News:
    """A version of an answer that is new, or was checked.

    Attributes:
        version: its number.
        exercise: what it answers.
        cell: the index of the cell that gave it.
        sure: metadata or a check say that it answers this exercise; else its name alone.
        is_open: nothing is written yet.
        now: is the same as long as nothing has changed that it makes use of.
    """

    version: int
    exercise: str
    cell: int
    sure: bool
    is_open: bool
    now: str


@dataclass(frozen=True)
class RunReply:
    """What came of running a cell up to the next answer.

    Attributes:
        error: the first error, in words, or None.
        news: the versions of answers.
        next: the statement to go on with, or None.
        needs: the version of Python that the cell's syntax needs, if it is newer than ours, or "".
    """

    error: str | None
    news: Sequence[News]
    next: int | None
    needs: str = ""


@dataclass(frozen=True)
class End:
    """What is known after the last cell: names with their class seeds, and what was left out."""

    learners: Sequence[tuple[str, str]] = ()
    left_out: Sequence[str] = ()


def text_of(value: Any, longest: int = _LONGEST) -> str:
    """Read a text, without what could not be written to a file."""
    if not isinstance(value, str):
        raise MessageError("no text")
    return value[:longest].encode(errors="backslashreplace").decode()


def texts_of(value: Any, most: int) -> list[str]:
    """Read a list of texts, as far as there may be so many."""
    if not isinstance(value, list):
        raise MessageError("no list")
    return [text_of(part) for part in value[:most]]


def count_of(value: Any) -> int:
    """Read a number of cells or lines."""
    if not isinstance(value, int) or not 0 <= value < 1_000_000:
        raise MessageError("no such number")
    return value


def few_texts_of(data: Any) -> dict[str, str]:
    """Read the gaps of a sentence."""
    return {text_of(name): text_of(text) for name, text in list(dict(data).items())[:12]}


def opened_of(reply: Message) -> Opened:
    """Read what a notebook holds."""
    data = reply.data
    if "refused" in data:
        return Opened(_note(REFUSALS, data["refused"]))
    cells = [
        CellFacts(
            text_of(cell["grade_id"]),
            texts_of(cell["defines"], 200),
            texts_of(cell["checks"], 200),
            text_of(cell["digest"]),
            text_of(cell["text"], LONGEST_ANSWER),
            text_of(cell["magic"]),
        )
        for cell in list(data["cells"])
    ]
    odd = list(data["notes"])[:50]
    notes = [_note(NOTES, note) for note in odd]
    losses = [_note(NOTES, note) for note in odd if note[0] in LOSSES]
    return Opened("", cells, notes, text_of(data["python"]), losses)


def _note(sentences: Mapping[str, str], note: Any) -> str:
    reason, gaps = note
    return told(sentences, text_of(reason), few_texts_of(gaps))


def ran_of(reply: Message) -> RunReply:
    """Read what came of running a cell."""
    error, following = reply.data["error"], reply.data["next"]
    return RunReply(
        None if error is None else text_of(error),
        [_news(one) for one in list(reply.data["news"])[:100]],
        None if following is None else count_of(following),
        text_of(reply.data["needs"]),
    )


def _news(data: Any) -> News:
    return News(
        count_of(data["version"]),
        text_of(data["exercise"]),
        count_of(data["cell"]),
        data["sure"] is True,
        data["open"] is True,
        text_of(data["now"]),
    )


def end_of(reply: Message) -> End:
    """Read what is known after the last cell."""
    learners = [(text_of(name), text_of(seed)) for name, seed in list(reply.data["learners"])[:20]]
    return End(learners, texts_of(reply.data["left_out"], 20))
