"""What a layer of feedback has to say."""

from dataclasses import dataclass

from tutor.checking.verdict import CalledWith, Comparison


@dataclass(frozen=True)
class Finding:
    """What a layer has to say.

    Attributes:
        headline: one sentence.
        details: further sentences.
        arguments: with which arguments the answer was called, where that helps.
        comparison: where numbers part.
        half: the answer is worth half the points all the same.
    """

    headline: str
    details: tuple[str, ...] = ()
    arguments: CalledWith | None = None
    comparison: Comparison | None = None
    half: bool = False
