"""mend_chat_batch: the end of long texts, behind a bos that must not be lost."""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.say import say

Texts = Sequence[Sequence[int]]
Encoder = Callable[[Texts, int, int, int], Tensor]


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(lengths: Sequence[int], max_length: int) -> Arguments:
        bos_id, pad_id = (rng.permutation(4) + 1)[:2].tolist()  # 0 is a word
        texts = [rng.integers(5, 30, words).tolist() for words in lengths]
        texts[0][-2:] = [0, 0][: lengths[0]]  # a word can stand there twice
        return {"texts": texts, "max_length": max_length, "bos_id": bos_id, "pad_id": pad_id}

    return {
        "some too long": case([7, 2, 4, 9], max_length=5),
        "all fit": case([2, 1, 3], max_length=8),
        "exactly full": case([4, 3], max_length=5),
        "all too long": case([7, 8, 9], max_length=4),
        "room for one word": case([3, 1], max_length=2),
        "a text without words": case([1, 0, 2], max_length=5),
        "one text": case([rng.number(3, 6)], max_length=9),
        "many texts": case(rng.integers(0, 9, 7).tolist(), max_length=rng.number(4, 7)),
        EXAMPLE: {"texts": [[7, 8, 9], [5]], "max_length": 3, "bos_id": 2, "pad_id": 0},
    }


def _rows(row: Callable[[Sequence[int], int, int], list[int]], left: bool = True) -> Encoder:
    """Build an encoder from how one row (ids, max_length, bos) is made; rows are filled."""

    def batch(texts: Texts, most: int, bos: int, pad: int) -> Tensor:
        rows = [row(ids, most, bos) for ids in texts]
        longest = max(map(len, rows))
        fill = [[pad] * (longest - len(ids)) for ids in rows]
        pairs = zip(rows, fill, strict=True)
        return torch.tensor([[*more, *ids] if left else [*ids, *more] for ids, more in pairs])

    return batch


def _latest(ids: Sequence[int], most: int, bos: int) -> list[int]:
    return [bos, *ids[max(0, len(ids) - (most - 1)) :]]


_encode = _rows(_latest)


def _bos_before_padding(texts: Texts, most: int, bos: int, pad: int) -> Tensor:
    words = _rows(lambda ids, most, bos: _latest(ids, most, bos)[1:])(texts, most, bos, pad)
    return torch.cat([torch.full((len(texts), 1), bos), words], dim=1)


def _to_maximum(texts: Texts, most: int, bos: int, pad: int) -> Tensor:
    rows = _encode(texts, most, bos, pad)
    return torch.cat([torch.full((len(rows), most - rows.size(1)), pad), rows], dim=1)


def _every_row_has_bos(call: Call) -> str | None:
    for place, row in enumerate(call([[7, 8, 9, 7], [5]], 3, 1, 3).tolist()):
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
    rows = call([[7, 8, 9, 6], [5]], 4, 1, 3).tolist()
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
    exact_dtype=True,
    given="chat-cut-loses-bos",
    promises={
        "one text": lambda texts, *_: len(texts) == 1,
        "a text without words": lambda texts, *_: min(map(len, texts)) == 0,
        "a word has the id 0": lambda texts, *_: any(0 in ids for ids in texts),
        "room for one word": lambda texts, most, *_: most == 2,
        "exactly as long as there is room": lambda texts, most, *_: (
            max(map(len, texts)) == most - 1
        ),
        "padding has another id than 0": lambda texts, most, bos, pad: pad != 0,
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
            "chat-filled-on-the-right",
            _rows(_latest, left=False),
            "Your short rows end in padding. Where would the model go on writing?",
        ),
        Mistake(
            "chat-bos-before-padding",
            _bos_before_padding,
            "In your short rows bos stands at the far left. What does it precede: the padding, or "
            "the words?",
        ),
        Mistake(
            "chat-padded-to-maximum",
            _to_maximum,
            "Where all texts are short, your rectangle is too wide. Up to which length are rows "
            "filled?",
        ),
        Mistake(
            "chat-pads-with-bos",
            lambda texts, most, bos, pad: _encode(texts, most, bos, bos),
            "Your short rows begin with several bos. Which id fills a row?",
        ),
        Mistake(
            "chat-pads-with-zero",
            lambda texts, most, bos, pad: _encode(texts, most, bos, 0),
            "Your short rows begin with the id 0, which is a word here. Which id fills a row?",
        ),
        Mistake(
            "chat-backwards",
            _rows(lambda ids, most, bos: [bos, *reversed(_latest(ids, most, bos)[1:])]),
            "You kept the right words and turned their order round. In which order are they read?",
        ),
    ],
    hints=[
        "Encode one text that is too long and look at the first id of its row.",
        "How many of the max_length ids are left for words, once bos is sure of its place?",
    ],
)
