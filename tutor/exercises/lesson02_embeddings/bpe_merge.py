"""bpe_merge: one step of byte-pair encoding."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.say import say
from tutor.subwords import bpe_merge as merge
from tutor.subwords import count_pairs, join_pair

Words = Sequence[Sequence[int]]
Pair = tuple[int, int]
Step = Callable[[Words, Sequence[int], int], object]
NEW = 99


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(words: Words, counts: Sequence[int]) -> Arguments:
        return {"words": [list(word) for word in words], "counts": list(counts), "new_id": NEW}

    def drawn(lengths: Sequence[int], pieces: int) -> Arguments:
        words = [rng.integers(0, pieces, length).tolist() for length in lengths]
        return case(words, rng.integers(1, 9, len(lengths)).tolist())

    a, b, c, d, e = (rng.permutation(9) + 1)[:5].tolist()
    low, middle, high = sorted([a, b, c])
    return {
        "some words": drawn([5, 4, 6, 3, 5], pieces=4),
        "many words": drawn(rng.integers(2, 7, 9).tolist(), pieces=5),
        "rare pair in many words": case([[a, b], [a, b, c], [d, a, b], [c, d]], [1, 1, 1, 5]),
        "equally frequent": case([[middle, low], [low, middle], [high, low, high]], [2, 2, 2]),
        "equally frequent, too": case([[middle, low], [high, low], [low, middle]], [3, 3, 3]),
        "three in a row": case([[a, a, a, b], [b, c]], [3, 2]),
        "four in a row": case([[c, a, a, a, a], [b, b]], [2, 3]),
        "twice in a word": case([[a, b, c, a, b], [c, d], [d, c]], [2, 3, 1]),
        "the same two the other way round": case([[b, a, c], [a, b, d], [b, a]], [2, 3, 2]),
        "a word of one piece": case([[e], [a, b], [b]], [9, 2, 5]),
        "one word": case([[b, d, b]], [4]),
        "ids of two digits": case([[a, b], [10 * c + a, b, d], [a, 10 * b + e]], [3, 2, 1]),
        "a pair across two words": case([[c, a], [b, d], [c, a], [b, e]], [2, 1, 2, 1]),
        EXAMPLE: case([[1, 2, 3], [4, 2, 3], [1, 2]], [2, 3, 1]),
    }


def _choosing(choose: Callable[[Counter[Pair]], Pair], count: object = count_pairs) -> Step:
    """Build a step from how it chooses the pair among counts, and counts."""

    def step(words: Words, counts: Sequence[int], new_id: int) -> object:
        pair = choose(count(words, counts))  # type: ignore[operator]
        return pair, [join_pair(word, pair, new_id) for word in words]

    return step


def _most(pairs: Counter[Pair]) -> Pair:
    return max(pairs, key=pairs.__getitem__)


def _joining(join: Callable[[Sequence[int], Pair, int], list[int]]) -> Step:
    """Build a step from how it joins the right pair in a word."""

    def step(words: Words, counts: Sequence[int], new_id: int) -> object:
        pair = _most(count_pairs(words, counts))
        return pair, [join(word, pair, new_id) for word in words]

    return step


def _from_the_right(word: Sequence[int], pair: Pair, new_id: int) -> list[int]:
    return join_pair(word[::-1], (pair[1], pair[0]), new_id)[::-1]


def _first_only(word: Sequence[int], pair: Pair, new_id: int) -> list[int]:
    for place in range(len(word) - 1):
        if tuple(word[place : place + 2]) == pair:
            return [*word[:place], new_id, *word[place + 2 :]]
    return list(word)


def _overlapping(word: Sequence[int], pair: Pair, new_id: int) -> list[int]:
    """Put the new piece in at every place of the pair, also where two pairs share a piece."""
    pieces, taken = [], False
    for place, piece in enumerate(word):
        found = tuple(word[place : place + 2]) == pair
        if found or not taken:
            pieces.append(new_id if found else piece)
        taken = found
    return pieces


def _without_last(word: Sequence[int], pair: Pair, new_id: int) -> list[int]:
    joined = tuple(word[-2:]) == pair and len(join_pair(word, pair, new_id)) < len(word)
    pieces = join_pair(word, pair, new_id)
    return pieces if joined and pieces[-1] == new_id else pieces[:-1]


def _second_stays(word: Sequence[int], pair: Pair, new_id: int) -> list[int]:
    return [new_id if tuple(word[n : n + 2]) == pair else piece for n, piece in enumerate(word)]


def _both_orders(word: Sequence[int], pair: Pair, new_id: int) -> list[int]:
    return join_pair(join_pair(word, pair, new_id), (pair[1], pair[0]), new_id)


def _across_words(words: Words, counts: Sequence[int]) -> Counter[Pair]:
    text = [piece for word, count in zip(words, counts, strict=True) for piece in [*word] * count]
    return count_pairs([text], [1])


def _without_overlap(words: Words, counts: Sequence[int]) -> Counter[Pair]:
    pairs: Counter[Pair] = Counter()
    for word, count in zip(words, counts, strict=True):
        for pair in dict.fromkeys(pairwise(word)):
            pairs[pair] += count
    return pairs


def _unordered(words: Words, counts: Sequence[int]) -> Counter[Pair]:
    pairs: Counter[Pair] = Counter()
    seen = count_pairs(words, counts)
    for pair in seen:
        pairs[pair] = seen[pair] + (seen[pair[::-1]] if pair[0] != pair[1] else 0)
    return pairs


def _pieces_get_fewer(call: Call) -> str | None:
    given = [[1, 2, 3], [4, 2, 3]]
    _, words = call(given, [2, 3], NEW)
    left = sum(len(word) for word in words)
    if left == 4:
        return None
    return say(
        "In [1, 2, 3] and [4, 2, 3] the pair 2, 3 is joined in both: 4 pieces stay, and yours "
        "are {count}.",
        count=left,
    )


def _counts_count(call: Call) -> str | None:
    pair = call([[1, 2], [3, 4]], [1, 5], NEW)[0].tolist()
    if pair == [3, 4]:
        return None
    return say(
        "[1, 2] stands once in the text and [3, 4] five times. Your pair is {pair}.", pair=pair
    )


bpe_merge = Exercise(
    "bpe_merge",
    points=3,
    reference=merge,
    cases=_cases,
    returns=("pair", "words"),
    promises={
        "one word": lambda words, *_: len(words) == 1,
        "a word of one piece": lambda words, *_: min(map(len, words)) == 1,
        "equally frequent pairs": lambda words, counts, _: (
            [*count_pairs(words, counts).values()].count(max(count_pairs(words, counts).values()))
            > 1
        ),
        "the pair overlaps itself": lambda words, counts, _: (
            len(set(merge(words, counts, NEW)[0])) == 1 and max(map(len, words)) > 2
        ),
    },
    properties=[
        Property("Every pair becomes one piece.", _pieces_get_fewer),
        Property("A word counts as often as it stands in the text.", _counts_count),
    ],
    mistakes=[
        Mistake(
            "merge-counts-ignored",
            _choosing(_most, lambda words, counts: count_pairs(words, [1] * len(words))),
            "Each word counts once in yours. How often does it stand in the text?",
        ),
        Mistake(
            "merge-once-a-word",
            _choosing(_most, _without_overlap),
            "A pair that stands twice in a word counts once in yours. How often is it there?",
        ),
        Mistake(
            "merge-across-words",
            _choosing(_most, _across_words),
            "You pair the end of a word with the beginning of the next. Which pieces are "
            "neighbours?",
        ),
        Mistake(
            "merge-order-ignored",
            _choosing(_most, _unordered),
            'You count a pair and its mirror image together. Is "on" the same as "no"?',
        ),
        Mistake(
            "merge-last-of-equals",
            _choosing(lambda pairs: max(reversed([*pairs]), key=pairs.__getitem__)),
            "Where two pairs are equally frequent you take the last. Which is asked for?",
        ),
        Mistake(
            "merge-smallest-of-equals",
            _choosing(lambda pairs: min(pairs, key=lambda pair: (-pairs[pair], pair))),
            "Where two pairs are equally frequent you go by their ids. Which is asked for?",
            variants=[_choosing(lambda pairs: max(pairs, key=lambda pair: (pairs[pair], pair)))],
        ),
        Mistake(
            "merge-rarest",
            _choosing(lambda pairs: min(pairs, key=pairs.__getitem__)),
            "Your pair is the rarest. What makes a piece worth having?",
        ),
        Mistake(
            "merge-first-pair",
            _choosing(lambda pairs: next(iter(pairs))),
            "You take the first pair there is. How often does it stand in the text?",
        ),
        Mistake(
            "merge-first-only",
            _joining(_first_only),
            "A word in which the pair stands twice keeps one of them. Where does your search go on "
            "after it has joined?",
        ),
        Mistake(
            "merge-from-the-right",
            _joining(_from_the_right),
            "Where one piece stands three times in a row, you join the last two. From which side "
            "are words read?",
        ),
        Mistake(
            "merge-overlapping",
            _joining(_overlapping),
            "Where one piece stands three times in a row, you use the middle one twice. By how "
            "many places should you move on after a pair?",
        ),
        Mistake(
            "merge-second-stays",
            _joining(_second_stays),
            "The new piece is there, and the pair's second piece still stands behind it. How many "
            "pieces does the new one replace?",
        ),
        Mistake(
            "merge-both-orders",
            _joining(_both_orders),
            'You join the pair\'s mirror image as well. Is "on" the same as "no"?',
        ),
        Mistake(
            "merge-pair-removed",
            _joining(lambda word, pair, new: [p for p in join_pair(word, pair, new) if p != new]),
            "The pair has gone from your words. What stands in its place?",
        ),
        Mistake(
            "merge-nothing-joined",
            _joining(lambda word, pair, new: list(word)),
            "You found the pair, and the words are as they were. What becomes of it?",
        ),
        Mistake(
            "merge-last-piece-lost",
            _joining(_without_last),
            "The last piece of a word is gone, unless it was joined. How far must a word be read?",
            reason="A loop over places that have a right neighbour stops before the last one.",
        ),
        Mistake(
            "merge-other-words-left-out",
            lambda words, counts, new_id: (
                (pair := merge(words, counts, new_id)[0]),
                [join_pair(word, pair, new_id) for word in words if pair in pairwise(word)],
            ),
            "Some words have gone from your list. What becomes of a word without the pair?",
            reason="Who goes through the words that hold the pair often returns these alone.",
        ),
        Mistake(
            "merge-only-words",
            lambda words, counts, new_id: merge(words, counts, new_id)[1],
            "Your words are right. What else is asked for?",
        ),
        Mistake(
            "merge-words-first",
            lambda words, counts, new_id: merge(words, counts, new_id)[::-1],
            "Both results are right. In which order are they asked for?",
        ),
        Mistake(
            "merge-count-too",
            lambda words, counts, new_id: (
                (*(pair := merge(words, counts, new_id)[0]), count_pairs(words, counts)[pair]),
                merge(words, counts, new_id)[1],
            ),
            "Besides the pair you give how often it occurs. What is asked for?",
        ),
    ],
    hints=[
        "First count: a dictionary from each pair of neighbours to how often it stands in the "
        "text. `zip(word, word[1:])` goes through a word's pairs.",
        "A dictionary keeps the order in which its keys came. Which of equally large values does "
        "`max` give?",
        "To join, read a word with a place that goes on by two after a pair, and by one otherwise.",
    ],
)
