"""Formulas as MathML, which browsers draw and screen readers read without any script."""

import re

from latex2mathml.converter import convert

_UPRIGHT = re.compile(r'(?:<mi mathvariant="normal">[A-Za-z]</mi>){2,}')


def mathml(latex: str, *, block: bool = False) -> str:
    r"""Return a formula as MathML.

    Args:
        latex: what stands between the dollar signs.
        block: whether it stands on a line of its own.

    Raises:
        ValueError: if it cannot be read.

    Example:
        >>> mathml("x^2")
        '<math display="inline"><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></math>'
    """
    try:
        formula = convert(latex.strip(), display="block" if block else "inline")
    except Exception as problem:  # the library has a class of its own for each mistake
        raise ValueError(f"no formula: {latex!r}: {problem!r}") from problem
    if "\\" in formula:
        raise ValueError(f"no formula: {latex!r}: the library does not know all its commands")
    formula = formula.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "", 1)
    return _UPRIGHT.sub(_as_one_word, formula)


def _as_one_word(letters: re.Match[str]) -> str:
    """Join the letters of a name such as softmax, which would be spelled out when read aloud."""
    return "<mi>" + re.sub("<[^>]*>", "", letters[0]) + "</mi>"
