"""How good a trained model is: what it writes for held-out sentences, against what was right."""

from collections.abc import Sequence
from dataclasses import dataclass

from tutor.data.batches import collate
from tutor.data.pairs import Pair, Task
from tutor.data.phrasebook import list_length
from tutor.decode import translate
from tutor.language_model import EncoderDecoder

MAX_LENGTH = 48  # longer than any target, so that a model may also write too much
ROWS = 256


@dataclass(frozen=True)
class Translation:
    """A held-out pair and what the model wrote instead of the target."""

    pair: Pair
    written: tuple[str, ...]

    @property
    def right(self) -> bool:
        """Whether it is the target, token for token."""
        return self.written == self.pair.target


def translate_pairs(model: EncoderDecoder, task: Task, pairs: Sequence[Pair]) -> list[Translation]:
    """Translate pairs greedily, those of like length together; results in the order given.

    Args:
        model: in evaluation mode.
        task: whose vocabularies the model was trained with.
        pairs: usually the task's test split.
    """
    examples = task.encode(pairs)
    order = sorted(range(len(pairs)), key=lambda index: len(examples[index].source))
    written: dict[int, tuple[str, ...]] = {}
    for start in range(0, len(order), ROWS):
        indices = order[start : start + ROWS]
        batch = collate([examples[index] for index in indices])
        sentences = translate(model, batch.source, task.target_words, MAX_LENGTH)
        written |= {index: task.tokens(ids) for index, ids in zip(indices, sentences)}
    return [Translation(pair, written[index]) for index, pair in enumerate(pairs)]


def exact_match(given: Sequence[Translation]) -> float:
    """Fraction of translations that are right token for token.

    Example:
        >>> pair = Pair("date", ("May", "3"), ("3", "mai"))
        >>> exact_match([Translation(pair, ("3", "mai")), Translation(pair, ("3", "juin"))])
        0.5
    """
    return sum(each.right for each in given) / len(given)


def exact_by_length(given: Sequence[Translation]) -> dict[str, float]:
    """Exact match of the lists among the translations, by the number of names in them.

    Example:
        >>> pair = Pair("list2", ("Togo", "and", "Peru"), ("Togo", "et", "Pérou"))
        >>> exact_by_length([Translation(pair, pair.target), Translation(pair, ("Togo",))])
        {'2': 0.5}
    """
    lengths = sorted({k for a in given if (k := list_length(a.pair.kind)) is not None})
    return {
        str(k): exact_match([a for a in given if list_length(a.pair.kind) == k]) for k in lengths
    }


def edit_distance(one: Sequence[str], other: Sequence[str]) -> int:
    """Fewest insertions, deletions and replacements that turn one sequence into the other.

    Example:
        >>> edit_distance("kitten", "sitting")
        3

    Source: Levenshtein 1966.
    """
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        above, row = row, [i]
        for j, b in enumerate(other, start=1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (a != b)))
    return row[-1]


def error_rate(given: Sequence[Translation]) -> float:
    """Edits needed to mend all translations, per target token; of phonemes, the PER.

    Example:
        >>> pair = Pair("word", ("c", "a", "t"), ("K", "AE", "T"))
        >>> error_rate([Translation(pair, ("K", "EY", "T"))])
        0.3333333333333333
    """
    edits = sum(edit_distance(each.written, each.pair.target) for each in given)
    return edits / sum(len(each.pair.target) for each in given)


def bleu(given: Sequence[Translation]) -> float | None:
    """Corpus BLEU (0 to 100) over the task's own tokens; None if sacrebleu is not installed.

    Example:
        >>> tokens = ("le", "3", "mai", "2024")
        >>> bleu([Translation(Pair("date", (), tokens), tokens)])
        100.0

    Source: Papineni et al. 2002; Post 2018.
    """
    try:
        from sacrebleu.metrics.bleu import BLEU
    except ModuleNotFoundError:  # a tool of the course's authors, not needed to learn
        return None
    metric = BLEU(tokenize="none")  # the tokens are cut already
    written = [" ".join(each.written) for each in given]
    targets = [" ".join(each.pair.target) for each in given]
    return round(float(metric.corpus_score(written, [targets]).score), 4)
