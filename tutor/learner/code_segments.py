"""What a reader sees of a code cell: printed words, titles, choices, docstrings, comments.

They are translated in place; the code around them keeps every byte, and what it does is the same
in every language (`skeleton`).
"""

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tutor.learner.code_labels import label_places, shown_parts

Look = Callable[[str], str | None]

_KEYWORDS = {"alt", "title", "label", "xlabel", "ylabel", "suptitle", "caption"}
_ARGUMENTS = {"predict": 1, "text_table": 0, "set_title": 0, "set_xlabel": 0, "set_ylabel": 0}
_GAP = re.compile(r"\{[^{}]*\}")
_WORD = re.compile(r"[^\W\d_]{2,}")
_COMMENT = re.compile(r"# (?:Live: )?")
_MACHINES = ("###", "# type", "# noqa", "# %")  # read by tools, not by people


def in_code(source: str, look: Look) -> str:
    """Give a code cell with what a reader sees of it translated where there is a translation.

    Raises:
        SyntaxError: the cell is no Python.

    Example:
        >>> in_code('print("the weights:", x)  # all of them', {"the weights:": "가중치:"}.get)
        'print("가중치:", x)  # all of them'
    """
    lines = _Lines(source)
    changes = [*_changed_strings(lines, look), *_changed_comments(lines, look)]
    content = source.encode()
    for begin, end, new in sorted(changes, reverse=True):
        content = content[:begin] + new + content[end:]
    return content.decode()


def skeleton(source: str) -> str:
    """Give the code of a cell without what a reader sees: it is equal in every language.

    Example:
        >>> skeleton('print("one", x)') == skeleton('print("하나", x)') != skeleton("print(x)")
        True
    """
    tree = ast.parse(source)
    for node in list(_shown(tree)):
        if isinstance(node, ast.JoinedStr):
            gaps = sorted(ast.unparse(part) for part in node.values if _gap(part))
            node.values = [ast.Constant(" ".join(gaps))]
        elif isinstance(node, ast.Constant):
            node.value = ""
    return ast.dump(tree)


def template(node: ast.AST) -> str | None:
    """Give the text of a string or an f-string with its gaps as they are written, else None.

    Example:
        >>> template(ast.parse('f"{n:.2f} of {total}"', mode="eval").body)
        '{n:.2f} of {total}'
    """
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_written(part) for part in node.values)
    return None


def _written(part: ast.expr) -> str:
    if isinstance(part, ast.Constant):
        return str(part.value).replace("{", "{{").replace("}", "}}")
    return ast.unparse(ast.JoinedStr([part]))[2:-1]


def _gap(part: ast.expr) -> bool:
    return not isinstance(part, ast.Constant)


def is_text(node: ast.AST) -> bool:
    """Say whether a node is a string with words in it besides what fills its gaps."""
    text = template(node)
    return text is not None and bool(_WORD.search(_GAP.sub(" ", text)))


def _shown(tree: ast.AST) -> Iterator[ast.expr]:
    """Find the strings that a reader sees."""
    places = [place for node in ast.walk(tree) for place in _places(node)]
    found = [text for place in [*places, *label_places(tree, places)] for text in strings_in(place)]
    yield from {id(text): text for text in found}.values()


def strings_in(node: ast.AST) -> Iterator[ast.expr]:
    """Find the strings of an expression: itself, or those of its parts that are shown with it."""
    if template(node) is not None and isinstance(node, ast.expr):
        yield node
        return
    for part in shown_parts(node):
        yield from strings_in(part)


def _places(node: ast.AST) -> Iterator[ast.expr]:
    """Find the expressions in a node whose strings are shown."""
    if isinstance(node, ast.Call):
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        yield from node.args if name == "print" else ()
        yield from node.args[_ARGUMENTS[name] :][:1] if name in _ARGUMENTS else ()
        yield from (given.value for given in node.keywords if given.arg in _KEYWORDS)
    elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        yield from node.exc.args
    elif isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node):
        first = node.body[0]
        yield from [first.value] if isinstance(first, ast.Expr) else ()


@dataclass
class _Lines:
    """A source with the places of its lines in bytes, as nodes count columns in bytes."""

    source: str

    def __post_init__(self) -> None:
        self._starts = [0]
        for line in self.source.encode().split(b"\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)

    def place(self, line: int, column: int) -> int:
        """Give the place of a column of a line, counted from one."""
        return self._starts[line - 1] + column


_Change = tuple[int, int, bytes]


def _changed_strings(lines: _Lines, look: Look) -> Iterator[_Change]:
    content = lines.source.encode()
    for node in _shown(ast.parse(lines.source)):
        text = template(node)
        new = look(text) if text is not None and is_text(node) else None
        if new is not None and new != text:
            begin = lines.place(node.lineno, node.col_offset)
            end = lines.place(node.end_lineno or node.lineno, node.end_col_offset or 0)
            yield begin, end, _quoted(new, node, content[begin:end])


def _quoted(text: str, node: ast.expr, old: bytes) -> bytes:
    """Write a text as a string of the same kind as the old one."""
    body = text.replace("\\", "\\\\")
    prefix = "f" if isinstance(node, ast.JoinedStr) else ""
    if old.lstrip(b"rRfF").startswith(b'"""'):
        return f'{prefix}"""{body}"""'.encode()
    body = body.replace("\n", "\\n").replace('"', '\\"')
    return f'{prefix}"{body}"'.encode()


def _changed_comments(lines: _Lines, look: Look) -> Iterator[_Change]:
    for token in tokenize.generate_tokens(io.StringIO(lines.source).readline):
        if token.type != tokenize.COMMENT or not _is_prose(token.string):
            continue
        lead = _COMMENT.match(token.string)
        text = token.string[lead.end() :] if lead else ""
        new = look(text) if text else None
        if new is not None and new != text:
            column = len(token.line[: token.start[1]].encode())
            end = lines.place(token.start[0], column) + len(token.string.encode())
            yield end - len(text.encode()), end, new.encode()


def _is_prose(comment: str) -> bool:
    """Say whether a comment says something in words, and is no shape or mark of the tools."""
    if comment.startswith(_MACHINES) or "->" in comment:
        return False
    return len(re.findall(r"\b[a-z]{2,}\b", re.sub(r"\([^)]*\)", " ", comment))) >= 2
