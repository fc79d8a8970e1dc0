"""How good a trained model is: what it writes for held-out sentences, against what was right."""

from collections.abc import Sequence
from dataclasses import dataclass

from tutor.data.batches import collate
from tutor.data.pairs import Pair, Task
from tutor.data.phrasebook import list_length
from tutor.decode import translate
from tutor.embedding import Vocabulary
from tutor.scoring import Translator

MAX_LENGTH = 48  # longer than any target, so that a model may also write too much
ROWS = 256


@dataclass(frozen=True)
class Answer:
    """A held-out pair and what the model wrote instead of the target."""

    pair: Pair
    written: tuple[str, ...]

    @property
    def right(self) -> bool:
        """Whether it is the target, token for token."""
        return self.written == self.pair.target


def answers(model: Translator, task: Task, pairs: Sequence[Pair]) -> list[Answer]:
    """Translate pairs greedily, those of like length together; results in the order given.

    Args:
        model: in evaluation mode.
        task: whose vocabularies the model was trained with.
        pairs: usually the task's test split.
    """
    examples = task.encode(pairs)
    order = sorted(range(len(pairs)), key=lambda place: len(examples[place].source))
    written: dict[int, tuple[str, ...]] = {}
    for start in range(0, len(order), ROWS):
        places = order[start : start + ROWS]
        batch = collate([examples[place] for place in places])
        sentences = translate(
            model,
            batch.source,
            Vocabulary.pad_id,
            Vocabulary.bos_id,
            Vocabulary.eos_id,
            MAX_LENGTH,
        )
        written |= {place: task.tokens(ids) for place, ids in zip(places, sentences)}
    return [Answer(pair, written[place]) for place, pair in enumerate(pairs)]


def exact_match(given: Sequence[Answer]) -> float:
    """Fraction of answers that are right token for token.

    Example:
        >>> pair = Pair("date", ("May", "3"), ("3", "mai"))
        >>> exact_match([Answer(pair, ("3", "mai")), Answer(pair, ("3", "juin"))])
        0.5
    """
    return sum(answer.right for answer in given) / len(given)


def exact_by_length(given: Sequence[Answer]) -> dict[str, float]:
    """Exact match of the lists among the answers, by the number of names in them.

    Example:
        >>> pair = Pair("list2", ("Togo", "and", "Peru"), ("Togo", "et", "Pérou"))
        >>> exact_by_length([Answer(pair, pair.target), Answer(pair, ("Togo",))])
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


def error_rate(given: Sequence[Answer]) -> float:
    """Edits needed to mend all answers, per target token; of phonemes, the PER.

    Example:
        >>> error_rate([Answer(Pair("word", ("c", "a", "t"), ("K", "AE", "T")), ("K", "EY", "T"))])
        0.3333333333333333
    """
    edits = sum(edit_distance(answer.written, answer.pair.target) for answer in given)
    return edits / sum(len(answer.pair.target) for answer in given)


def bleu(given: Sequence[Answer]) -> float | None:
    """Corpus BLEU (0 to 100) over the task's own tokens; None if sacrebleu is not installed.

    Example:
        >>> tokens = ("le", "3", "mai", "2024")
        >>> bleu([Answer(Pair("date", (), tokens), tokens)])
        100.0

    Source: Papineni et al. 2002; Post 2018.
    """
    try:
        from sacrebleu.metrics.bleu import BLEU
    except ModuleNotFoundError:  # a tool of the course's authors, not needed to learn
        return None
    metric = BLEU(tokenize="none")  # the tokens are cut already
    written = [" ".join(answer.written) for answer in given]
    targets = [" ".join(answer.pair.target) for answer in given]
    return round(float(metric.corpus_score(written, [targets]).score), 4)
