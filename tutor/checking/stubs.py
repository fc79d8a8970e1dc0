"""Functions that are not written yet, or only in part."""

import ast
import dis
import inspect
import textwrap
import types
from functools import lru_cache
from typing import Any


def is_stub(function: Any) -> bool:
    """Say whether a function's body is only ``...``, ``pass`` or ``return None``.

    Example:
        >>> def later(x): ...
        >>> is_stub(later), is_stub(lambda x: x)
        (True, False)
    """
    code = getattr(unwrapped(function), "__code__", None)
    return isinstance(code, types.CodeType) and _only_returns_nothing(code)


@lru_cache(maxsize=1024)  # asked at every call, and bytecode is slow to read
def _only_returns_nothing(code: types.CodeType) -> bool:
    instructions = list(dis.get_instructions(code))
    returned = [step.argval for step in instructions if step.opname in _CONSTANTS]
    only_returns = all(step.opname in _NOTHING | _CONSTANTS for step in instructions)
    return only_returns and returned[-1:] in ([None], [...])


_NOTHING = {"RESUME", "NOP", "RETURN_VALUE"}  # bytecode that computes nothing
_CONSTANTS = {"LOAD_CONST", "RETURN_CONST"}


def unwrapped(function: Any) -> types.FunctionType | None:
    """Give the function below decorators and the like, if there is one written in Python."""
    try:
        found = inspect.unwrap(function)
        return found if isinstance(found, types.FunctionType) else None
    except Exception:  # an object of the learner's can answer any question with an error
        return None


def unfinished(function: Any, message: str) -> tuple[int, str] | None:
    """Find the line still to be written, if a message complains of a `...` taken for a value.

    Messages on einsum speak of an ellipsis too; so the function must hold one outside an index.
    """
    written = unwrapped(function)
    if written is None or "ellipsis" not in message:
        return None
    try:
        lines, first = inspect.getsourcelines(written)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except Exception:  # no source, or a piece of a line that cannot be read by itself
        return None
    indices = [node.slice for node in ast.walk(tree) if isinstance(node, ast.Subscript)]
    left = sorted(set(_dots(tree)) - {line for index in indices for line in _dots(index)})
    if not left:
        return None
    return first + left[0] - 1, lines[left[0] - 1].strip()


def _dots(tree: ast.AST) -> list[int]:
    """List the lines in which a `...` stands."""
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and node.value is ...
    ]
