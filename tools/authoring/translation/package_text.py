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
    "Place": ((1, "words", "label in a picture"),),
    "replace": ((None, "hints", "exercise hint"), (None, "hint", "mistake hint")),
}
_LIVE = set(inspect.signature(live).parameters)  # all others are controls
ERROR = "sentence of an error"  # whoever reads it reads Python: it may stay English
_TITLE = "mistake"  # the context of mistakes' titles
# Call -> where its text stands, how many forms it has, where its context stands.
SAY: dict[str, tuple[int, int, int | None]] = {
    "say": (0, 1, None),
    "later": (0, 1, 1),
    "say_count": (0, 2, None),
    "say_as": (1, 1, 0),
}


def texts_of_module(source: str) -> Iterator[Text]:
    """Find what is to be translated of a module, in its order.

    Example:
        >>> [text.text for text in texts_of_module('say("Run it.")')]
        ['Run it.']
    """
    tree = ast.parse(source)
    raised = {id(part) for node in ast.walk(tree) if _is_raise(node) for part in ast.walk(node)}
    for node in _in_order(tree):
        if isinstance(node, ast.Call):
            yield from _said(node, ERROR if id(node) in raised else "sentence")
            yield from _placed(node)
    for text in _tables(tree):
        yield Text(text, "sentence")


def _in_order(tree: ast.AST) -> Iterator[ast.AST]:
    yield tree
    for child in ast.iter_child_nodes(tree):
        yield from _in_order(child)


def called(node: ast.Call) -> str:
    """Give the name of what is called."""
    return str(getattr(node.func, "id", getattr(node.func, "attr", "")))


def _is_raise(node: ast.AST) -> bool:
    return isinstance(node, ast.Raise)


def _said(node: ast.Call, kind: str) -> Iterator[Text]:
    if not isinstance(node.func, ast.Name) or node.func.id not in SAY:
        return
    first, count, context = SAY[node.func.id]
    texts = [template(argument) for argument in node.args[first : first + count]]
    if texts and texts[0] is not None:
        names = (
            [template(given) for given in node.args[context : context + 1]]
            if context is not None
            else []
        )
        yield Text(texts[0], kind, texts[1] if count == 2 else None, *names)


def _tables(tree: ast.Module) -> Iterator[str]:
    """Find the texts of what is said by its name, as in `say(_SENTENCES[reason])`."""
    said = [name for node in ast.walk(tree) for name in _names_said(node)]
    asked = [node.id for node in ast.walk(tree) if _is_question(node)]
    names = list(dict.fromkeys(said + asked))  # no set: a catalogue keeps its order
    for name in names:
        for value in (value for node in ast.walk(tree) for value in _assigned(node, name)):
            yield from strings_in(value)
            within = (part.id for part in ast.walk(value) if isinstance(part, ast.Name))
            names += [one for one in dict.fromkeys(within) if one not in names]  # looked up later


def _is_question(node: ast.AST) -> bool:
    """Say whether a node names a hint that several exercises share, as `ASK_EPS`."""
    return isinstance(node, ast.Name) and node.id.lstrip("_").startswith("ASK_")


def _names_said(node: ast.AST) -> Iterator[str]:
    """Find the names by which a call is given what it says or shows."""
    if not isinstance(node, ast.Call):
        return
    given = [value for value, _ in _shown(node)]
    if isinstance(node.func, ast.Name) and node.func.id in SAY:
        first, count, _ = SAY[node.func.id]
        given += node.args[first : first + count]
    for argument in given:
        yield from (part.id for part in ast.walk(argument) if isinstance(part, ast.Name))


def _assigned(node: ast.AST, name: str) -> list[ast.expr]:
    """Give what a statement assigns to a name."""
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    given = any(isinstance(target, ast.Name) and target.id == name for target in targets)
    value = getattr(node, "value", None)
    is_assignment = isinstance(node, ast.Assign | ast.AnnAssign)
    return [value] if is_assignment and given and value is not None else []


def _shown(node: ast.Call) -> Iterator[tuple[ast.expr, str]]:
    """Find the arguments of a call that stand in known places, and what they are."""
    for position, keyword, kind in PLACES.get(called(node), ()):
        given = [word.value for word in node.keywords if word.arg == keyword]
        if not given and position is not None:
            given = node.args[position : position + 1]
        yield from ((value, kind) for value in given)


def _placed(node: ast.Call) -> Iterator[Text]:
    name = called(node)
    for value, kind in _shown(node):
        titled = _TITLE if kind == "mistake title" else None
        yield from (Text(text, kind, context=titled) for text in strings_in(value))
    if name == "live":
        yield from (Text(label, "label of a control") for label in _labels(node))
    if name == "Mistake" and (title := _title_of_id(node)):
        yield Text(title, "mistake title", context=_TITLE)


def strings_in(node: ast.expr) -> Iterator[str]:
    """Find the texts that stand in an expression as they are: alone, in a list, as a choice."""
    if isinstance(node, ast.List | ast.Tuple):
        parts = node.elts
    elif isinstance(node, ast.Dict):
        parts = node.values
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
