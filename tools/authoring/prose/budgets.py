"""What a sitting's prose has of each thing that is counted, beside what it should have."""

import re
from collections.abc import Iterable, Mapping

from tutor.display.table import text_table

from .patterns import (
    ALSO_ENGLISH,
    BOLD,
    BOUNDS,
    CONNECTIVE,
    CONTROL,
    DIALECT,
    HABITS,
    NUMERAL,
    YEAR,
)
from .reading import Sitting, sentences, words

LONG = 28  # words of a long sentence
MANY = 4  # numbers that are too many in one sentence

# What a sitting should have of each, "" where nothing is wanted.
BUDGETS = {
    "words": "<1800",
    "terms": "<15",
    f">{LONG}": "<4",
    "; /100": "<0.3",
    "num/sent": "<0.8",
    f">={MANY} num": "",
    "links /100": ">1.5",
    "bounds": "",
    "habits": "",
    "also": "",
    "dialect": "0",
    "pred": "<=10",
    "double": "0",
    "slides": "",
    "fullest": "<130",
}


def numerals(sentence: str) -> int:
    """Count the numbers in a sentence, in figures or words; years are none.

    Example:
        >>> numerals("In 2017 six of 18 runs gave .06.")
        3
    """
    return len(NUMERAL.findall(YEAR.sub("", sentence)))


def asks_twice(prediction: str) -> bool:
    """Say whether a prediction has a second question, or one behind an *and*.

    Example:
        >>> asks_twice("How many after one sentence, and how many after three?")
        True
    """
    return prediction.count("?") > 1 or bool(
        re.search(r", and (?:what|which|how|where|in|does|why|after|at|for|with)\b", prediction)
    )


def found_of(patterns: Mapping[str, str], texts: Iterable[str]) -> dict[str, int]:
    """Count how often each pattern is met in texts: pattern -> times, those met only.

    Example:
        >>> found_of(DIALECT, ["The commonest drink. The Commonest?"])
        {'commonest': 2}
    """
    joined = "\n".join(texts)
    counts = {
        pattern: len(re.findall(rf"\b(?:{pattern})\b", joined, re.IGNORECASE))
        for pattern in patterns
    }
    return {pattern: count for pattern, count in counts.items() if count}


def terms_of(texts: Iterable[str]) -> list[str]:
    """List the terms that are new: what is bold; where little is, what italics seem to introduce.

    The second is a guess for lessons that set no terms in bold yet, as italics also mark quoted
    words and names of controls: short, seldom in italics, not after "set" or "choose".
    """
    texts = list(texts)
    bold = {term.lower() for text in texts for term in BOLD.findall(text)}
    return sorted(bold) if len(bold) >= 5 else _guessed(texts)


def _guessed(texts: list[str]) -> list[str]:
    met: dict[str, list[bool]] = {}
    for text in texts:
        for match in re.finditer(r"(?<!\*)\*(?!\*)([^*\n]+)\*(?!\*)", text):
            control = bool(CONTROL.search(text[max(0, match.start() - 12) : match.start()]))
            met.setdefault(match[1].lower(), []).append(control)
    return [
        term
        for term, controls in met.items()
        if len(controls) <= 2
        and not any(controls)
        and len(term.split()) <= 4
        and term.isascii()
        and not re.search(r"[.?!,;0-9]", term)
        and len(term) > 2
    ]


def counts_of(sitting: Sitting) -> dict[str, float]:
    """Count one sitting: by the names of `BUDGETS`."""
    texts = sitting.texts
    every = [one for text in texts for one in sentences(text)]
    numbers = [numerals(one) for one in every]
    joined = "\n".join(texts)
    count = max(1, sum(len(words(text)) for text in texts))
    return {
        "words": count,
        "terms": len(terms_of(texts)),
        f">{LONG}": sum(len(words(one)) > LONG for one in every),
        "; /100": round(100 * joined.count(";") / count, 2),
        "num/sent": round(sum(numbers) / max(1, len(every)), 2),
        f">={MANY} num": sum(number >= MANY for number in numbers),
        "links /100": round(100 * len(CONNECTIVE.findall(joined)) / count, 2),
        "bounds": len(BOUNDS.findall(joined)),
        "habits": sum(len(pattern.findall(joined)) for pattern in HABITS.values()),
        "also": sum(found_of(ALSO_ENGLISH, texts).values()),
        "dialect": sum(found_of(DIALECT, texts).values()),
        "pred": len(sitting.predictions),
        "double": sum(map(asks_twice, sitting.predictions)),
        "slides": len(sitting.slides),
        "fullest": max(sum(len(words(text)) for text in slide) for slide in sitting.slides),
    }


def budget_table(sittings: Iterable[Sitting]) -> str:
    """Give the table that is printed: a line for each sitting, and what is wanted below."""
    rows = [
        [sitting.name, *(f"{count:g}" for count in counts_of(sitting).values())]
        for sitting in sittings
    ]
    return text_table(["sitting", *BUDGETS], [*rows, ["wanted", *BUDGETS.values()]])


def places_of(sitting: Sitting) -> list[str]:
    """List each place of a sitting that is over budget, with what it is."""
    lines = [f"terms: {', '.join(terms_of(sitting.texts))}"]
    for patterns, kind in ((DIALECT, "dialect"), (ALSO_ENGLISH, "also English")):
        for pattern, count in found_of(patterns, sitting.texts).items():
            lines.append(f"{kind}: {count} × {pattern[:40]} -> {patterns[pattern]}")
    for one in (one for text in sitting.texts for one in sentences(text)):
        if marks := _marks(one):
            lines.append(f"{', '.join(marks)}: {one}")
    return lines + [f"double: {asked}" for asked in sitting.predictions if asks_twice(asked)]


def _marks(sentence: str) -> list[str]:
    bad = {
        "long": len(words(sentence)) > LONG,
        "numbers": numerals(sentence) >= MANY,
        "bounds": bool(BOUNDS.search(sentence)),
    }
    bad |= {name: bool(pattern.search(sentence)) for name, pattern in HABITS.items()}
    return [name for name, is_so in bad.items() if is_so]
