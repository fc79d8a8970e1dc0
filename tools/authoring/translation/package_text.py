"""What a reader sees of a module of the package: what is said, and what stands in known places."""

import ast
import inspect
from collections.abc import Iterator
from typing import NamedTuple

from tutor.display.controls import label_of
from tutor.display.explorer import live
from tutor.learner.code_segments import is_text, template
from tutor.learner.segments import has_words


class Text(NamedTuple):
    """A text to translate.

    Attributes:
        text: as it stands in English.
        kind: what it is, for the translator.
        many: its plural, if it has one.
        context: tells it from others of the same words.
    """

    text: str
    kind: str
    many: str | None = None
    context: str | None = None


# Call -> where in it a reader's words stand (position, keyword), and what they are. What is called
# looks them up itself, so nobody writes `say` there.
PLACES: dict[str, tuple[tuple[int | None, str, str], ...]] = {
    "Mistake": ((2, "hint", "mistake hint"), (None, "label", "mistake title")),
    "Property": ((0, "name", "property"),),
    "rule": ((0, "name", "property"),),
    "Exercise": ((None, "hints", "exercise hint"),),
    "replace": ((None, "hints", "exercise hint"), (None, "hint", "mistake hint")),
}
_LIVE = set(inspect.signature(live).parameters)  # all others are controls
_TITLE = "mistake"  # the context of mistakes' titles
_SAY = {"say": (0, 1, None), "later": (0, 1, 1), "say_count": (0, 2, None), "say_as": (1, 1, 0)}


def texts_of_module(source: str) -> Iterator[Text]:
    """Find what is to be translated of a module, in its order.

    Example:
        >>> [text.text for text in texts_of_module('say("Run it.")')]
        ['Run it.']
    """
    for node in _in_order(ast.parse(source)):
        if isinstance(node, ast.Call):
            yield from _said(node)
            yield from _placed(node)


def _in_order(tree: ast.AST) -> Iterator[ast.AST]:
    yield tree
    for child in ast.iter_child_nodes(tree):
        yield from _in_order(child)


def called(node: ast.Call) -> str:
    """Give the name of what is called."""
    return str(getattr(node.func, "id", getattr(node.func, "attr", "")))


def _said(node: ast.Call) -> Iterator[Text]:
    if not isinstance(node.func, ast.Name) or node.func.id not in _SAY:
        return
    first, count, context = _SAY[node.func.id]
    texts = [template(argument) for argument in node.args[first : first + count]]
    if texts and texts[0] is not None:
        names = (
            [template(given) for given in node.args[context : context + 1]]
            if context is not None
            else []
        )
        yield Text(texts[0], "sentence", texts[1] if count == 2 else None, *names)


def _placed(node: ast.Call) -> Iterator[Text]:
    name = called(node)
    for position, keyword, kind in PLACES.get(name, ()):
        given = [word.value for word in node.keywords if word.arg == keyword]
        if not given and position is not None:
            given = node.args[position : position + 1]
        titled = _TITLE if kind == "mistake title" else None
        for text in (text for value in given for text in strings_in(value)):
            yield Text(text, kind, context=titled)
    if name == "live":
        yield from (Text(label, "label of a control") for label in _labels(node))
    if name == "Mistake" and (title := _title_of_id(node)):
        yield Text(title, "mistake title", context=_TITLE)


def strings_in(node: ast.expr) -> Iterator[str]:
    """Find the texts that stand in an expression as they are: alone, in a list, as a choice."""
    if isinstance(node, ast.List | ast.Tuple):
        parts = node.elts
    elif isinstance(node, ast.IfExp):
        parts = [node.body, node.orelse]
    else:
        text = template(node) if isinstance(node, ast.Constant) and is_text(node) else None
        yield from [text] if text else ()
        return
    for part in parts:
        yield from strings_in(part)


def _labels(node: ast.Call) -> Iterator[str]:
    """Give the labels that controls of `live` have by their names."""
    labels = next((word.value for word in node.keywords if word.arg == "labels"), None)
    keys = labels.keys if isinstance(labels, ast.Dict) else []
    labelled = {template(key) for key in keys if key is not None}
    for word in node.keywords:
        if word.arg and word.arg not in _LIVE and word.arg not in labelled:
            label = label_of(word.arg)
            yield from [label] if has_words(label) else []


def _title_of_id(node: ast.Call) -> str:
    """Give the title that a mistake's id gives it where it has no label."""
    if not node.args or any(word.arg == "label" for word in node.keywords):
        return ""
    return (template(node.args[0]) or "").partition("-")[2].replace("-", " ")
