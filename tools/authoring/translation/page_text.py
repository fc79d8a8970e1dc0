"""What a reader sees of a page's template."""

from collections.abc import Iterator

from jinja2 import Environment, nodes

from .package_text import SAY, Text


def texts_of_template(source: str) -> Iterator[Text]:
    """Find what a template says.

    Example:
        >>> [*texts_of_template("<p>{{ say('All {count} rows.', count=2) }}</p>")]
        [Text(text='All {count} rows.', kind='page', many=None, context=None)]
    """
    for call in Environment().parse(source).find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name in SAY:
            first, count, context = SAY[call.node.name]
            given = [one.value if isinstance(one, nodes.Const) else None for one in call.args]
            if given[first] is not None:
                many = given[1] if count == 2 else None
                yield Text(given[first], "page", many, None if context is None else given[context])
