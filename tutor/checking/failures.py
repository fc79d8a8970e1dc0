"""Why a call gave no value, as plain data that can cross the sandbox's channel.

What is decided, is decided by reasons and kinds; ``failure_sentences`` has the words.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["open", "raised", "interrupted", "arguments", "not a value"]

# What happened -> which kind of failure that is.
KINDS: Mapping[str, Kind] = {
    "no answer": "open",
    "no body": "open",
    "not implemented": "open",
    "placeholder": "open",  # gaps: number, line
    "error": "raised",  # gaps: error (its type), text
    "exit": "raised",
    "endless recursion": "raised",
    "stopped": "interrupted",
    "no end": "interrupted",
    "argument count": "arguments",  # gaps: takes, count, asked
    "takes nothing": "arguments",  # gaps: count, asked
    "no function": "not a value",  # gaps: type
    "returns nothing": "not a value",
    "prints only": "not a value",
    "None": "not a value",
    "subclass": "not a value",  # gaps: type
    "sparse": "not a value",
    "meta": "not a value",
    "huge number": "not a value",
    "generator": "not a value",
    "coroutine": "not a value",
    "function": "not a value",
    "numpy": "not a value",  # gaps: type
    "type": "not a value",  # gaps: type
    "dtype": "not a value",  # gaps: type
    "too long": "not a value",
    "unreadable": "not a value",  # gaps: error, text
}


@dataclass(frozen=True)
class Failure:
    """Why a call gave no value.

    Attributes:
        reason: what happened, one of ``KINDS``.
        gaps: what fills the gaps of its sentence.
        line_number: where in the learner's code, if known.
        line: that line's text.
        shapes: the tensors at hand there, name -> shape.
    """

    reason: str
    gaps: Mapping[str, str] = field(default_factory=dict)
    line_number: int | None = None
    line: str = ""
    shapes: Mapping[str, str] = field(default_factory=dict)

    @property
    def kind(self) -> Kind:
        """The kind of failure: "open" is not written yet, "interrupted" came to no end.

        Example:
            >>> Failure("no body").kind
            'open'
        """
        return KINDS[self.reason]

    @property
    def error(self) -> str:
        """The type of the error that was raised, or ""."""
        return self.gaps.get("error", "")

    @property
    def text(self) -> str:
        """What the error itself says, or ""."""
        return self.gaps.get("text", "")
