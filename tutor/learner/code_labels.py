"""Labels of code cells: strings that go through a name before a reader sees them.

In ``for name, limit in (("clipped", 0.1), ("as it is", None)):`` the strings are labels if all that
is done with `name` is to show it. Of a name that the code does anything else with, as with a word
that a model reads, the strings stay as they are; so do those that `zip` puts beside numbers, which
are words of the data.
"""

import ast
from collections.abc import Iterator, Sequence
from typing import TypeGuard

_Values = list[ast.expr]


def shown_parts(node: ast.AST) -> _Values:
    """Give the parts of an expression that are shown where it is: of a list, a choice, a join."""
    match node:
        case ast.BinOp():
            return [node.left, node.right]
        case ast.IfExp():
            return [node.body, node.orelse]
        case ast.List() | ast.Tuple():
            return node.elts
        case ast.Starred():
            return [node.value]
        case ast.GeneratorExp() | ast.ListComp():
            return [node.elt]
        case ast.Call(func=ast.Attribute(value=ast.Constant(), attr="join")):
            return node.args
    return []


def label_places(tree: ast.AST, places: Sequence[ast.expr]) -> _Values:
    r"""Find the expressions that reach a reader by a name which is shown, and used for no more.

    Args:
        tree: of the cell.
        places: the expressions that a reader sees.

    Example:
        >>> tree = ast.parse('for name in ("one", "two"):\n    print(name)')
        >>> [place.value for place in label_places(tree, tree.body[0].body[0].value.args)]
        ['one', 'two']
    """
    rows = [*_rows(tree)]
    reads = [node for node in ast.walk(tree) if _is_name(node, ast.Load)]
    found: _Values = rows
    while True:
        shown = {id(read) for place in [*places, *found] for read in _names_in(place)}
        others = {read.id for read in reads if id(read) not in shown}
        names = sorted({read.id for read in reads} - others)
        more = [*rows, *(value for name in names for value in _given(tree, name))]
        if len(more) == len(found):
            return found
        found = more


def _is_name(node: ast.AST, use: type[ast.expr_context]) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, use)


def _names_in(place: ast.expr) -> Iterator[ast.Name]:
    """Find the names whose values are shown in an expression as they are."""
    if isinstance(place, ast.Name):
        yield place
    elif isinstance(place, ast.JoinedStr):
        gaps = [part.value for part in place.values if isinstance(part, ast.FormattedValue)]
        yield from (gap for gap in gaps if isinstance(gap, ast.Name))
    for part in shown_parts(place):
        yield from _names_in(part)


def _rows(tree: ast.AST) -> Iterator[ast.expr]:
    """Find the rows of tables, which come to `text_table` as they are or by a name."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    given = [call.args[1] for call in calls if _called(call) == "text_table" and call.args[1:]]
    names = {rows.id for rows in given if isinstance(rows, ast.Name)}
    yield from (rows for rows in given if not isinstance(rows, ast.Name))
    for call in calls:
        match call.func:
            case ast.Attribute(value=ast.Name(id=name), attr="append") if name in names:
                yield from call.args
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]) if name in names:
                yield node.value


def _called(call: ast.Call) -> str:
    return str(getattr(call.func, "id", getattr(call.func, "attr", "")))


def _given(tree: ast.AST, name: str) -> _Values:
    """Give what a name stands for; nothing if it is given a value in a way unknown here."""
    nodes = [*ast.walk(tree)]
    bound = sum(_is_name(node, ast.Store) and node.id == name for node in nodes)
    values: _Values = []
    for node in nodes:
        found: _Values = []
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                found = [value] if isinstance(value, ast.JoinedStr | ast.Call) else []
            case ast.For() | ast.comprehension():
                found = _of_loop(tree, node, name)
            case _:
                continue
        bound -= bool(found)
        values += found
    return [] if bound else values


def _of_loop(tree: ast.AST, loop: ast.For | ast.comprehension, name: str) -> _Values:
    """Give what a loop gives a name, where it goes through values that are written there."""
    match loop.target, loop.iter:
        case ast.Name(id=target), every if target == name:
            return _parts(every)
        case ast.Tuple(elts=[ast.Name(id=target), *_]), ast.Call(
            func=ast.Attribute(value=ast.Name(id=table), attr="items")
        ) if target == name:
            return _keys(tree, table)
        case ast.Tuple(elts=targets), every if name in _names(targets):
            return [parts[_place(targets, name)] for parts in map(_parts, _parts(every)) if parts]
    return []


def _parts(values: ast.expr) -> _Values:
    return values.elts if isinstance(values, ast.List | ast.Tuple) else []


def _names(targets: Sequence[ast.expr]) -> list[str]:
    return [getattr(target, "id", "") for target in targets]


def _place(targets: Sequence[ast.expr], name: str) -> int:
    return _names(targets).index(name)


def _keys(tree: ast.AST, table: str) -> _Values:
    """Give the keys of a table that the cell writes down, and after that only goes through."""
    nodes = [*ast.walk(tree)]
    reads = sum(_is_name(node, ast.Load) and node.id == table for node in nodes)
    keys: list[ast.expr | None] = []
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(keys=some)):
                keys += some if name == table else []
            case ast.Subscript(value=ast.Name(id=name), slice=key, ctx=ast.Store()):
                keys += [key] if name == table else []
                reads -= name == table
            case ast.Attribute(value=ast.Name(id=name), attr="items"):
                reads -= name == table
    return [] if reads else [key for key in keys if key is not None]
