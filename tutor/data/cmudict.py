"""English words and how they are said: letters to phonemes, from the CMU Pronouncing Dictionary.

The dictionary (Carnegie Mellon's licence, BSD-style) is vendored whole. The task takes words of the
letters a to z, their first pronunciation, and phonemes without stress marks.
"""

import hashlib
import re
import sys
from collections.abc import Sequence
from functools import cache

from tutor.data.files import read_lines
from tutor.data.pairs import Pair, Task, make_task
from tutor.embedding import Vocabulary

# The training words' letters and phonemes, the most frequent first: a model's ids.
LETTERS = "earinsotlcdmuhgpbkyfwvzjxq"
PHONEMES = (
    "AH N L IH S T R K IY D M ER EH AA Z AE B P OW G F EY AO AY V NG UW HH SH W JH Y CH AW TH UH "
    "OY DH ZH"
)

_ENTRY = re.compile(r"([a-z]+) ([A-Z0-9 ]+?)(?: #.*)?")


def join(phonemes: Sequence[str]) -> str:
    """Write phonemes with spaces between them.

    Example:
        >>> join(("K", "AE", "T"))
        'K AE T'
    """
    return " ".join(phonemes)


def split_of(word: str) -> str:
    """Put a word into test (2 %), dev (1 %) or train, the same way for ever."""
    slot = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big") % 100
    return {0: "test", 1: "test", 2: "dev"}.get(slot, "train")


@cache
def load_cmudict() -> Task:
    """Load letters and phonemes as a task.

    Example:
        >>> task = load_cmudict()
        >>> next(pair for pair in task.train if pair.source == ("c", "a", "t"))
        Pair(kind='word', source=('c', 'a', 't'), target=('K', 'AE', 'T'))
    """
    splits: dict[str, list[Pair]] = {}
    for line in read_lines("cmudict.dict.gz"):
        entry = _ENTRY.fullmatch(line)
        if entry is None:  # a second pronunciation, "aaron(2)", or a word with other signs
            continue
        word = entry[1]
        phonemes = map(sys.intern, re.sub(r"\d", "", entry[2]).split())  # each kept once
        splits.setdefault(split_of(word), []).append(Pair("word", tuple(word), tuple(phonemes)))
    return make_task("cmudict", splits, tuple, join)


def cmudict_without_words() -> Task:
    """Give the task without its 117,000 words: all that a trained model needs to say one.

    Example:
        >>> cmudict_without_words().read("cat").tolist()
        [[13, 5, 11, 3]]
    """
    source, target = Vocabulary(LETTERS), Vocabulary(PHONEMES.split())
    return Task("cmudict", [], [], [], [], source, target, tuple, join)
