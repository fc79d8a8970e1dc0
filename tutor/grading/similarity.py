"""Answers of a class that resemble each other more than chance: a list to talk about, no verdict.

Names, comments and layout make no difference. What counts are runs of words that few share: right
answers are alike in half a class, the same odd detour in two notebooks is worth a question. After
Schleimer, Wilkerson and Aiken 2003, "Winnowing: local algorithms for document fingerprinting".
"""

import keyword
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from tutor.grading.results import Graded

RUN = 6  # words of code
RARE = 0.03  # of a class, and two learners at least: what more share is common
ENOUGH = 12  # rare runs that two share, over all exercises
MOST = 30  # pairs that are listed
_WORD = re.compile(
    r"#[^\n]*|'''.*?'''|\"\"\".*?\"\"\"|'[^'\n]*'|\"[^\"\n]*\"|\.?\w+|[^\w\s]", re.DOTALL
)


@dataclass(frozen=True)
class AlikePair:
    """Two learners whose answers resemble each other.

    Attributes:
        one, other: the learners.
        exercises: exercise -> rare runs of words that both have, the most first.
    """

    one: str
    other: str
    exercises: Mapping[str, int]

    @property
    def shared(self) -> int:
        """All rare runs that both have."""
        return sum(self.exercises.values())


def pairs(answers: Mapping[str, Mapping[str, Graded]]) -> list[AlikePair]:
    """List the pairs of learners whose answers resemble each other, the most alike first.

    Args:
        answers: learner -> exercise -> what was found.
    """
    shared: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    most = max(2, int(RARE * len(answers)))
    for exercise, owners in _owners(answers):
        if 2 <= len(owners) <= most:
            for pair in combinations(sorted(owners), 2):
                shared[pair][exercise] += 1
    found = [AlikePair(*pair, dict(counts.most_common())) for pair, counts in shared.items()]
    alike = [pair for pair in found if pair.shared >= ENOUGH]
    return sorted(alike, key=lambda pair: (-pair.shared, pair.one, pair.other))[:MOST]


def _owners(answers: Mapping[str, Mapping[str, Graded]]) -> Iterator[tuple[str, set[str]]]:
    """Give for each run of words of an exercise those who have it."""
    owners: dict[tuple[str, tuple[str, ...]], set[str]] = defaultdict(set)
    for student, exercises in answers.items():
        for name, graded in exercises.items():
            for run in runs(graded.answer):
                owners[name, run].add(student)
    yield from ((name, students) for (name, _), students in owners.items())


def runs(code: str) -> set[tuple[str, ...]]:
    """List the runs of words of a code, its own names all alike.

    Example:
        >>> runs("a = b.mT @ torch.exp(c)  # so") == runs("x=y.mT   @ t.exp(z)")
        True
    """
    words = list(_words(code))
    return {tuple(words[start : start + RUN]) for start in range(len(words) - RUN + 1)}


def _words(code: str) -> Iterable[str]:
    for word in _WORD.findall(code):
        if word[0] in "\"'":
            yield "text"
        elif word[0] != "#":
            is_own = word[0].isalpha() or word[0] == "_"
            yield "name" if is_own and not keyword.iskeyword(word) else word
