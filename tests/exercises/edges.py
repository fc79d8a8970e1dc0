"""The edges of an exercise: where its reference is made to fail, one at a time.

An edge is something that a call may be like: an axis of length 1, an argument in float64, a score
of 1000, a promise of the statement. An answer that fails there and nowhere else has to be noticed,
so every edge must be met by some call of the checker.

Edges follow from what an exercise declares (`shapes`, `smallest`, `promises`) and from what its
reference computes: what goes through softmax, exp and the like goes through it at ±30 and ±1000.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from tutor.checking.calls import FunctionAnswer, Outcome
from tutor.checking.exercise import Arguments, Exercise
from tutor.checking.failures import Failure
from tutor.checking.leaves import leaves
from tutor.checking.sizes import sizes
from tutor.checking.watching import WatchedCall

# Functions that overflow or saturate, and are asked for at large and small inputs.
EXPONENTIALS = {"softmax", "log_softmax", "exp", "logsumexp"}
CURVES = {"tanh", "sigmoid"}


@dataclass(frozen=True)
class Edge:
    """Something that a call may be like."""

    name: str
    met: Callable[["Called"], bool]


@dataclass(frozen=True)
class Called:
    """A call: its arguments, the sizes in it, and what its reference gave to its exponentials."""

    arguments: Arguments
    sizes: dict[str, int]
    exponents: tuple[Tensor, ...] = ()
    bends: tuple[Tensor, ...] = ()


class Spy(TorchFunctionMode):
    """Keeps what goes into exponentials."""

    def __init__(self) -> None:
        super().__init__()
        self.exponents: list[Tensor] = []
        self.bends: list[Tensor] = []

    def __torch_function__(self, function, types, args=(), kwargs=None):
        name = getattr(function, "__name__", "").strip("_")
        if name in EXPONENTIALS and not (name == "exp" and _taken_off(args[0])):
            self.exponents.append(args[0].detach().clone())
        if name in CURVES:
            self.bends.append(args[0].detach().clone())
        return function(*args, **(kwargs or {}))


def _taken_off(scores: Tensor) -> bool:
    """Say whether nothing is above 0, as when the largest score was taken off."""
    return bool((scores <= 0).all())


def called(exercise: Exercise, arguments: Arguments) -> Called:
    """Describe a call by running the reference on it."""
    spy = Spy()
    with spy:
        FunctionAnswer(exercise.reference).run(arguments)
    return Called(
        arguments, sizes(exercise.shapes, arguments), tuple(spy.exponents), tuple(spy.bends)
    )


def edges(exercise: Exercise, example: Called) -> list[Edge]:
    """List the edges of an exercise; one of its calls shows which arguments it has."""
    return [
        *_of_sizes(exercise, example),
        *_of_kinds(exercise, example),
        *_of_exponents(example),
        *_of_promises(exercise),
    ]


def _of_sizes(exercise: Exercise, example: Called) -> Iterator[Edge]:
    for axis in example.sizes:
        least = exercise.smallest.get(axis, 1)
        if axis == "…":
            for count in (0, 1, 2, 3):
                yield Edge(f"{count} leading axes", lambda c, n=count: c.sizes["…"] == n)
        else:
            yield Edge(f"{axis} = {least}", lambda c, a=axis, n=least: c.sizes.get(a) == n)
            yield Edge(f"{axis} > {least}", lambda c, a=axis, n=least: c.sizes.get(a, 0) > n)
    of_tensors = " ".join(str(shape) for shape in exercise.shapes.values() if " " in str(shape))
    names = [axis for axis in example.sizes if axis in re.findall(r"\w+", of_tensors)]
    if len(names) > 1:
        yield Edge("no two sizes are equal", lambda c: _all_differ(c.sizes))
    for one, other in pairwise(names):
        yield Edge(f"{one} > {other}", lambda c, a=one, b=other: c.sizes[a] > c.sizes[b])
        yield Edge(f"{one} < {other}", lambda c, a=one, b=other: c.sizes[a] < c.sizes[b])


def _all_differ(known: dict[str, int]) -> bool:
    numbers = [size for axis, size in known.items() if axis != "…"]
    return len(set(numbers)) == len(numbers)


def _of_kinds(exercise: Exercise, example: Called) -> Iterator[Edge]:
    for leaf in leaves(example.arguments):
        path, value = leaf.path, leaf.value
        if not isinstance(value, Tensor):
            continue
        if value.is_floating_point():
            yield Edge(f"{leaf.name} in float64", _tensor(path, lambda t: t.dtype == torch.float64))
            yield Edge(f"{leaf.name} in float32", _tensor(path, lambda t: t.dtype == torch.float32))
        if value.numel() > 1:
            yield Edge(
                f"{leaf.name} not contiguous", _tensor(path, lambda t: not t.is_contiguous())
            )
        if str(exercise.shapes.get(path[0], "")).startswith("B "):
            yield Edge(
                f"{leaf.name} expanded", _tensor(path, lambda t: 0 in t.stride() and t.numel() > 1)
            )


def _tensor(path: tuple[Any, ...], test: Callable[[Tensor], bool]) -> Callable[[Called], bool]:
    def met(call: Called) -> bool:
        return any(
            leaf.path == path and isinstance(leaf.value, Tensor) and test(leaf.value)
            for leaf in leaves(call.arguments)
        )

    return met


def _of_exponents(example: Called) -> Iterator[Edge]:
    if example.exponents:
        for size in (30, 1000):
            yield Edge(
                f"a row of scores reaches {size}", lambda c, n=size: _row(c, lambda m: m >= n)
            )
            yield Edge(
                f"a row of scores lies below {-size}", lambda c, n=size: _row(c, lambda m: m <= -n)
            )
    if example.bends:
        for size in (30, 1000):
            yield Edge(f"a curve is asked at {size}", lambda c, n=size: _bend(c, lambda t: t >= n))
            yield Edge(
                f"a curve is asked at {-size}", lambda c, n=size: _bend(c, lambda t: t <= -n)
            )


def _row(call: Called, test: Callable[[Tensor], Tensor]) -> bool:
    """Say whether the largest finite score of some row is like this."""
    for scores in call.exponents:
        rows = torch.where(scores.isfinite(), scores, -torch.inf).reshape(-1, scores.size(-1))
        largest = rows.amax(-1)
        if bool((test(largest) & largest.isfinite()).any()):
            return True
    return False


def _bend(call: Called, test: Callable[[Tensor], Tensor]) -> bool:
    return any(bool(test(inputs).any()) for inputs in call.bends)


def _of_promises(exercise: Exercise) -> Iterator[Edge]:
    for name, kept in exercise.promises.items():
        yield Edge(name, lambda c, kept=kept: bool(kept(*c.arguments.values())))


class FailingAt:
    """The reference as an answer, made to fail where an edge is met."""

    def __init__(self, exercise: Exercise, edge: Edge) -> None:
        self.exercise, self.edge = exercise, edge
        self.right = FunctionAnswer(exercise.reference)

    def run(self, arguments: Arguments, gradients: bool = False) -> Outcome:
        """Raise where the edge is met."""
        if self.edge.met(called(self.exercise, arguments)):
            return Outcome(failure=Failure("error", {"error": "ValueError", "text": "an edge"}))
        return self.right.run(arguments, gradients)

    def watch(self, arguments: Arguments) -> WatchedCall:
        """See the reference at work."""
        return self.right.watch(arguments)


def unmet(exercise: Exercise, calls: list[Called]) -> list[str]:
    """Name the edges that none of these calls meets."""
    return [edge.name for edge in edges(exercise, calls[0]) if not any(map(edge.met, calls))]
