"""No sentence is glued from parts: as far as a machine can see, each is one literal with gaps."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import tutor

PACKAGE = Path(tutor.__file__).parent

FILES = sorted(PACKAGE.rglob("*.py"))
UNREAD = ("MessageError",)  # what two processes tell each other of a message, and nobody reads

WORD = re.compile(r"[^\W\d_]{2,}")
PHRASE = re.compile(r"[^\W\d_]{3,}.* |\ .*[^\W\d_]{3,}")  # a word of three letters, and a space
SENTENCE = re.compile(r"[^\W_a-z].* .*[.?:]", re.DOTALL)
PLURAL = re.compile(r"\}s\b")

# Notation is not read: tags (but what they say is), declarations and calls of CSS or Python.
TAG = re.compile(r"<style>.*|</?[!a-z][^<>]*>|&\w+;", re.DOTALL)
SPOKEN = re.compile(r"""\b(?:alt|title|aria-label)=(['"])(.*?)\1""", re.DOTALL)
CALL = re.compile(
    r"[\w-]+\(.*\)|(?:[a-z-]+:\S[^;]*(?:;|$))+|[^{}]+\{[^{}]+:[^{}]+;\s*\}", re.DOTALL
)


def glued(source: str) -> list[tuple[int, str]]:
    """List lines on which a sentence is put together, with what is wrong there."""
    tree = ast.parse(source)
    unread = {id(part) for node in ast.walk(tree) if _is_unread(node) for part in ast.walk(node)}
    nodes = [node for node in ast.walk(tree) if id(node) not in unread]
    keys = {id(key) for node in nodes for key in _keys(node)}
    found = [
        (node.lineno, what)
        for node in nodes
        if id(node) not in keys
        for what in (*_parts_joined(node), *_said(node), *_bare(node))
    ]
    return sorted(found)


def _is_unread(node: ast.AST) -> bool:
    is_raised = isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)
    return is_raised and ast.unparse(node.exc.func) in UNREAD


def _keys(node: ast.AST) -> list[ast.expr]:
    """Find texts that something is looked up by: `tensors[f"rest {number}"]`, `re.compile(…)`."""
    if isinstance(node, ast.Subscript):
        return [node.slice]
    is_pattern = isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re.")
    args = node.args if isinstance(node, ast.Call) and is_pattern else []
    return [part for arg in args for part in ast.walk(arg) if isinstance(part, ast.expr)]


def _read(text: str) -> str:
    """Give what of a text is read: no markup, no code."""
    if CALL.fullmatch(text) or _is_statement(text):
        return ""
    return "\n".join([TAG.sub("", text), *(found[2] for found in SPOKEN.finditer(text))])


def _is_statement(text: str) -> bool:
    try:
        nodes = ast.parse(text).body
    except SyntaxError:
        return False
    return not any(isinstance(node, ast.Expr | ast.AnnAssign) for node in nodes)


def _bare(node: ast.AST) -> Iterator[str]:
    """Find sentences that are handed on without being looked up."""
    handed: list[ast.expr | None] = []
    if isinstance(node, ast.Return):
        value = node.value
        handed = _choices(value) or [value]
    raised = node.exc.args if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) else []
    if any(part is not None and SENTENCE.fullmatch(_text(part)) for part in handed):
        yield "a sentence that is not said"
    if any(PHRASE.search(_text(part)) for part in raised):
        yield "an error that is not said"
    if isinstance(node, ast.Call):
        given = [*node.args, *(word.value for word in node.keywords)]
        chosen = [part for value in given for part in _choices(value)]
        if any(PHRASE.search(_text(part)) for part in chosen):
            yield "words are chosen and not said"


def _choices(node: ast.AST | None) -> list[ast.expr]:
    return [node.body, node.orelse] if isinstance(node, ast.IfExp) else []


def _text(node: ast.AST) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _with_gaps(node: ast.JoinedStr) -> str:
    return "".join(_text(part) or "_" for part in node.values)


def _parts_joined(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.JoinedStr) and PHRASE.search(_read(_with_gaps(node))):
        yield "words in an f-string"
    if isinstance(node, ast.JoinedStr) and any(map(_chosen, ast.walk(node))):
        yield "a word is chosen in an f-string"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        sides = [_read(_text(node.left)), _read(_text(node.right))]
        if any(map(WORD.search, sides)):
            yield "words are added to something"
    if isinstance(node, ast.AugAssign) and WORD.search(_text(node.value)):
        yield "words are added to something"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and _text(node.left):
        yield "words are filled by %"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        spoken = _text(node.func.value)
        if node.func.attr == "join" and WORD.search(_read(spoken)):
            yield "words join a list"
        if node.func.attr == "format" and PHRASE.search(spoken):
            yield "words are filled by format"


def _said(node: ast.AST) -> Iterator[str]:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return
    count = {"say": 1, "say_count": 2}.get(node.func.id, 0)
    for sentence in node.args[:count]:
        if isinstance(sentence, ast.BinOp | ast.JoinedStr | ast.IfExp | ast.Call):
            yield "the sentence is computed"
        if PLURAL.search(_text(sentence)):
            yield "an s is put behind a gap"
        yield from _gaps(node, sentence, {"count"} if count == 2 else set())
    if count:
        for gap in node.keywords:
            if any(map(_chosen, ast.walk(gap.value))) or PHRASE.search(_text(gap.value)):
                yield "a gap is filled with chosen words"


def _gaps(call: ast.Call, sentence: ast.AST, own: set[str]) -> Iterator[str]:
    given = {gap.arg for gap in call.keywords}
    if not _text(sentence) or None in given or not (given or own):
        return
    named = {name for _, name, _, _ in Formatter().parse(_text(sentence)) if name is not None}
    if missing := named - given - own:
        yield f"no gap is given for {missing}"
    if more := given - named:
        yield f"no such gap: {more}"


def _chosen(node: ast.AST) -> bool:
    """Say whether one of two words is chosen here."""
    return isinstance(node, ast.IfExp) and any(
        WORD.search(_text(word)) for word in (node.body, node.orelse)
    )


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(PACKAGE).as_posix())
def test_sentences_are_whole(file: Path):
    assert glued(file.read_text(encoding="utf-8")) == []


def said_at_import(source: str) -> list[int]:
    """List lines that look a sentence up at import, in the language of that moment."""
    waiting: list[ast.AST] = [ast.parse(source)]
    found = []
    while waiting:
        for node in ast.iter_child_nodes(waiting.pop()):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                found += [node.lineno] if node.func.id in ("say", "say_count") else []
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                waiting.append(node)
    return sorted(found)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(PACKAGE).as_posix())
def test_nothing_is_said_at_import(file: Path):
    assert said_at_import(file.read_text(encoding="utf-8")) == []


def test_what_is_said_at_import_is_seen():
    later = 'def f():\n    return say("Late.")\ng = lambda: say("Later.")\n'
    assert said_at_import(later) == []
    assert said_at_import(later + 'A = {1: say("Now.")}\nclass B:\n    c = say("Now.")') == [4, 6]


@pytest.mark.parametrize(
    "source",
    [
        'f"It returned {unfit}."',
        'f\'It has {n} number{"s" if n > 1 else ""}.\'',
        'f\'{shape} {"float" if x else "integer"}\'',
        '"It was called with " + pairs',
        'said += " Did you mean it?"',
        '" or ".join(names)',
        '"It has %d rows" % n',
        '"It has {} rows".format(n)',
        'say(f"It has {n} rows.")',
        'say("It has " + rows)',
        "say(first if n else second)",
        'say("It has {n} row{s}s.", n=n, s=s)',
        'say("It is {what}.", what="an open answer")',
        'say("It is {what}.", what="open" if x else "shut")',
        'say("It has {n} rows.", m=n)',
        'say_count("It has {n} row.", "It has {n} rows.", rows)',
        'def f(x):\n    return "The first row is wrong." if x else None',
        'raise ValueError("The first row is wrong.")',
        'raise ValueError("d_k must be even")',
        "f'<p>It has {n} rows.</p>'",
        "f'<img alt=\"It has {n} rows\">'",
        "'<p>It has ' + rows",
        "f'{first} and {second}'",
        "f'unknown: {words}'",
        "rows[f'It has {n} rows.'.upper()]",
        'matrix(rows, asks="who asks" if rows else "")',
    ],
)
def test_glue_is_seen(source: str):
    assert glued(source)


@pytest.mark.parametrize(
    "source",
    [
        'say("It has {count} rows.", count=len(rows))',
        'say_count("It has {count} row.", "It has {count} rows.", n)',
        "say(_TABLE[reason], **gaps)",
        'f"{name} {shape}"',
        '", ".join(names)',
        'f"{prefix}-other-eps"',
        "part + str(index)",
        "say(rule.name)",
        "f'<p style=\"margin:2px 0\">{line}</p>'",
        "f'border:1px solid {colour};margin:0 auto'",
        "f'var(--jp-error-color1, {colour})'",
        "f':root {{ --comment: {colour}; }}'",
        "'<br>'.join(lines)",
        "raise MessageError(f'a tensor of type {kind}')",
        "f'from {module} import {name}'",
        "tensors[f'attention {number}']",
        "re.compile(rf'{start}(?:copy|of) it')",
    ],
)
def test_whole_sentences_and_notation_pass(source: str):
    assert glued(source) == []
