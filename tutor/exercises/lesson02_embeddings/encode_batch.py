"""encode_batch: sentences of unequal length in one rectangle."""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.embedding import encode_batch as encode
from tutor.say import say

Sentences = Sequence[Sequence[int]]


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(lengths: Sequence[int], max_length: int) -> Arguments:
        bos_id, eos_id, pad_id = (rng.permutation(4) + 1)[:3].tolist()  # 0 is a word
        sentences = [rng.integers(5, 30, words).tolist() for words in lengths]
        sentences[0][:2] = [0, 0][: lengths[0]]  # a word can stand there twice
        return {
            "sentences": sentences,
            "max_length": max_length,
            "bos_id": bos_id,
            "eos_id": eos_id,
            "pad_id": pad_id,
        }

    return {
        "some too long": case([6, 2, 4, 9], max_length=6),
        "all fit": case([2, 1, 3], max_length=8),
        "exactly full": case([4, 3], max_length=6),
        "all too long": case([7, 8, 9], max_length=4),
        "no room for words": case([2, 1], max_length=2),
        "a sentence without words": case([1, 0, 2], max_length=5),
        "one sentence": case([rng.number(3, 6)], max_length=9),
        "one word too many": case([4, 5], max_length=6),
        "many sentences": case(rng.integers(0, 9, 7).tolist(), max_length=rng.number(5, 8)),
        EXAMPLE: {
            "sentences": [[7, 8, 9], [5]],
            "max_length": 4,
            "bos_id": 2,
            "eos_id": 3,
            "pad_id": 0,
        },
    }


def _every_sentence_ends(call: Call) -> str | None:
    rows = call([[7, 8, 9, 7], [5]], 4, 1, 2, 3)
    for place, row in enumerate(rows.tolist()):
        if row.count(2) != 1:
            return say(
                "eos has the id 2, at most 4 ids a row: row {place} is {row} and has eos "
                "{times} times.",
                place=place,
                row=row,
                times=row.count(2),
            )
    return None


def _every_sentence_begins(call: Call) -> str | None:
    rows = call([[7, 8], [5]], 5, 1, 2, 3).tolist()
    wrong = [row for row in rows if row[0] != 1]
    return (
        say(
            "bos has the id 1, and your row {row} does not begin with it.",
            row=wrong[0],
        )
        if wrong
        else None
    )


def _filled(rows: Sequence[Sequence[int]], pad_id: int, left: bool = False) -> Tensor:
    longest = max(map(len, rows))
    fill = [[pad_id] * (longest - len(row)) for row in rows]
    pairs = zip(rows, fill, strict=True)
    return torch.tensor([[*pad, *row] if left else [*row, *pad] for row, pad in pairs])


def _rows(row: Callable[[Sequence[int], int, int, int], list[int]]) -> Callable[..., Tensor]:
    """Build an encoder from how one row (ids, max_length, bos, eos) is made."""

    def batch(sentences: Sentences, most: int, bos: int, eos: int, pad: int) -> Tensor:
        return _filled([row(ids, most, bos, eos) for ids in sentences], pad)

    return batch


def _left(sentences: Sentences, most: int, bos: int, eos: int, pad: int) -> Tensor:
    return _filled([[bos, *ids[: most - 2], eos] for ids in sentences], pad, left=True)


def _to_maximum(sentences: Sentences, most: int, bos: int, eos: int, pad: int) -> Tensor:
    rows = encode(sentences, most, bos, eos, pad)
    return torch.cat([rows, torch.full((len(rows), most - rows.size(1)), pad)], dim=1)


def _eos_last(sentences: Sentences, most: int, bos: int, eos: int, pad: int) -> Tensor:
    begun = _filled([[bos, *ids[: most - 2]] for ids in sentences], pad)
    return torch.cat([begun, torch.full((len(begun), 1), eos)], dim=1)


def _to_shortest(sentences: Sentences, most: int, bos: int, eos: int, pad: int) -> Tensor:
    rows = [[bos, *ids[: most - 2], eos] for ids in sentences]
    return torch.tensor([row[: min(map(len, rows))] for row in rows])


def _sorted(longest_first: bool) -> Callable[..., Tensor]:
    def batch(sentences: Sentences, *given: int) -> Tensor:
        return encode(sorted(sentences, key=len, reverse=longest_first), *given)

    return batch


_ASK_ROOM = (
    "Your rows have the wrong length where sentences are long. How many of the max_length ids are "
    "words?"
)

_MISTAKES = [
    Mistake(
        "encode-no-eos",
        _rows(lambda ids, most, bos, eos: [bos, *ids[: most - 2]]),
        "Your rows stop without a sign. How will a decoder learn where a sentence ends?",
        variants=[_rows(lambda ids, most, bos, eos: [bos, *ids[: most - 1]])],
    ),
    Mistake(
        "encode-no-bos",
        _rows(lambda ids, most, bos, eos: [*ids[: most - 2], eos]),
        "Your rows begin with a word. What comes before it?",
    ),
    Mistake(
        "encode-cut-loses-eos",
        _rows(lambda ids, most, bos, eos: [bos, *ids, eos][:most]),
        "Short sentences are right, long ones have lost their end. What was cut off with the "
        "words?",
    ),
    Mistake(
        "encode-eos-only-if-short",
        _rows(lambda ids, most, bos, eos: [bos, *ids[: most - 2]] + [eos] * (len(ids) <= most - 2)),
        "Short sentences are right, cut ones have no end. Which rows get an eos?",
    ),
    Mistake(
        "encode-left-padded",
        _left,
        "Your short rows begin with padding. On which side are they filled?",
    ),
    Mistake(
        "encode-pads-with-eos",
        lambda sentences, most, bos, eos, pad: encode(sentences, most, bos, eos, eos),
        "Your short rows end in several eos. Which id fills a row?",
    ),
    Mistake(
        "encode-pads-with-bos",
        lambda sentences, most, bos, eos, pad: encode(sentences, most, bos, eos, bos),
        "Your short rows end in bos. Which id fills a row?",
    ),
    Mistake(
        "encode-pads-with-zero",
        lambda sentences, most, bos, eos, pad: encode(sentences, most, bos, eos, 0),
        "Your short rows end in the id 0, which is a word here. Which id fills a row?",
    ),
    Mistake(
        "encode-not-truncated",
        _rows(lambda ids, most, bos, eos: [bos, *ids, eos]),
        "Long sentences stay whole in yours. What does max_length ask for?",
    ),
    Mistake(
        "encode-counts-words-only",
        _rows(lambda ids, most, bos, eos: [bos, *ids[:most], eos]),
        _ASK_ROOM,
    ),
    Mistake(
        "encode-one-too-many",
        _rows(lambda ids, most, bos, eos: [bos, *ids[: most - 1], eos]),
        _ASK_ROOM,
    ),
    Mistake(
        "encode-one-too-few",
        _rows(lambda ids, most, bos, eos: [bos, *ids[: most - 3], eos]),
        _ASK_ROOM,
    ),
    Mistake(
        "encode-keeps-the-end",
        _rows(lambda ids, most, bos, eos: [bos, *ids[-(most - 2) :], eos]),
        "Your long sentences have lost their beginning. Which words stay when one is cut?",
    ),
    Mistake(
        "encode-padded-to-maximum",
        _to_maximum,
        "Where all sentences are short, your rectangle is too wide. Up to which length are rows "
        "filled?",
    ),
    Mistake(
        "encode-eos-after-padding",
        _eos_last,
        "In your short rows eos stands at the far end. What does it follow: the words, or the "
        "padding?",
    ),
    Mistake(
        "encode-bos-and-eos-exchanged",
        lambda sentences, most, bos, eos, pad: encode(sentences, most, eos, bos, pad),
        "Your rows begin with the sign for the end. Which id is which?",
    ),
    Mistake(
        "encode-cut-to-shortest",
        _to_shortest,
        "All your rows are as short as the shortest. Are rows cut to fit, or filled?",
    ),
    Mistake(
        "encode-sorted-by-length",
        _sorted(longest_first=True),
        "Your rows are right, but they stand in a different order from the sentences. Which row "
        "will the reader of your batch take for sentence 0?",
        variants=[_sorted(longest_first=False)],
    ),
    Mistake(
        "encode-transposed",
        lambda *given: encode(*given).T,
        "Your sentences stand in columns. What is a row?",
    ),
    Mistake(
        "encode-as-floats",
        lambda *given: encode(*given).float(),
        "Your ids are right, but they are floats. What kind of number picks a row of a table?",
    ),
    Mistake(
        "encode-as-list",
        lambda *given: list(encode(*given).unbind(0)),
        "The rows are there, in a list. What is asked for: a list, or one tensor?",
    ),
]

_PROPERTIES = [
    Property("Every row has exactly one eos.", _every_sentence_ends),
    Property("Every row begins with bos.", _every_sentence_begins),
]

encode_batch = Exercise(
    "encode_batch",
    points=2,
    reference=encode,
    cases=_cases,
    returns=("ids",),
    shapes={"ids": "B T"},
    exact_dtype=True,
    promises={
        "one sentence": lambda sentences, *_: len(sentences) == 1,
        "a sentence without words": lambda sentences, *_: min(map(len, sentences)) == 0,
        "a word has the id 0": lambda sentences, *_: any(0 in ids for ids in sentences),
        "a word comes twice": lambda sentences, *_: any(len(set(s)) < len(s) for s in sentences),
        "room for no word": lambda sentences, most, *_: most == 2,
        "exactly as long as there is room": lambda sentences, most, *_: (
            max(map(len, sentences)) == most - 2
        ),
        "one word more than there is room": lambda sentences, most, *_: (
            max(map(len, sentences)) == most - 1
        ),
        "all sentences equally long": lambda sentences, *_: len(set(map(len, sentences))) == 1,
        "padding has the id 0": lambda sentences, most, bos, eos, pad: pad == 0,
        "padding has another id than 0": lambda sentences, most, bos, eos, pad: pad != 0,
    },
    properties=_PROPERTIES,
    mistakes=_MISTAKES,
    hints=[
        "Make one row first: bos, at most so many words, eos. What is left of max_length for "
        "words?",
        "Make all rows, look for the longest, fill the others on the right.",
    ],
)
