"""Refusing shapes that do not fit, where PyTorch would broadcast them to numbers without meaning.

A component's annotations name its axes; `fitting` holds every call to them.
"""

import inspect
import numbers
from collections.abc import Callable
from functools import lru_cache, wraps
from types import UnionType
from typing import Any, ParamSpec, TypeVar, Union, get_args, get_origin

from torch import Tensor

from tutor.say import say

P = ParamSpec("P")
T = TypeVar("T")
Sizes = dict[str, int | tuple[int, ...]]


def fitting(function: Callable[P, T]) -> Callable[P, T]:
    """Let a function refuse arguments whose annotated axes have one name and different sizes.

    `*batch` stands for any number of axes, `#queries` for one that may also be 1. What else an
    annotation may say (sums, `{names}` of arguments) is left to the function.

    Example:
        >>> import torch
        >>> from jaxtyping import Float
        >>> @fitting
        ... def total(x: Float[Tensor, "n"], y: Float[Tensor, "n"]) -> Tensor:
        ...     return (x + y).sum()
        >>> total(torch.ones(3), torch.ones(1))
        Traceback (most recent call last):
        ValueError: total takes x (n), y (n), where axes of one name are equally long; given are \
x (3), y (1)

    Raises:
        ValueError: (when the function is called) shapes do not fit, naming all of them.
    """
    forms = {name: _form(hint) for name, hint in function.__annotations__.items()}
    takes = {name: form.split() for name, form in forms.items() if form and name != "return"}
    parameters = list(inspect.signature(function).parameters)
    own = parameters[:1] == ["self"]  # a module, which would look long for its shape
    parameters = parameters[own:]

    @lru_cache(maxsize=1024)  # a model meets the same shapes again and again
    def misfit(named: tuple[str, ...], *shapes: tuple[int, ...] | None) -> str:
        given = dict(zip((*parameters[: len(shapes) - len(named)], *named), shapes))
        met = {name: shape for name in takes if (shape := given.get(name)) is not None}
        sizes: Sizes = {}
        fits = all(_fits(takes[name], shape, sizes) for name, shape in met.items())
        return "" if fits else _misfit(function.__qualname__, takes, met)

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> T:
        shapes = [getattr(value, "shape", None) for value in (*args[own:], *kwargs.values())]
        if wrong := misfit(tuple(kwargs), *shapes):
            raise ValueError(wrong)
        return function(*args, **kwargs)

    return checked


def positive(**sizes: int | None) -> None:
    """Refuse sizes from which nothing can be built; None stands for one not given.

    Example:
        >>> positive(heads=0)
        Traceback (most recent call last):
        ValueError: heads must be a whole number from 1 on; it is 0

    Raises:
        ValueError: a size is below 1 or no whole number, naming it.
    """
    for name, size in sizes.items():
        if size is not None and (not isinstance(size, int | numbers.Integral) or size < 1):
            raise ValueError(
                say("{name} must be a whole number from 1 on; it is {size!r}", name=name, size=size)
            )


def heads_fit(
    d_model: int,
    heads: int,
    d_k: int | None = None,
    d_v: int | None = None,
    key_value_heads: int | None = None,
) -> None:
    """Refuse heads that cannot be of equal width, or cannot share their keys evenly.

    Example:
        >>> heads_fit(d_model=10, heads=4)
        Traceback (most recent call last):
        ValueError: d_model=10 cannot be cut into heads=4 of equal width

    Raises:
        ValueError: naming the sizes that do not go into each other.
    """
    if None in (d_k, d_v) and d_model % heads:
        raise ValueError(
            say(
                "d_model={d_model} cannot be cut into heads={heads} of equal width",
                d_model=d_model,
                heads=heads,
            )
        )
    if heads % (key_value_heads or heads):
        raise ValueError(
            say(
                "heads={heads} cannot share key_value_heads={key_value_heads} evenly",
                heads=heads,
                key_value_heads=key_value_heads,
            )
        )


def within(ids: Tensor, rows: int) -> None:
    """Refuse ids for which a table has no row; PyTorch would read a negative one from the end.

    Example:
        >>> import torch
        >>> within(torch.tensor([[3, -1]]), rows=5)
        Traceback (most recent call last):
        IndexError: ids must be from 0 to 4, for a table of 5 rows; they go from -1 to 3

    Raises:
        IndexError: naming the smallest and the largest id.
    """
    if ids.is_meta or not ids.numel():  # shapes without numbers, or nothing to look up
        return
    least, most = (int(end) for end in ids.aminmax())
    if least < 0 or most >= rows:
        raise IndexError(
            say(
                "ids must be from 0 to {last}, for a table of {rows} rows; they go from "
                "{least} to {most}",
                last=rows - 1,
                rows=rows,
                least=least,
                most=most,
            )
        )


def pad_within(pad_id: int, vocabulary: int) -> None:
    """Refuse a padding id that no word can have; as an index it would mean another word, or none.

    Example:
        >>> pad_within(-1, vocabulary=5)
        Traceback (most recent call last):
        ValueError: pad_id must be from 0 to 4, for a vocabulary of 5; it is -1

    Raises:
        ValueError: naming the id.
    """
    if not 0 <= pad_id < vocabulary:
        raise ValueError(
            say(
                "pad_id must be from 0 to {last}, for a vocabulary of {vocabulary}; it is {pad_id}",
                last=vocabulary - 1,
                vocabulary=vocabulary,
                pad_id=pad_id,
            )
        )


def _form(hint: Any) -> str:
    """The axes that an annotation names, of `Tensor | None` the tensor's; "" if it names none."""
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    return next((kind.dim_str for kind in kinds if hasattr(kind, "dim_str")), "")


def _fits(axes: list[str], shape: tuple[int, ...], sizes: Sizes) -> bool:
    """Whether a shape agrees with the sizes met so far, to which its own are added."""
    many = next((place for place, axis in enumerate(axes) if axis[0] in "*."), None)
    if many is None:
        return len(shape) == len(axes) and _all_agree(axes, shape, sizes)
    after = len(shape) - (len(axes) - many - 1)  # where the axes behind the * begin
    if after < many:
        return False
    rest, ends = axes[:many] + axes[many + 1 :], shape[:many] + shape[after:]
    return _many_agree(axes[many], shape[many:after], sizes) and _all_agree(rest, ends, sizes)


def _all_agree(axes: list[str], shape: tuple[int, ...], sizes: Sizes) -> bool:
    return all(_agrees(axis, size, sizes) for axis, size in zip(axes, shape, strict=True))


def _agrees(axis: str, size: int, sizes: Sizes) -> bool:
    """Whether one axis has the size its name stands for."""
    if axis.isdigit():
        return size == int(axis)
    name = axis.removeprefix("#")
    if not name.isidentifier() or (size == 1 and axis != name):
        return True
    return sizes.setdefault(name, size) == size


def _many_agree(axis: str, shape: tuple[int, ...], sizes: Sizes) -> bool:
    """Whether the axes that a `*name` stands for are those it stood for before."""
    if axis == "...":
        return True
    known = sizes.get(f"*{axis.lstrip('*#')}")
    if "#" not in axis:
        return sizes.setdefault(axis, shape) == shape
    if not isinstance(known, tuple):
        return True
    return len(shape) <= len(known) and all(
        ours in (1, theirs) for ours, theirs in zip(reversed(shape), reversed(known))
    )


def _misfit(name: str, takes: dict[str, list[str]], met: dict[str, tuple[int, ...]]) -> str:
    """What the function takes, and what it was given, in one sentence."""
    wanted = ", ".join(f"{n} ({', '.join(takes[n])})" for n in met)
    given = ", ".join(f"{n} ({', '.join(map(str, shape))})" for n, shape in met.items())
    return say(
        "{name} takes {wanted}, where axes of one name are equally long; given are {given}",
        name=name,
        wanted=wanted,
        given=given,
    )
