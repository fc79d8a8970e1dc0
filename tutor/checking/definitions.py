"""Which names a cell's code defines: one answer for the notebook and for grading.

Code is read with ``ast``, never run and never searched as text. So a call, a comparison or what
stands inside a class is no definition; what stands inside an ``if`` or a loop is one.
"""

import ast
import contextlib
import io
import tokenize
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)  # what reading code can raise
RUN_THEIR_CODE = frozenset(  # magics, and in the notebook's own names
    ("time", "prun", "capture", "debug", "memit", "notify", "px", "pyinstrument", "snakeviz")
)


def defined(cell: str, until: int | None = None) -> tuple[str, ...]:
    r"""List the names that a cell gives a value and keeps, in the order of its code.

    A cell that does not parse counts as far as it can be read, each broken piece by its beginning.

    Args:
        cell: the text as it stands in the notebook, IPython's ``%`` and ``!`` included.
        until: the line at which the cell stopped with an error; what came to an end before counts.

    Example:
        >>> defined("def f(x): ...\nif f(1) == 2: a, (b, *c) = d = 1, (2, 3)\nf(g=1); del b")
        ('f', 'a', 'c', 'd')
        >>> defined("a = 1\nb = 1 / 0", until=2)
        ('a',)
    """
    names = _Names()
    for part in readable_parts(python_of(cell)):
        if isinstance(part, str):
            names.add(*(_begun(part) if until is None else ()))
        elif until is None or (part.end_lineno or 0) < until:
            with contextlib.suppress(RecursionError):
                names.visit(part)
    return tuple(names.found)


def passed_first(cell: str) -> tuple[str, ...]:
    """List the names that a cell hands to functions as their first argument, or as ``answer=``.

    Example:
        >>> passed_first("report = check(answer, name='predict_score')")
        ('answer',)
    """
    tree = parsed(python_of(cell))
    if tree is None:
        return ()
    nodes = list(ast.walk(tree))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    first = [one for call in calls for one in call.args[:1]]
    first += [word.value for call in calls for word in call.keywords if word.arg == "answer"]
    return tuple(one.id for one in first if isinstance(one, ast.Name))


def python_of(cell: str) -> str:
    r"""Write a cell's ``%`` and ``!`` as the calls that IPython makes of them.

    Example:
        >>> python_of("files = !ls")
        "files = get_ipython().getoutput('ls')\n"
    """
    if parsed(cell) is not None:
        return cell
    # Loaded only where it is needed: plain Python has no such cells.
    from IPython.core.inputtransformer2 import TransformerManager

    try:
        return TransformerManager().transform_cell(cell)
    except UNREADABLE:
        return cell


def handed_on(call: ast.Call) -> str:
    """Give the code that a call hands to a magic which runs it, such as ``%%time``, or "".

    Example:
        >>> call = ast.parse(python_of("%time a = 1")).body[0].value
        >>> handed_on(call)
        'a = 1'
    """
    called = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    words = [getattr(word, "value", "") for word in call.args]
    runs = called in ("run_cell_magic", "run_line_magic") and RUN_THEIR_CODE & {*words[:1]}
    return str(words[-1]) if runs else ""


def readable_parts(code: str) -> Iterator[ast.stmt | str]:
    r"""Read code statement by statement.

    Where it does not parse as a whole, each piece that begins at the left edge is read by itself,
    and given as its text if even that is broken.

    Example:
        >>> [type(part).__name__ for part in readable_parts("a = 1\nb = (\nc = 3")]
        ['Assign', 'str', 'Assign']
    """
    whole = parsed(code)
    if whole is not None:
        yield from whole.body
        return
    for piece in _pieces(code):
        part = parsed(piece)
        yield from [piece.strip()] if part is None else part.body


@lru_cache(maxsize=256)  # a cell is asked several things, and reading it takes the time
def parsed(code: str) -> ast.Module | None:
    """Read code; None if it cannot be read. The tree is shared: it must not be changed.

    Example:
        >>> parsed("a = ") is None, len(parsed("a = 1").body)
        (True, 1)
    """
    try:
        return ast.parse(code)
    except UNREADABLE:
        return None


def _pieces(code: str) -> Iterator[str]:
    lines = code.splitlines()
    edges = [
        number
        for number, line in enumerate(lines)
        if line[:1].strip()
        and not line.startswith(("#", ")", "]", "}", "else", "elif", "except"))
        and not (number and lines[number - 1].startswith("@"))
    ]
    for start, end in zip(edges, [*edges[1:], len(lines)]):
        yield "\n" * start + "\n".join(lines[start:end])  # keeps the numbers of the lines


def _begun(broken: str) -> list[str]:
    """Name what a piece that cannot be parsed begins to define, if it does."""
    undecorated = "\n".join(line for line in broken.splitlines() if line[:1] != "@")
    tokens = tokenize.generate_tokens(io.StringIO(undecorated.removeprefix("async ")).readline)
    try:
        first, second = (token.string for token in islice(tokens, 2))
    except (tokenize.TokenError, *UNREADABLE):
        return []
    return [second] if first in ("def", "class") else [first] if second == "=" else []


class _Names(ast.NodeVisitor):
    """Collects the names that code binds where it stands, not inside functions and classes."""

    def __init__(self) -> None:
        self.found: dict[str, None] = {}  # in order, each once

    def add(self, *names: str | None) -> None:
        """Keep names, in the order in which they are first bound."""
        self.found |= dict.fromkeys(name for name in names if name)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self.add(node.id)
        elif isinstance(node.ctx, ast.Del):
            self.found.pop(node.id, None)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.add(node.name)
        for inner in ast.walk(node):
            if isinstance(inner, ast.Global):  # written there to be bound by a call
                self.add(*inner.names)

    visit_AsyncFunctionDef = visit_ClassDef = visit_FunctionDef  # type: ignore[assignment]

    def visit_Lambda(self, node: ast.Lambda) -> None:
        pass

    def visit_ListComp(self, node: ast.ListComp) -> None:
        for inner in ast.walk(node):  # the loop's own names end with it
            if isinstance(inner, ast.NamedExpr):
                self.visit(inner.target)

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp  # type: ignore[assignment]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        self.add(*(alias.asname or alias.name.partition(".")[0] for alias in node.names))

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self.add(*(alias.asname or alias.name for alias in node.names if alias.name != "*"))

    def visit_MatchAs(self, node: ast.MatchAs) -> None:
        self.add(node.name)
        self.generic_visit(node)

    visit_MatchStar = visit_MatchAs  # type: ignore[assignment]

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        self.add(node.rest)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """Look into the code that a magic such as ``%%time`` is handed."""
        self.generic_visit(node)
        self.add(*defined(handed_on(node)))
