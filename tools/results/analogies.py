"""Sweep what comes of a − b + c in a table of words, for lesson 2.

Run it as `python tools/results/analogies.py`; it writes tutor/data/results/analogies.json.
"""

from itertools import permutations

from sweep import Sweep  # first: it makes the package importable

from tutor.data.glove import load_glove
from tutor.embedding import nearest_neighbours

PAIRS = {
    "man and woman": ("king queen", "man woman", "boy girl", "brother sister", "son daughter"),
    "capitals": ("paris france", "berlin germany", "tokyo japan", "rome italy", "moscow russia"),
    "comparatives": ("bigger big", "smaller small", "larger large", "higher high", "lower low"),
    "past": ("went go", "said say", "took take", "made make", "gave give"),
}


def answers(kind: str, own_words: str, seed: int) -> dict[str, float]:
    """Ask a − b + c for all pairs of pairs of a kind; the question's words may count or not."""
    words, table = load_glove()
    row = {word: table[number].double() for number, word in enumerate(words)}
    right = 0
    questions = [*permutations([tuple(pair.split()) for pair in PAIRS[kind]], 2)]
    for (a, b), (wanted, c) in questions:
        near = nearest_neighbours(row[a] - row[b] + row[c], table.double(), k=4).tolist()
        found = [words[number] for number in near]
        left_out = () if own_words == "counted" else (a, b, c)
        right += next(word for word in found if word not in left_out) == wanted
    return {"right": right / len(questions)}


SWEEP = Sweep(
    "analogies",
    "in GloVe's table of 10,000 words, the share of twenty questions a − b + c whose answer is the "
    "word nearest to the sum, the three words of the question counted or left out",
    answers,
    grids=[{"kind": list(PAIRS), "own_words": ["counted", "left out"]}],
    labels={
        "kind": "kind of pairs",
        "own_words": "the question's own words",
        "right": "right answers",
    },
    margins={"right": 0.06},
    sample={"kind": ["capitals"]},
    unvaried={"seed": "nothing is drawn", "initialisation": "the table is trained"},
    seeds=(0,),
)

if __name__ == "__main__":
    SWEEP.main()
