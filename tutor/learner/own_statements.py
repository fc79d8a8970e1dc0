"""Finding in a notebook's runs the statement that gave a name its value.

Code is read with ``ast`` and ``symtable``, never searched as text and never run.
"""

import ast
import symtable
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tutor.checking.definitions import handed_on, parsed, python_of
from tutor.learner.history import Run

_KEEPABLE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)
_LOOKED_INTO = (ast.If, ast.Try, ast.With)


@dataclass(frozen=True)
class Statement:
    """A statement of a cell: its tree, and the code in which it stands."""

    node: ast.stmt
    code: str

    @property
    def is_import(self) -> bool:
        """Whether it imports something."""
        return isinstance(self.node, (ast.Import, ast.ImportFrom))

    @property
    def can_be_kept(self) -> bool:
        """Whether it alone gives its names their values: no loop and no `x += 1`."""
        return isinstance(self.node, _KEEPABLE)

    def text(self) -> str:
        """Give it as it was typed, decorators and comments within it included."""
        decorators = getattr(self.node, "decorator_list", [])
        first = min([self.node.lineno, *(one.lineno for one in decorators)])
        lines = self.code.splitlines()[first - 1 : self.node.end_lineno]
        whole = textwrap.dedent("\n".join(lines))
        tree = parsed(whole)
        alone = tree is not None and len(tree.body) == 1 and type(tree.body[0]) is type(self.node)
        return whole if alone else ast.unparse(self.node)


def statement_of(name: str, runs: Sequence[Run]) -> Statement | None:
    r"""Give the statement of the latest run that bound a name; None if no statement of it did.

    Example:
        >>> cells = [Run("a = 1"), Run("def f(x):\n    return x + a  # more")]
        >>> statement_of("f", cells).text()
        'def f(x):\n    return x + a  # more'
    """
    for run in reversed(runs):
        if name in run.given:
            found = [one for one in statements(run.source) if name in bound(one.node)]
            return found[-1] if found else None
    return None


def statements(cell: str) -> Iterator[Statement]:
    """Give a cell's statements, those inside an `if`, a `try`, a `with` or a magic included."""
    code = python_of(cell)
    tree = parsed(code)
    yield from _inside(tree.body if tree else [], code)


def _inside(body: Sequence[ast.stmt], code: str) -> Iterator[Statement]:
    for node in body:
        if isinstance(node, _LOOKED_INTO):
            caught = [one for handler in getattr(node, "handlers", []) for one in handler.body]
            others = [*getattr(node, "orelse", []), *getattr(node, "finalbody", [])]
            yield from _inside([*node.body, *caught, *others], code)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield from statements(handed_on(node.value))
        else:
            yield Statement(node, code)


def bound(node: ast.AST) -> set[str]:
    """Name what a statement gives a value where it stands.

    Example:
        >>> sorted(bound(ast.parse("import os.path as place, math").body[0]))
        ['math', 'place']
    """
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, ast.Import):
        return {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    if isinstance(node, ast.ImportFrom):
        return {alias.asname or alias.name for alias in node.names}
    names = (one for one in ast.walk(node) if isinstance(one, ast.Name))
    return {one.id for one in names if isinstance(one.ctx, ast.Store)}


def free_names(source: str) -> list[str]:
    r"""List what a statement takes from outside itself, in the order of its code.

    Example:
        >>> free_names("def f(x, n=N):\n    y = sqrt(x)\n    return [y + a for a in range(n)]")
        ['N', 'sqrt', 'range']
    """
    top = symtable.symtable(source, "answer", "exec")
    own = {one.get_name() for one in top.get_symbols() if one.is_assigned() or one.is_imported()}
    used = {one.get_name(): None for one in top.get_symbols() if one.is_referenced()}
    inner = top.get_children()
    while inner:
        table = inner.pop(0)
        inner += table.get_children()
        used |= {one.get_name(): None for one in table.get_symbols() if one.is_global()}
    return [name for name in used if name not in own]
