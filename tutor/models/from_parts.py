"""What models put together from functions share: the parts, and finding one that breaks the whole.

Such a model is a frame that hands tensors from part to part; every formula is in a part.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

import torch
from jaxtyping import Float, Int
from torch import Tensor

from tutor.say import say

Function = Callable[..., Any]


class Parts(Protocol):
    """Functions by the names of their exercises; those that somebody wrote themselves are `own`."""

    @property
    def own(self) -> Mapping[str, Function]:
        """The functions that are theirs."""
        ...

    def __getitem__(self, name: str) -> Function:
        """Give the function that runs under this name."""
        ...

    def __iter__(self) -> Iterator[str]:
        """Name all parts, in the order in which a sentence meets them."""
        ...

    def advice(self, name: str) -> str:
        """Say what to do about a part of theirs that breaks the whole."""
        ...

    def lending(self, slow: Mapping[str, float]) -> "Parts":
        """Give the same parts without these functions of theirs, which are too slow."""
        ...

    def only(self, *names: str) -> "Parts":
        """Give the same parts with these functions as their own; the rest is the course's."""
        ...


class WordsRead:
    """A cache for frames that keep no keys: the words themselves, which are read again.

    Example:
        >>> words = WordsRead()
        >>> words.extend(torch.tensor([[2]])), words.extend(torch.tensor([[7]]))
        (tensor([[2]]), tensor([[2, 7]]))
    """

    def __init__(self) -> None:
        self.words: Int[Tensor, "batch time"] | None = None

    def extend(self, new: Int[Tensor, "batch new"]) -> Int[Tensor, "batch time"]:
        """Remember new words; give all, the new ones last."""
        self.words = new if self.words is None else torch.cat([self.words, new], dim=1)
        return self.words

    def reorder(self, rows: Int[Tensor, " kept"]) -> None:
        """Make row i the former row rows[i]."""
        if self.words is not None:
            self.words = self.words[rows]


def at_speed(parts: Parts, run: Callable[[Parts], Any]) -> Parts:
    """Give the same parts, without functions that make a model too slow to use.

    Args:
        parts: that it is put together from.
        run: puts it together and runs it.
    """
    if not parts.own:
        return parts
    theirs, ours = _Stopwatch(parts), _Stopwatch(parts.only())
    try:
        run(theirs)
        run(ours)
    except Exception:  # whatever somebody's function raises; who runs the model hears of it
        return parts
    slow = {
        name: seconds / ours.seconds[name]
        for name, seconds in theirs.seconds.items()
        if name in parts.own and seconds > max(_SLOW * ours.seconds[name], _NOTICED)
    }
    return parts.lending(slow) if slow else parts


_SLOW, _NOTICED = 20.0, 0.2  # times the course's; seconds


class _Stopwatch:
    """Parts that keep how many seconds of computing each has taken."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self.own = parts.own
        self.seconds = dict.fromkeys(parts, 0.0)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._parts, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __getitem__(self, name: str) -> Function:
        function = self._parts[name]

        def timed(*arguments: Any) -> Any:
            start = time.process_time()
            try:
                return function(*arguments)
            finally:
                self.seconds[name] += time.process_time() - start

        return timed


def difference(scores: Callable[[], Tensor], wanted: Float[Tensor, "..."]) -> float | str:
    """Give the largest difference between two tensors; or why there is none, as an error's text."""
    try:
        found = scores()
        if found.shape != wanted.shape:
            return f"{tuple(found.shape)} ≠ {tuple(wanted.shape)}"
        return (found - wanted).abs().max().item()
    except Exception as error:  # whatever somebody's function raises
        return f"{type(error).__name__}: {error}"


def is_close(found: float | str, most: float) -> bool:
    """Say whether a difference is one, and small; NaN is neither."""
    return isinstance(found, float) and found <= most


def first_that_matters(
    parts: Parts, scores: Callable[[Parts], Tensor], wanted: Float[Tensor, "..."], most: float
) -> tuple[str, float | str] | None:
    """Find the first part without which a model still gives the course's numbers, and with it not.

    The model is the course's at first. One after the other, in order, somebody's own functions
    take their places.

    Args:
        parts: that a model is put together from.
        scores: puts it together and runs it.
        wanted: the course's numbers.
        most: the difference that rounding makes.

    Returns:
        The part and the difference it makes; None if none does.
    """
    names: list[str] = []
    for name in parts:
        if name not in parts.own:
            continue
        names.append(name)
        found = difference(lambda: scores(parts.only(*names)), wanted)
        if not is_close(found, most):
            return name, found
    return None


def same_numbers(
    parts: Parts,
    scores: Callable[[Parts], Tensor],
    wanted: Float[Tensor, "..."],
    most: float,
    text: str,
    write: Callable[[Parts], str],
) -> str:
    """Say what a model of parts makes of a text, and whether its numbers are the course's.

    Args:
        parts: that it is put together from.
        scores: puts a model together and gives its numbers for the text.
        wanted: those of the course's model.
        most: the difference that rounding makes.
        text: what it was given.
        write: puts it together and gives what it writes.
    """
    parts = at_speed(parts, scores)
    found = difference(lambda: scores(parts), wanted)
    try:
        lines = [say("{text} → {written}", text=text, written=write(parts).strip())]
    except Exception as error:  # whatever somebody's function raises
        lines = [say("{text} → nothing: {kind}", text=text, kind=type(error).__name__)]
    if isinstance(found, float):
        lines.append(
            say("Largest difference from the course's numbers: {most}.", most=f"{found:.1e}")
        )
    if not is_close(found, most) and (broken := first_that_matters(parts, scores, wanted, most)):
        lines.append(breaking(parts, *broken))
    return "\n".join(lines)


def breaking(parts: Parts, name: str, found: float | str) -> str:
    """Say that a model breaks at a part, and what to do about it.

    Args:
        parts: that it is put together from.
        name: the part.
        found: the difference it makes, or why there is none.
    """
    gaps = {"name": name, "advice": parts.advice(name)}
    if isinstance(found, str):
        return say("It stops at your {name}: {error}. {advice}", error=found, **gaps)
    return say(
        "It begins to differ at your {name}, by {most}. {advice}", most=f"{found:.1e}", **gaps
    )
