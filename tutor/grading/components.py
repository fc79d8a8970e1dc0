"""Which files of the package go into the sandbox, and what each exercise withholds of them."""

import ast
import importlib
import inspect
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from tutor.checking.calls import FunctionAnswer, Outcome, same_outcome
from tutor.checking.examine import examine, key
from tutor.checking.exercise import Exercise
from tutor.say import say

PACKAGE = Path(__file__).resolve().parents[1]

# By lesson; what these import of the package comes along.
CONCEPTS = (
    "rnn",
    "embedding",
    "position",
    "attention",
    "multi_head",
    "layers",
    "mask",
    "transformer",
    "output",
    "loss",
    "decode",
)
# The machinery that runs beside the learner's code; it knows no exercise.
_MACHINERY = (
    "checking/__init__.py",
    "checking/calls.py",
    "checking/definitions.py",
    "checking/exercise.py",
    "checking/failures.py",
    "checking/leaves.py",
    "checking/raised.py",
    "checking/settings.py",
    "checking/stubs.py",
    "checking/tolerance.py",
    "checking/values.py",
    "checking/watching.py",
    "grading/__init__.py",
    "grading/limits.py",
    "grading/messages.py",
    "grading/inside/__init__.py",
    "grading/inside/taking_out.py",
    "grading/inside/cells.py",
    "grading/inside/encodings.py",
    "grading/inside/fingerprint.py",
    "grading/inside/harmless.py",
    "grading/inside/isolation.py",
    "grading/inside/kernel.py",
    "grading/inside/magics.py",
    "grading/inside/newer.py",
    "grading/inside/outcomes.py",
    "grading/inside/reading.py",
    "grading/inside/serve.py",
    "grading/inside/syscalls.py",
    "grading/inside/warm.py",
    "grading/inside/zygote.py",
)


@cache
def components() -> tuple[str, ...]:
    """List the modules that are components: the concepts, and what they import of the package.

    Raises:
        ValueError: a component imports something that is no single file of the package's top.

    Example:
        >>> "attention" in components(), "notebook" in components()
        (True, False)
    """
    found: list[str] = []
    waiting = [*CONCEPTS]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        if not (PACKAGE / f"{name}.py").is_file():
            raise ValueError(
                say("A component imports tutor.{name}, which may not enter the sandbox.", name=name)
            )
        found.append(name)
        waiting += _imported(ast.parse((PACKAGE / f"{name}.py").read_text(encoding="utf-8")))
    return tuple(sorted(found))


def _imported(tree: ast.Module) -> Iterator[str]:
    """List the package's modules that a module imports, wherever in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "tutor":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tutor."):
            yield str(node.module).removeprefix("tutor.")
        elif isinstance(node, ast.Import):
            names = (alias.name for alias in node.names)
            yield from (name.removeprefix("tutor.") for name in names if name[:6] == "tutor.")


@cache
def sandbox_files() -> dict[str, Path]:
    """List what stands for the package in the sandbox: path there -> file here."""
    files = {"__init__.py": PACKAGE / "grading" / "inside" / "package.py"}
    files |= {f"{name}.py": PACKAGE / f"{name}.py" for name in components()}
    return files | {name: PACKAGE / name for name in _MACHINERY}


def withheld(exercise: Exercise) -> list[str]:
    """Name the parts of the package that an exercise asks the learner to write.

    These are the functions that answer it as they are, and whatever bears its name.

    Example:
        >>> from tutor.exercises import find
        >>> withheld(find("scaled_dot_product_attention"))
        ['tutor.attention:scaled_dot_product_attention']
    """
    if exercise.kind == "predict":
        return []
    wanted = exercise.name.replace("_", "").lower()
    return [
        f"{module}:{name}"
        for module, name, part in _public_parts()
        if name.replace("_", "").lower() == wanted or _answers(part, exercise)
    ]


@cache
def _public_parts() -> tuple[tuple[str, str, Callable[..., Any]], ...]:
    """List the functions and classes that the components define for others.

    A protocol is none: it says what a part must do and does nothing itself. Neither is the module
    of sentences, whose `speak` would take the arguments of a case for a language.
    """
    modules = [importlib.import_module(f"tutor.{name}") for name in components() if name != "say"]
    return tuple(
        (module.__name__, name, part)
        for module in modules
        for name, part in vars(module).items()
        if not name.startswith("_")
        and (inspect.isfunction(part) or inspect.isclass(part))
        and part.__module__ == module.__name__
        and Protocol not in getattr(part, "__bases__", ())
    )


def _answers(part: Callable[..., Any], exercise: Exercise) -> bool:
    """Say whether a function of the package is a right answer as it stands."""
    if part is exercise.reference:
        return True
    if not inspect.isfunction(part):
        return False
    answers = key(exercise, 0)
    name, arguments = next(iter(answers.cases.items()))
    first = FunctionAnswer(part).run(arguments)
    if first.failure or not same_outcome(first, Outcome(answers.results[name])):
        return False
    return examine(exercise, FunctionAnswer(part)).passed
