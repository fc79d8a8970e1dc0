"""Taking an answer out of its notebook, with the helpers, constants and imports that it needs."""

import ast
import builtins
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from tutor.learner.history import Run
from tutor.learner.own_statements import Statement, bound, free_names, statement_of, statements
from tutor.say import say

MODULE = "my_transformer"


class NotAloneError(Exception):
    """The answer needs something that cannot go with it; the sentence says what."""


class BorrowedError(NotAloneError):
    """The answer is imported from the learner's own file, which is not handed in."""


@dataclass
class Taken:
    """An answer with what it needs.

    Attributes:
        exercise: whose answer it is.
        source: the answer itself, bound to the exercise's name.
        imports: name -> the line that imports it.
        helpers: name -> source, in the order in which they must run.
    """

    exercise: str
    source: str
    imports: dict[str, str] = field(default_factory=dict)
    helpers: dict[str, str] = field(default_factory=dict)


def taken(exercise: str, name: str, runs: Sequence[Run], names: Mapping[str, Any]) -> Taken:
    r"""Take an answer out of its notebook's runs.

    Args:
        exercise: whose answer it is.
        name: what the notebook calls it.
        runs: of the notebook's cells, oldest first.
        names: the notebook's variables.

    Raises:
        NotAloneError: it needs something that cannot go with it.

    Example:
        >>> cells = [Run("import math"), Run("def f(x):\n    return math.sqrt(x)")]
        >>> taken("f", "f", cells, {"math": __import__("math")}).imports
        {'math': 'import math'}
    """
    statement = statement_of(name, runs)
    if statement is not None and statement.is_import:
        _refuse_borrowed(statement)
    elif statement is None:
        _starred(name, names.get(name), runs)
    if _of_course(names.get(name)):
        raise NotAloneError(say("it is the course's own function."))
    if statement is None or not statement.can_be_kept:
        raise NotAloneError(
            say(
                "give it its name in one statement, as in {name} = … or def {name}(…).",
                name=name or exercise,
            )
        )
    text = statement.text()
    found = Taken(exercise, text)
    if exercise not in bound(statement.node):  # an answer may have another name than its exercise
        found.source = f"{text}\n\n\n{exercise} = {name}"
    _Needs(found, runs, names, {name, exercise}).follow(text)
    return found


@dataclass
class _Needs:
    """Collects what an answer needs, name by name."""

    found: Taken
    runs: Sequence[Run]
    names: Mapping[str, Any]
    done: set[str]

    def follow(self, source: str) -> None:
        """Collect what a statement takes from outside itself."""
        for name in free_names(source):
            if name not in self.done and name in self.names:
                self.done.add(name)
                self._collect(name, self.names[name])

    def _collect(self, name: str, value: Any) -> None:
        statement = statement_of(name, self.runs)
        if statement is not None and statement.is_import:
            _refuse_borrowed(statement)
            self.found.imports[name] = _importing(name, statement, self.runs)
        elif _of_course(value):
            raise NotAloneError(say("it uses {name}, which is the course's.", name=name))
        elif statement is None and (star := _starred(name, value, self.runs)):
            self.found.imports[name] = star
        elif statement is not None and statement.can_be_kept:
            text = statement.text()
            self.follow(text)
            if text not in self.found.helpers.values():
                self.found.helpers[name] = text
        elif statement is not None or not hasattr(builtins, name):
            raise NotAloneError(
                say(
                    "it uses {name}, whose value came about in a loop, by += or in a call. Give it "
                    "its value in one statement.",
                    name=name,
                )
            )


def _refuse_borrowed(statement: Statement) -> None:
    """Raise if a module is the course's, the learner's own file or another file of theirs."""
    for module in _modules(statement.node):
        root = module.partition(".")[0]
        if root == MODULE:
            raise BorrowedError(say("it is imported from {file}.", file=f"{MODULE}.py"))
        if root == "tutor":
            raise NotAloneError(say("it uses {name}, which is the course's.", name=module))
        if _is_beside(root):
            raise NotAloneError(
                say("it uses {file}, which lies beside this notebook only.", file=f"{root}.py")
            )


def _modules(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""]
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else []


def _is_beside(module: str) -> bool:
    """Say whether a module is a file in the folder that the notebook runs in."""
    file = str(getattr(sys.modules.get(module), "__file__", None) or "")
    return bool(file) and Path(file).is_relative_to(Path.cwd()) and "site-packages" not in file


def _importing(name: str, statement: Statement, runs: Sequence[Run]) -> str:
    """Write the import of one name; of `import a.b` and `import a.c`, both of which bind a."""
    lines = _lines(name, statement.node)
    if "." in lines[0] and lines[0].startswith("import ") and " as " not in lines[0]:
        others = (one.node for run in runs for one in statements(run.source) if one.is_import)
        lines = sorted({line for one in others for line in _lines(name, one)})
    return "\n".join(lines)


def _lines(name: str, node: ast.stmt) -> list[str]:
    """Write an import once for each of its parts that binds the name."""
    if isinstance(node, ast.Import):
        fitting = [one for one in node.names if (one.asname or one.name.partition(".")[0]) == name]
        return [ast.unparse(ast.Import([one])) for one in fitting]
    if isinstance(node, ast.ImportFrom):
        fitting = [one for one in node.names if (one.asname or one.name) == name]
        return [ast.unparse(ast.ImportFrom(node.module, [one], 0)) for one in fitting]
    return []


def _starred(name: str, value: Any, runs: Sequence[Run]) -> str:
    """Write the import of a name that came with `from … import *`, or ""."""
    for run in reversed(runs):
        for one in statements(run.source):
            if isinstance(one.node, ast.ImportFrom) and "*" in bound(one.node):
                module = import_module(str(one.node.module))
                if name in vars(module) and vars(module)[name] is value:
                    _refuse_borrowed(one)
                    return f"from {one.node.module} import {name}"
    return ""


def _of_course(value: Any) -> bool:
    """Say whether a value is the course's: its own function or module, or a report of `check`."""
    try:
        home = value.__name__ if isinstance(value, ModuleType) else value.__module__
    except Exception:  # an object of the learner's can answer any question with an error
        home = None
    return any(str(one).partition(".")[0] == "tutor" for one in (home, type(value).__module__))
