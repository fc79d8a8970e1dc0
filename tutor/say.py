"""What the course tells its readers: whole sentences with named gaps, looked up in a catalogue.

A sentence is written out in one piece, so that another language can order its words as it likes:
no parts glued with ``+``, no words chosen inside a sentence, no s put behind a noun. What fills a
gap is a name, a number, a shape or code, never a word of the sentence.
"""

from gettext import NullTranslations

import tutor

_catalogue: NullTranslations | None = None  # until the first sentence asks for it


class PlainError(Exception):
    """An error whose sentence says all there is to do: a notebook shows it without a traceback.

    Example:
        >>> PlainError("The model is not installed.")._render_traceback_()
        ['The model is not installed.']
    """

    def _render_traceback_(self) -> list[str]:  # IPython asks for this
        return str(self).splitlines()


def speak(catalogue: NullTranslations) -> None:
    """Say everything in the language of a catalogue from now on.

    Example:
        >>> speak(NullTranslations())  # English, as it is written in the code
    """
    global _catalogue
    _catalogue = catalogue


def spoken() -> NullTranslations:
    """Give the catalogue of the language that is spoken; the first sentence asks which that is.

    Where the package has no learner, as in the sandbox of grading, it is English.

    Example:
        >>> spoken().gettext("The shape is {shape}.")
        'The shape is {shape}.'
    """
    global _catalogue
    if _catalogue is None:
        _catalogue = NullTranslations()  # for what is said while the language is looked for
        _catalogue = getattr(tutor, "chosen_catalogue", NullTranslations)()
    return _catalogue


def language() -> str:
    """Name the language that is spoken, as a page does in its `lang`.

    Example:
        >>> language()
        'en'
    """
    return str(getattr(spoken(), "language", "en"))


def later(sentence: str, context: str = "") -> str:
    """Mark a sentence that stands in a table, for translators; `say` looks it up when it is said.

    With a context it is `say_as` that does.

    Example:
        >>> later("river or money")
        'river or money'
    """
    return sentence


def data(words: str) -> str:
    """Mark words that are shown and belong to the data: what models read is never translated.

    Example:
        >>> data("river")
        'river'
    """
    return str(getattr(spoken(), "data", str)(words))


def say(sentence: str, **gaps: object) -> str:
    """Give a sentence in the reader's language, its gaps filled.

    Without gaps it is given as it stands, so that hints and statements may hold braces of code.

    Raises:
        KeyError: gaps are given, but not all that the English sentence has.

    Example:
        >>> say("The shape is {shape}.", shape=(2, 3))
        'The shape is (2, 3).'
    """
    return _filled(spoken().gettext(sentence), sentence, gaps)


def say_as(context: str, sentence: str, **gaps: object) -> str:
    """Give a sentence of which another language has several: the context tells which is meant.

    Example:
        >>> say_as("verdict", "right"), say_as("direction", "right")
        ('right', 'right')
    """
    return _filled(spoken().pgettext(context, sentence), sentence, gaps)


def say_count(one: str, many: str, count: int, **gaps: object) -> str:
    """Give the one of two sentences that fits a count, which fills the gap ``count``.

    Example:
        >>> [say_count("{count} word is left.", "{count} words are left.", n) for n in (1, 2)]
        ['1 word is left.', '2 words are left.']
    """
    english = one if count == 1 else many
    return _filled(spoken().ngettext(one, many, count), english, {"count": count, **gaps})


def _filled(translated: str, english: str, gaps: dict[str, object]) -> str:
    if not gaps:
        return translated
    try:
        return translated.format_map(gaps)
    except (LookupError, ValueError):  # a translation with a misspelt gap must not stop a lesson
        return english.format_map(gaps)
