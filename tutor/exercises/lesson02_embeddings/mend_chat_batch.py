"""mend_chat_batch: the end of long texts, behind a bos that must not be lost."""

from collections.abc import Callable, Mapping, Sequence

from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.say import say

Texts = Sequence[Sequence[int]]
Encoder = Callable[[Texts, int, int], list[list[int]]]


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(lengths: Sequence[int], max_length: int) -> Arguments:
        bos_id = rng.number(1, 4)  # 0 is a word
        texts = [rng.integers(5, 30, words).tolist() for words in lengths]
        texts[0][-2:] = [0, 0][: lengths[0]]  # a word can stand there twice
        return {"texts": texts, "max_length": max_length, "bos_id": bos_id}

    return {
        "some too long": case([7, 2, 4, 9], max_length=5),
        "all fit": case([2, 1, 3], max_length=8),
        "exactly full": case([4, 3], max_length=5),
        "all too long": case([7, 8, 9], max_length=4),
        "room for one word": case([3, 1], max_length=2),
        "a text without words": case([1, 0, 2], max_length=5),
        "one text": case([rng.number(3, 6)], max_length=9),
        "many texts": case(rng.integers(0, 9, 7).tolist(), max_length=rng.number(4, 7)),
        EXAMPLE: {"texts": [[7, 8, 9], [5]], "max_length": 3, "bos_id": 2},
    }


def _rows(row: Callable[[Sequence[int], int, int], list[int]]) -> Encoder:
    """Build an encoder from how one row (ids, max_length, bos) is made."""
    return lambda texts, most, bos: [row(ids, most, bos) for ids in texts]


def _latest(ids: Sequence[int], most: int, bos: int) -> list[int]:
    return [bos, *ids[max(0, len(ids) - (most - 1)) :]]


_encode = _rows(_latest)


def _lists(rows: Sequence[Tensor]) -> list[list[int]]:
    return [row.tolist() for row in rows]


def _every_row_has_bos(call: Call) -> str | None:
    for place, row in enumerate(_lists(call([[7, 8, 9, 7], [5]], 3, 1))):
        if row.count(1) != 1:
            return say(
                "bos has the id 1, at most 3 ids a row: row {place} is {row} and has bos {times} "
                "times.",
                place=place,
                row=row,
                times=row.count(1),
            )
    return None


def _latest_word_is_last(call: Call) -> str | None:
    rows = _lists(call([[7, 8, 9, 6], [5]], 4, 1))
    if [row[-1] for row in rows] == [6, 5]:
        return None
    return say(
        "The texts end in 6 and in 5, and your rows in {last}.", last=[row[-1] for row in rows]
    )


mend_chat_batch = Exercise(
    "mend_chat_batch",
    points=1,
    reference=_encode,
    cases=_cases,
    returns=("ids",),
    given="chat-cut-loses-bos",
    promises={
        "one text": lambda texts, *_: len(texts) == 1,
        "a text without words": lambda texts, *_: min(map(len, texts)) == 0,
        "a word has the id 0": lambda texts, *_: any(0 in ids for ids in texts),
        "room for one word": lambda texts, most, *_: most == 2,
        "exactly as long as there is room": lambda texts, most, *_: (
            max(map(len, texts)) == most - 1
        ),
    },
    properties=[
        Property("Every row has exactly one bos.", _every_row_has_bos),
        Property("Every row ends with its text's last word.", _latest_word_is_last),
    ],
    mistakes=[
        Mistake(
            "chat-cut-loses-bos",
            _rows(lambda ids, most, bos: [bos, *ids][-most:]),
            "Short texts are right, long ones have lost their bos. What was cut off with the old "
            "words?",
        ),
        Mistake(
            "chat-keeps-the-beginning",
            _rows(lambda ids, most, bos: [bos, *ids[: most - 1]]),
            "Your long texts have lost their end. Which words should the model answer?",
        ),
        Mistake(
            "chat-counts-words-only",
            _rows(lambda ids, most, bos: [bos, *ids[-most:]]),
            "Your long rows have one id too many. What does max_length count besides the words?",
        ),
        Mistake(
            "chat-one-too-few",
            _rows(lambda ids, most, bos: [bos, *ids[max(0, len(ids) - (most - 2)) :]]),
            "Your long rows have one id too few. How many special ids does a row have here?",
        ),
        Mistake(
            "chat-not-cut",
            _rows(lambda ids, most, bos: [bos, *ids]),
            "Long texts stay whole in yours. What does max_length ask for?",
        ),
        Mistake(
            "chat-no-bos",
            _rows(lambda ids, most, bos: _latest(ids, most, bos)[1:]),
            "Your rows begin with a word. What comes before it?",
        ),
        Mistake(
            "chat-bos-only-if-cut",
            _rows(
                lambda ids, most, bos: _latest(ids, most, bos) if len(ids) >= most else list(ids)
            ),
            "Long texts have their bos, and short ones have none. Which rows begin with bos?",
        ),
        Mistake(
            "chat-backwards",
            _rows(lambda ids, most, bos: [bos, *reversed(_latest(ids, most, bos)[1:])]),
            "You kept the right words and turned their order round. In which order are they read?",
        ),
    ],
    hints=[
        "Make the row of one text that is too long, and look at its first id.",
        "How many of the max_length ids are left for words, once bos is sure of its place?",
    ],
)
